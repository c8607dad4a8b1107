// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

/* Patch tests: two blocks with meshes that do not match are pressed upon each other by a constant
 * pressure P. The deformation is homogeneous, diag(F_x, F_y) or diag(F_x, F_x, F_y) with the load
 * along the last axis, and the contact pressure is constant, also where the upper block reaches
 * beyond the lower one and where there are two zones of contact; there the uncovered part of its
 * lower side is loaded by P as well. Dead load, St. Venant-Kirchhoff:
 *
 *     sides held:  F_x = 1,                       F_y (lambda + 2 mu)(F_y^2 - 1)/2 = -P
 *     sides free:   F_x^2 = 1 - k (F_y^2 - 1),
 *     F_y (lambda + 2 mu - (d - 1) lambda k)(F_y^2 - 1)/2 = -P,
 *                  k = lambda/((d - 1) lambda + 2 mu) in d dimensions
 */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  constexpr double P = 0.02;
  const Lame lame = Lame::fromYoung(1.0, 0.3);

  //! Dead forces on nodes
  class NodalForces : public Interaction
  {
  public:
    explicit NodalForces(std::vector<double> force) : force_(std::move(force)) {}

    void addForce(double, ConstSpan, SparseVector& force) const override
    {
      for (std::size_t i = 0; i < force_.size(); ++i)
        if (force_[i] != 0)
          force.push_back({i, force_[i]});
    }

    Potentials potentials(double, ConstSpan) const override { return {}; }
    void addStiffness(double, ConstSpan, Triplets&) const override {}
    bool external() const override { return true; }
    bool dependsOnConfiguration() const override { return false; }

  private:
    std::vector<double> force_;
  };

  struct Interval
  {
    double begin, end;
  };

  using Place = FieldVector<double, 3>; //!< the last component is zero in two dimensions

  //! The part of a convex polygon, or of a segment, with sign (x - limit) >= 0
  std::vector<Place> clipped(const std::vector<Place>& polygon, double limit, double sign)
  {
    std::vector<Place> result;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Place &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      const double da = sign * (a[0] - limit), db = sign * (b[0] - limit);
      if (da >= 0)
        result.push_back(a);
      if ((da > 0 && db < 0) || (da < 0 && db > 0))
        result.push_back(a + da / (da - db) * (b - a));
    }
    return result;
  }

  /** \brief Shape functions of a facet in a horizontal plane: of an edge, a triangle, or a
   * rectangle along the axes
   *
   * All of them are products of linear functions, so that the integral over an edge, a triangle or
   * a rectangle along the axes is the area times the value in the middle.
   */
  std::vector<double> shape(const std::vector<Place>& corner, const Place& x)
  {
    const auto area = [](const Place& p, const Place& q, const Place& r) {
      return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    };
    if (corner.size() == 2)
      return {(corner[1][0] - x[0]) / (corner[1][0] - corner[0][0]),
              (x[0] - corner[0][0]) / (corner[1][0] - corner[0][0])};
    std::vector<double> N;
    for (std::size_t i = 0; i < corner.size(); ++i)
      if (corner.size() == 3)
        N.push_back(area(x, corner[(i + 1) % 3], corner[(i + 2) % 3]) /
                    area(corner[0], corner[1], corner[2]));
      else {
        const Place& opposite = corner[(i + 2) % 4];
        N.push_back((x[0] - opposite[0]) / (corner[i][0] - opposite[0]) * (x[1] - opposite[1]) /
                    (corner[i][1] - opposite[1]));
      }
    return N;
  }

  //! f += p int N over the parts of horizontal facets at a height that lie in an interval of x
  template<int dim>
  void addPartialLoad(const SolidMesh<dim>& mesh, double height, const Interval& part, double p,
                      std::vector<double>& force)
  {
    for (const auto& facet : mesh.facets) {
      std::vector<Place> corner;
      for (Index i : facet.corners()) {
        Place x(0);
        std::copy_n(mesh.nodes[i].begin(), dim - 1, x.begin());
        if (std::abs(mesh.nodes[i][dim - 1] - height) < 1e-9)
          corner.push_back(x);
      }
      if (int(corner.size()) < facet.count)
        continue;
      const auto polygon = clipped(clipped(corner, part.begin, 1), part.end, -1);
      const auto add = [&](double area, const Place& middle) {
        const auto N = shape(corner, middle);
        for (int c = 0; c < facet.count; ++c)
          force[dim * facet.node[c] + dim - 1] += p * area * N[c];
      };
      if (polygon.size() < std::size_t(dim))
        continue;
      if (dim == 2 || corner.size() == 4) { // segment or rectangle
        Place low = polygon[0], high = polygon[0];
        for (const Place& x : polygon)
          for (int c = 0; c < 2; ++c) {
            low[c] = std::min(low[c], x[c]);
            high[c] = std::max(high[c], x[c]);
          }
        add((high[0] - low[0]) * (dim == 2 ? 1 : high[1] - low[1]), 0.5 * (low + high));
      }
      else
        for (std::size_t k = 2; k < polygon.size(); ++k) {
          const Place d = polygon[k - 1] - polygon[0], e = polygon[k] - polygon[0];
          add(std::abs(d[0] * e[1] - d[1] * e[0]) / 2, polygon[0] + (d + e) / 3.0);
        }
    }
  }

  //! Two meshes as one
  template<int dim>
  SolidMesh<dim> together(SolidMesh<dim> a, const SolidMesh<dim>& b)
  {
    const Index offset = Index(a.nodes.size());
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    const auto append = [&](auto& cells, const auto& others) {
      for (auto cell : others) {
        for (Index& i : cell)
          i += offset;
        cells.push_back(cell);
      }
    };
    append(a.simplices, b.simplices);
    append(a.cubes, b.cubes);
    for (auto facet : b.facets) {
      for (int c = 0; c < facet.count; ++c)
        facet.node[c] += offset;
      a.facets.push_back(facet);
    }
    return a;
  }

  SolidMesh<2> block(double left, double right, double bottom, double top, int columns, int rows)
  {
    return refineMesh(makeBox<2>({left, bottom}, {right, top}, {columns, rows}, CellShape::simplex),
                      0, "block");
  }

  //! Of the width 3 in the second direction
  SolidMesh<3> block(double left, double right, double bottom, double top, std::array<int, 3> cells,
                     CellShape shape)
  {
    return refineMesh(makeBox<3>({left, 0, bottom}, {right, 3, top}, cells, shape), 0, "block");
  }

  SolidMesh<2> patchMesh(const std::string& file)
  {
    return refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/" + file), 0, file);
  }

  template<int dim>
  struct Case
  {
    std::string name;
    SolidMesh<dim> upper, lower;
    std::string contactUpper, contactLower;
    std::vector<Support> upperSupports, lowerSupports;
    bool sidesHeld = true;
    //! parts of the lower side of the upper block, at the height 0
    std::vector<Interval> uncovered = {};
    MortarGapKind gap = MortarGapKind::smoothedNormal;
    double tolerance = 1e-12;
  };

  //! Root F_y of F_y stiffness (F_y^2 - 1)/2 + P near one
  double solve(double stiffness)
  {
    double F = 1;
    for (int i = 0; i < 20; ++i)
      F -= (F * stiffness * (F * F - 1) / 2 + P) / (stiffness * (3 * F * F - 1) / 2);
    return F;
  }

  template<int dim>
  TestSuite patchTest(Case<dim> c)
  {
    TestSuite test(c.name);
    const double k = lame.lambda / ((dim - 1) * lame.lambda + 2 * lame.mu);
    const double Fy =
      solve(lame.lambda + 2 * lame.mu - (c.sidesHeld ? 0 : (dim - 1) * lame.lambda * k));
    const double Fx = c.sidesHeld ? 1 : std::sqrt(1 - k * (Fy * Fy - 1));
    double bottom = 0, left = 0;
    for (const auto& x : c.lower.nodes) {
      bottom = std::min(bottom, x[dim - 1]);
      left = std::min(left, x[0]);
    }

    const std::size_t upperNodes = c.upper.nodes.size();
    std::vector<double> force(dim * (upperNodes + c.lower.nodes.size()), 0);
    double top = 0;
    for (const auto& x : c.upper.nodes)
      top = std::max(top, x[dim - 1]);
    addPartialLoad(c.upper, top, {-1e3, 1e3}, -P, force);
    for (const Interval& part : c.uncovered)
      addPartialLoad(c.upper, 0, part, P, force);

    System system;
    std::vector<Contact> contacts;
    const auto nodes = [&] {
      auto all = c.upper.nodes;
      all.insert(all.end(), c.lower.nodes.begin(), c.lower.nodes.end());
      return all;
    }();
    contacts.push_back(
      {"contact",
       std::make_unique<MortarGap<dim>>(
         makeContactSurface<dim>(c.upper, c.upper.findPatch(c.contactUpper), 0, 0),
         makeContactSurface<dim>(c.lower, c.lower.findPatch(c.contactLower), 1, upperNodes),
         MortarSettings{.gap = c.gap})});
    system.add(std::make_unique<Solid<dim>>(
      typename Solid<dim>::Settings{.name = "upper",
                                    .mesh = c.upper,
                                    .material = StVenantKirchhoff<dim>{lame},
                                    .supports = c.upperSupports}));
    system.add(std::make_unique<Solid<dim>>(
      typename Solid<dim>::Settings{.name = "lower",
                                    .mesh = c.lower,
                                    .material = StVenantKirchhoff<dim>{lame},
                                    .supports = c.lowerSupports}));
    system.add(std::make_unique<NodalForces>(force));
    ImplicitStepper<dim> stepper(system, contacts,
                                 {.step = 1,
                                  .rule = std::make_shared<QuasiStatic<dim>>(),
                                  .sqp = {.tolerance = 1e-13, .gapTolerance = 1e-13},
                                  .inner = {.tolerance = 1e-8}});
    StepReport report;
    const State start = stepper.start(system.initialState(), report);
    State end;
    stepper.step(start, end, report);

    double error = 0, pressureError = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (int a = 0; a < dim - 1; ++a)
        error = std::max(
          error, std::abs(end.q[dim * i + a] - (Fx - 1) * (nodes[i][a] - (a == 0 ? left : 0))));
      error = std::max(
        error, std::abs(end.q[dim * i + dim - 1] - (Fy - 1) * (nodes[i][dim - 1] - bottom)));
    }
    WeightedGaps<dim> gaps;
    contacts[0].geometry.template find<WeightedGapGeometry<dim>>()->addGaps(0, end.q, 0, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      pressureError = std::max(
        pressureError,
        std::abs(end.history[0].values[gaps[p].multiplier] - P / std::pow(Fx, dim - 1)) / P);
    std::cout << c.name << ": displacement " << error << " pressure " << pressureError
              << " iterations " << report.solve.iterations << " nodes " << gaps.size() << std::endl;
    test.check(gaps.size() > 2 && report.contacts == int(gaps.size()), "all nodes touch")
      << report.contacts << " of " << gaps.size();
    test.check(error < c.tolerance * (top - bottom), "homogeneous deformation") << error;
    test.check(pressureError < c.tolerance, "constant pressure") << pressureError;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Support x{.component = {true, false, false}}, y{.component = {false, true, false}};
  const auto at = [](Support support, const std::string& patch) {
    support.patch = patch;
    return support;
  };
  const std::vector<Support> held = {at(x, "left"), at(x, "right")},
                             heldBelow = {at(x, "left"), at(x, "right"), at(y, "bottom")};
  for (MortarGapKind gap : {MortarGapKind::smoothedNormal, MortarGapKind::closestPoint}) {
    const std::string kind =
      gap == MortarGapKind::smoothedNormal ? ", smoothed normal" : ", closest point";
    test.subTest(patchTest<2>({"sides held" + kind,
                               patchMesh("patch_upper.msh"),
                               patchMesh("patch_lower.msh"),
                               "contact_nonmortar",
                               "contact_mortar",
                               held,
                               heldBelow,
                               true,
                               {},
                               gap}));
    test.subTest(patchTest<2>({"sides free" + kind,
                               patchMesh("patch_upper.msh"),
                               patchMesh("patch_lower.msh"),
                               "contact_nonmortar",
                               "contact_mortar",
                               {at(x, "left")},
                               {at(x, "left"), at(y, "bottom")},
                               false,
                               {},
                               gap}));
  }
  const std::vector<Support> boxHeld = {at(x, "xmin"), at(x, "xmax")},
                             boxHeldBelow = {at(x, "xmin"), at(x, "xmax"), at(y, "ymin")};
  // edges of the upper block end at 1, 2, ...; the lower one ends in the middle of an edge
  test.subTest(patchTest<2>({"half-covered edge",
                             block(0, 8, 0, 3, 8, 3),
                             block(0, 5.5, -4, 0, 7, 4),
                             "ymin",
                             "ymax",
                             boxHeld,
                             boxHeldBelow,
                             true,
                             {{5.5, 8}}}));
  test.subTest(patchTest<2>({"edge covered by a tenth",
                             block(0, 8, 0, 3, 8, 3),
                             block(0, 5.1, -4, 0, 7, 4),
                             "ymin",
                             "ymax",
                             boxHeld,
                             boxHeldBelow,
                             true,
                             {{5.1, 8}}}));
  test.subTest(patchTest<2>({"two zones of contact",
                             block(0, 10, 0, 3, 11, 3),
                             together(block(0, 3.3, -4, 0, 4, 4), block(6.2, 10, -4, 0, 5, 4)),
                             "ymin",
                             "ymax",
                             boxHeld,
                             boxHeldBelow,
                             true,
                             {{3.3, 6.2}}}));

  const Support z{.component = {false, false, true}};
  const std::vector<Support> sides = {at(x, "xmin"), at(x, "xmax"), at(y, "ymin"), at(y, "ymax")};
  auto sidesBelow = sides;
  sidesBelow.push_back(at(z, "zmin"));
  for (CellShape shape : {CellShape::simplex, CellShape::cube})
    for (MortarGapKind gap : {MortarGapKind::smoothedNormal, MortarGapKind::facetNormal}) {
      const std::string kind =
        std::string(shape == CellShape::simplex ? ", tetrahedra" : ", hexahedra") +
        (gap == MortarGapKind::smoothedNormal ? ", smoothed normal" : ", facet normal");
      const auto upper = block(0, 4, 0, 2, {5, 4, 2}, shape);
      test.subTest(patchTest<3>({"space" + kind,
                                 upper,
                                 block(0, 4, -2, 0, {3, 3, 2}, shape),
                                 "zmin",
                                 "zmax",
                                 sides,
                                 sidesBelow,
                                 true,
                                 {},
                                 gap}));
      test.subTest(patchTest<3>({"space, sides free" + kind,
                                 upper,
                                 block(0, 4, -2, 0, {3, 3, 2}, shape),
                                 "zmin",
                                 "zmax",
                                 {at(x, "xmin"), at(y, "ymin")},
                                 {at(x, "xmin"), at(y, "ymin"), at(z, "zmin")},
                                 false,
                                 {},
                                 gap}));
      test.subTest(patchTest<3>({"space, half-covered facets" + kind,
                                 upper,
                                 block(0, 2.8, -2, 0, {3, 3, 2}, shape),
                                 "zmin",
                                 "zmax",
                                 sides,
                                 sidesBelow,
                                 true,
                                 {{2.8, 4}},
                                 gap}));
      test.subTest(patchTest<3>(
        {"space, two zones of contact" + kind,
         upper,
         together(block(0, 1.3, -2, 0, {2, 3, 2}, shape), block(2.5, 4, -2, 0, {2, 2, 2}, shape)),
         "zmin",
         "zmax",
         sides,
         sidesBelow,
         true,
         {{1.3, 2.5}},
         gap}));
    }
  return test.exit();
}
