// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/grid/placement.hh>

namespace Dune::Impact {

  // Rodrigues: x + sin(a) k x x + (1 - cos(a)) k x (k x x) with the angle a and the axis k
  template<int dim>
  void placeMesh(SolidMesh<dim>& mesh, const Vec3& position, const Vec3& rotation)
  {
    const Vec3 turn = dim == 2 ? Vec3{0, 0, rotation[2]} : rotation;
    const double angle = turn.two_norm(), half = std::sin(0.5 * angle);
    const Vec3 axis = angle > 0 ? Vec3(turn / angle) : Vec3(0);
    for (auto& node : mesh.nodes) {
      Vec3 x(0);
      std::copy(node.begin(), node.end(), x.begin());
      const Vec3 first = cross(axis, x), second = cross(axis, first);
      for (int i = 0; i < dim; ++i)
        node[i] += std::sin(angle) * first[i] + 2 * half * half * second[i] + position[i];
    }
  }

  template void placeMesh(SolidMesh<2>&, const Vec3&, const Vec3&);
  template void placeMesh(SolidMesh<3>&, const Vec3&, const Vec3&);

} // namespace Dune::Impact
