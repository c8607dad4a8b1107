// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTRULES_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_MIDPOINTRULES_HH

#include <dune/impact/timestep/midpoint/midpointrule.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief The rules: midpoint, modified, dissipative, quasi-static
 */

namespace Dune::Impact {

  /** \brief Stress at the midpoint, gaps at the end
   *
   *     f = W'((x+z)/2),   phi = c(z),   B = c'(z)
   *
   * The energy changes by W(z) - W(x) - W'((x+z)/2).D in free flight, and by the curvature of the
   * gaps in contact.
   */
  template<int dim>
  class ModifiedMidpoint : public MidpointRule<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;

    std::string name() const override { return "modified-midpoint"; }
    void addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const override;
    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override;
    //! 2 W((x+z)/2)
    std::optional<double> potential(const Body& body, ConstSpan x, ConstSpan z) const override;
  };

  /** \brief The midpoint rule: stress and gaps at the midpoint
   *
   *     f = W'((x+z)/2),   phi = c((x+z)/2),   B = 1/2 c'((x+z)/2)
   *
   * Bodies overlap at the ends of steps.
   */
  template<int dim>
  class Midpoint : public ModifiedMidpoint<dim>
  {
  public:
    std::string name() const override { return "midpoint"; }
    StepPoint gapPoint() const override { return StepPoint::middle; }
  };

  /** \brief Averaged stress and discrete gradient of the gaps: no step raises the energy
   *
   *     f.D = W(z) - W(x),   phi = c(z) + max(0, -c(x)),   B D = c(z) - c(x)
   *
   * so that contact changes the energy by -mu.max(0, c(x)) <= 0 whatever the step. A part beta of
   * this loss can be returned: v+ += alpha y with y = M^-1 w, w = c'(z)^T mu and the positive root
   * alpha of
   *
   *     1/2 (w.y) alpha^2 + (w.v+) alpha - beta mu.max(0, c(x)) = 0.
   */
  template<int dim>
  class DissipativeMidpoint : public MidpointRule<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;
    using typename MidpointRule<dim>::Row;

    //! \param settle  let points that stick come to rest after the step, see Settlement
    explicit DissipativeMidpoint(double returnedEnergy = 0, bool settle = false)
      : returnedEnergy_(returnedEnergy)
      , settle_(settle)
    {}

    std::string name() const override { return "dissipative-midpoint"; }
    void addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const override;
    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override;
    bool exactTangent() const override { return false; }
    bool exactWork() const override { return true; }
    bool usesStartGaps() const override { return true; }
    double constraint(const StepGap<dim>& gap) const override;
    void forceRow(const StepGap<dim>& gap, Row& row) const override;
    //! That of the mean derivative; the correction of the discrete gradient is left out
    double curvatureFactor() const override { return 0.5; }
    bool dissipativeContact() const override { return true; }
    bool allowsFriction() const override { return true; }
    void accountWork(AcceptedStep<dim>& step) const override;

    //! beta
    double returnedEnergy() const { return returnedEnergy_; }

  private:
    void returnEnergy(AcceptedStep<dim>& step) const;

    double returnedEnergy_;
    bool settle_;
  };

  /** \brief Equilibrium at the end of each step
   *
   *     f = W'(z),   phi = c(z),   B = c'(z)
   *
   * without inertia, loads at the end. All works are those of the trapezoidal rule: with
   * r = W' - gravity - load - c'^T mu at both ends
   *
   *     E^{n+1} - E^n = 1/2 (loads + contact + r) . D + (W(z) - W(x) - 1/2 (W'(x) + W'(z)).D).
   *
   * On fixed components r is what holds or moves them. On the others it is zero at the end, and at
   * the beginning if that is an equilibrium; its work and the last bracket are the defect of the
   * step.
   */
  template<int dim>
  class QuasiStatic : public MidpointRule<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;

    std::string name() const override { return "quasi-static"; }
    void addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const override;
    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override;
    //! W(z)
    std::optional<double> potential(const Body& body, ConstSpan x, ConstSpan z) const override;
    bool hasInertia() const override { return false; }
    StepPoint loadPoint() const override { return StepPoint::end; }
    bool allowsFriction() const override { return true; }
    //! Equilibrium at the end: slips of the step, but forces without moment about z
    StepPoint frictionPoint() const override { return StepPoint::end; }
    void accountWork(AcceptedStep<dim>& step) const override;

  private:
    void accountEnd(AcceptedStep<dim>& step, const State& at) const;
    void accountContacts(AcceptedStep<dim>& step, const State& at, std::vector<double>& r) const;
    void accountFriction(AcceptedStep<dim>& step, const State& at, std::vector<double>& r) const;
  };

  extern template class ModifiedMidpoint<2>;
  extern template class ModifiedMidpoint<3>;
  extern template class Midpoint<2>;
  extern template class Midpoint<3>;
  extern template class DissipativeMidpoint<2>;
  extern template class DissipativeMidpoint<3>;
  extern template class QuasiStatic<2>;
  extern template class QuasiStatic<3>;

} // namespace Dune::Impact

#endif
