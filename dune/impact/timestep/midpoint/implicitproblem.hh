// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITPROBLEM_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITPROBLEM_HH

#include <optional>
#include <vector>

#include <dune/impact/common/state.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>
#include <dune/impact/timestep/midpoint/implicitworkspace.hh>
#include <dune/impact/timestep/midpoint/midpointrule.hh>
#include <dune/impact/timestep/midpoint/rigidstep.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief The nonlinear problem of one implicit step
 */

namespace Dune::Impact {

  /** \brief The equations of one step, as MidpointRule describes them, for the SQP
   *
   * Model, rule, workspace and state must outlive the problem; a workspace serves one problem at a
   * time. The unknown z has the displacements of the solids, and the numbers of RigidStep
   * for each rigid body.
   */
  template<int dim>
  class ImplicitProblem : public StepProblem<dim>
  {
  public:
    /** \brief From a state by a step h that ends at a time
     *
     * \param definite  a little mass is added to the matrix of a static problem, so that bodies
     * without support are held
     */
    ImplicitProblem(const ImplicitModel<dim>& model, const MidpointRule<dim>& rule,
                    ImplicitWorkspace<dim>& workspace, const State& from, double h, double end,
                    bool definite = true);

    //! First guess: free flight, or the old configuration if there are no velocities
    const NodeVector<dim>& predictor() const { return predictor_; }

    //! What changes from the beginning of the step to z: displacements, and the numbers of rigid
    //! bodies themselves
    std::vector<double> increment(const NodeVector<dim>& z) const;

    //! Configuration of the system at z, and velocities
    void configuration(const NodeVector<dim>& z, Span q) const;
    void velocities(const NodeVector<dim>& z, Span v) const;

    //! Loads other than gravity, at the configuration of the last residual, as forces on z
    ConstSpan externalLoad() const { return external_; }

    std::size_t size() const override { return predictor_.size(); }
    const NodeMask& fixed() const override { return model_.fixed; }
    double forceScale() const override { return scale_; }
    bool hasFriction() const override { return model_.hasFriction(); }
    bool sticksAtFirst() const override { return !rule_.hasInertia(); }
    double lengthScale() const override { return model_.length; }
    double forceNoise() const override { return noise_; }
    bool residual(const NodeVector<dim>& z, NodeVector<dim>& R) override;
    const BlockMatrix<dim>& matrix(const NodeVector<dim>& z) override;
    std::optional<double> energy(const NodeVector<dim>& z) override;
    void constraints(const NodeVector<dim>& z, SignoriniConstraints<dim>& constraints) override;
    void addCurvature(const NodeVector<dim>& z, const std::vector<double>& mu,
                      std::vector<MatrixBlock<dim>>& blocks) override;

  private:
    double time(StepPoint point) const;
    std::vector<double> configuration(StepPoint point, ConstSpan z) const;
    std::vector<double> middle(ConstSpan z) const;
    std::vector<double> end(ConstSpan z) const;
    void updateLoads(ConstSpan z);
    void updateNoise(ConstSpan z);
    void addLoadStiffness(ConstSpan z);
    void buildPredictor();
    double resistance() const;
    double contactForce();
    double motionForce() const;
    double forces();
    double gapFactor() const;
    const WeightedGaps<dim>& gapsAt(ConstSpan q);
    bool findStart(StepGap<dim>& gap, std::size_t& next) const;
    std::span<const NodeMatrix<dim>> addFriction(
      const SlipEnd<dim>& start, const SlipEnd<dim>& end, ConstSpan z, std::size_t contact,
      typename SignoriniConstraints<dim>::Constraint& constraint);
    void bodyMatrix(const ImplicitMember<dim>& member, ConstSpan z,
                    typename ImplicitBody<dim>::Matrix& A) const;
    void rigidMatrix(ConstSpan z);
    void scaleTurns(std::vector<NodeEntry<dim>>& row) const;
    std::vector<NodeEntry<dim>> derivativeRow(std::span<const NodeEntry<dim>> row,
                                              ConstSpan z) const;
    std::optional<NodeTurn<dim>> scaled(std::optional<NodeTurn<dim>> turn) const;
    std::size_t rigidOf(std::size_t node) const { return (node - model_.solidNodes()) / 2; }
    bool isTurn(std::size_t node) const
    {
      return node >= model_.solidNodes() && (node - model_.solidNodes()) % 2 == 1;
    }

    const ImplicitModel<dim>& model_;
    const MidpointRule<dim>& rule_;
    ImplicitWorkspace<dim>& workspace_;
    const std::vector<double>& x_;
    const std::vector<double>& v_;
    double h_, end_;
    bool definite_;
    double scale_;
    double noise_ = 0;
    std::vector<double> gravity_, load_, external_;
    NodeVector<dim> predictor_;
    const WeightedGaps<dim>* start_ = nullptr; //!< gaps at the beginning, if they are needed
    std::vector<FieldVector<double, dim>> obstacleIncrement_; //!< per contact
    std::vector<FieldVector<double, dim>> positions_;         //!< of all nodes at zero displacement
    std::vector<RigidStep> rigid_;                            //!< per rigid body of the model
  };

  extern template class ImplicitProblem<2>;
  extern template class ImplicitProblem<3>;

} // namespace Dune::Impact

#endif
