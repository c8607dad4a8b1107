// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_GEOMETRY_DERIVATIVES_HH
#define DUNE_IMPACT_TEST_GEOMETRY_DERIVATIVES_HH

#include <Eigen/Dense>

namespace Dune::Impact::Test {

  //! Jacobian of f at x by central differences of fourth order
  template<class F, class Vector>
  auto jacobian(F&& f, const Vector& x)
  {
    constexpr double h = 1e-3;
    Eigen::Matrix<double, decltype(f(x))::RowsAtCompileTime, Vector::RowsAtCompileTime> J;
    for (int i = 0; i < int(x.size()); ++i) {
      const Vector e = h * Vector::Unit(i);
      J.col(i) = (8 * (f(Vector(x + e)) - f(Vector(x - e))) -
                  (f(Vector(x + 2 * e)) - f(Vector(x - 2 * e)))) /
                 (12 * h);
    }
    return J;
  }

  //! Largest entry of the difference of two matrices
  template<class A, class B>
  double difference(const A& a, const B& b)
  {
    return (a - b).cwiseAbs().maxCoeff();
  }

} // namespace Dune::Impact::Test

#endif
