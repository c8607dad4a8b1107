// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_EXPLICIT_MOREAUJEAN_HH
#define DUNE_IMPACT_TIMESTEP_EXPLICIT_MOREAUJEAN_HH

#include <Eigen/SparseCholesky>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/impulse/delassusassembly.hh>
#include <dune/impact/timestep/impulse/contactimpulses.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_timestep_explicit
 * \brief The implicit theta scheme of Moreau and Jean with velocity-level contact
 */

namespace Dune::Impact {

  /** \brief Moreau-Jean scheme
   *
   * Positions u and velocities v live at the instants:
   *
   *     M (v1 - v0) = h [theta F(u1) + (1 - theta) F(u0)] + G^T r
   *     u1 = u0 + h (theta v1 + (1 - theta) v0)
   *     0 <= r  perp  w1 + e w0 >= 0     for points with g(u0 + h v0/2) <= tolerance
   *
   * Gap, normal and G are taken at the predictor u0 + h v0/2 and frozen in the step. Newton's
   * method for v1 condenses the impulses in every iteration: with A = M + theta^2 h^2 K the
   * contact problem has the Delassus matrix G A^{-1} G^T.
   *
   * Conserved: linear momentum, and the energy for linear elasticity with theta = 1/2, but for
   * the work of contact; angular momentum is not conserved.
   */
  class MoreauJean : public Stepper
  {
  public:
    //! How to step
    struct Settings
    {
      double step;
      double theta = 0.5;
      double gapTolerance = 0;
      double contactTolerance = 1e-10; //!< part of the speed to which the laws of contact hold
      double tolerance = 1e-14;        //!< of Newton's method, relative to the largest speed
      int maxIterations = 50;
      StopToken stop = {}; //!< looked at in every iteration of a step
    };

    //! System and contacts must outlive the stepper
    MoreauJean(const System& system, const std::vector<Contact>& contacts, int dimension,
               const Settings& settings);

    State start(const State& initial, StepReport& report) override;
    void step(const State& from, State& to, StepReport& report) override;
    Record record(const State& from, const State& to) const override;
    RecordedMomenta recordedMomenta(const State&, const State& to) const override
    {
      return {to.q, to.p};
    }
    bool staggered() const override { return false; }
    bool variableStep() const override { return false; }

  private:
    using Vector = Eigen::VectorXd;
    struct Response;

    void moveTo(const State& from, const Vector& v0, const Vector& v1, State& to) const;
    void factorise(double t, ConstSpan q);
    std::string worstBody(const Vector& change) const;
    void condense(const Vector& v0, const Vector& free);
    Vector improve(const State& from, const Vector& v0, const Vector& v1, State& to, double& free,
                   SolveReport& contact);
    Vector solveVelocity(const State& from, const Vector& v0, State& to, StepReport& report);
    void accountLoads(const State& from, const Vector& v0, const Vector& v1, State& to) const;
    Vector residual(const State& from, const State& to, const Vector& v0, const Vector& v1);

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    ContactImpulses impulses_;
    Vector mass_;
    Eigen::SparseMatrix<double> matrix_; //!< the matrix that is factorised
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
    std::vector<Vector> response_; //!< A^{-1} G^T, per functional
    DelassusAssembly assembly_;
  };

} // namespace Dune::Impact

#endif
