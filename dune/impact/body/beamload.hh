// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BEAMLOAD_HH
#define DUNE_IMPACT_BODY_BEAMLOAD_HH

#include <array>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/beamelement.hh>
#include <dune/impact/body/interaction.hh>

/** \file
 * \ingroup impact_body
 * \brief Forces and moments on nodes of beams, and forces along beams
 */

namespace Dune::Impact {

  //! Three expressions in t
  struct VectorExpression
  {
    std::array<Expression, 3> component;

    Vector3 operator()(double t) const
    {
      return {component[0](t), component[1](t), component[2](t)};
    }
  };

  /** \brief Force F and moment m on a node with the rotation R
   *
   * Dead: F and m are spatial, the covector (R^T m, R^T F) has the derivative (hat(R^T m) w,
   * hat(R^T F) w) along an angular increment w. Follower: F and m are components in the frame of
   * the node, without derivative. The force of neither has an energy in general.
   */
  class NodeLoad : public Interaction
  {
  public:
    NodeLoad(const PointHandle& node, VectorExpression force, VectorExpression moment,
             bool follower);

    void addForce(double t, ConstSpan q, SparseVector& force) const override;
    Potentials potentials(double, ConstSpan) const override { return {}; }
    void addStiffness(double t, ConstSpan q, Triplets& entries) const override;
    bool external() const override { return true; }
    bool dependsOnConfiguration() const override { return !follower_; }

  private:
    //! (moment, force) in the frame of the node
    Vector6 covector(double t, ConstSpan q) const;

    PointHandle node_;
    const Beam* beam_;
    VectorExpression force_, moment_;
    bool follower_;
  };

  /** \brief A force that is spread evenly over the reference length of a beam
   *
   * With the force f per length, spatial (dead) or in the frame g(s) (follower), the nodes of an
   * element of length ds get ds int Q(s)^T (0, R(s)^T f) ds, three Gauss points.
   */
  class LineLoad : public Interaction
  {
  public:
    //! force is the total force
    LineLoad(const PointHandle& anyNode, VectorExpression force, bool follower);

    void addForce(double t, ConstSpan q, SparseVector& force) const override;
    Potentials potentials(double, ConstSpan) const override { return {}; }
    void addStiffness(double t, ConstSpan q, Triplets& entries) const override;
    bool external() const override { return true; }
    bool dependsOnConfiguration() const override { return true; }

  private:
    PointHandle node_;
    const Beam* beam_;
    VectorExpression force_;
    double length_;
    bool follower_;
    std::vector<GaussPoint> rule_;
  };

} // namespace Dune::Impact

#endif
