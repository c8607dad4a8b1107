// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_SETTLEMENT_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_SETTLEMENT_HH

#include <array>
#include <vector>

#include <dune/impact/common/nodeentry.hh>
#include <dune/impact/timestep/midpoint/acceptedstep.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief Velocities of points that stick, after a step with friction
 */

namespace Dune::Impact {

  /** \brief Takes the slip rate of sticking points away, as far as the friction of the step allows
   *
   * A point that sticks has no slip in the step, and its tangential velocity v+ = -v therefore
   * changes its sign from step to step. With the slip rows T at the end of the step, the impulses
   * k of least energy
   *
   *     J(k) = 1/2 k.W k + k.(T v+ - rate of the obstacle),   W = T M^-1 T^T,
   *     |h l_p + k_p| <= h beta mu_p
   *
   * change the velocity by M^-1 T^T k. The tractions of the whole step stay within the cone, both
   * momenta are kept, and the energy changes by J(k) <= J(0) = 0, apart from the work of obstacles
   * that move. A point that slides is at its bound and stays there. Any admissible k does: the
   * projected block Gauss-Seidel method lowers J in every sweep.
   *
   * W is dense in the points that touch, with one solution with M per tangential component.
   */
  template<int dim>
  class Settlement
  {
  public:
    explicit Settlement(AcceptedStep<dim>& step);

    //! Find k, change the velocities and enter the works
    void apply();

  private:
    using Vector = FieldVector<double, dim>;

    //! Tangential components of a point: a scalar in the plane, two in space
    static constexpr int components = dim - 1;
    using Tangential = FieldVector<double, components>;

    struct Point
    {
      std::size_t contact, node;
      std::vector<NodeMatrix<dim>> row;
      std::array<Vector, components> tangents;
      Tangential impulse;   //!< h l, then h l + k
      Tangential rate;      //!< T v+ - rate of the obstacle, then with W k
      double bound;         //!< h beta mu
      double stiffness = 0; //!< largest eigenvalue of the block of W
      Vector obstacleVelocity;
    };

    void addPoint(std::size_t p, std::size_t gap);
    void assemble();
    double sweep();

    //! Row c of point p times the velocities v
    double slipRate(const Point& point, int c, const std::vector<double>& v) const;

    //! f += T_p^T (k t_c)
    void addForce(const Point& point, int c, double k, std::vector<double>& f) const;

    double& W(std::size_t row, std::size_t column)
    {
      return matrix_[row * points_.size() * components + column];
    }

    AcceptedStep<dim>& step_;
    std::vector<Vector> positions_;
    std::vector<Point> points_;
    std::vector<double> matrix_;
  };

  extern template class Settlement<2>;
  extern template class Settlement<3>;

} // namespace Dune::Impact

#endif
