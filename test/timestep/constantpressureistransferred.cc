// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortargap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/implicitstepper.hh>

/* Patch tests: two blocks with meshes that do not match are pressed upon each other by a constant
 * pressure P. The deformation is homogeneous, diag(F_x, F_y), and the contact pressure is constant,
 * also where the upper block reaches beyond the lower one and where there are two zones of contact;
 * there the uncovered part of its lower side is loaded by P as well. Dead load, St. Venant-Kirchhoff:
 *
 *     sides held:  F_x = 1,                       F_y (lambda + 2 mu)(F_y^2 - 1)/2 = -P
 *     sides free:  F_x^2 = 1 - k (F_y^2 - 1),     F_y (lambda + 2 mu - lambda k)(F_y^2 - 1)/2 = -P,  k = lambda/(lambda + 2 mu)
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
    explicit NodalForces(std::vector<double> force)
      : force_(std::move(force))
    {}

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

  struct Interval { double begin, end; };

  //! f_y += p int N over the part of an edge on a horizontal line that lies in an interval
  void addPartialLoad(const SolidMesh<2>& mesh, double y, const Interval& part, double p, std::vector<double>& force)
  {
    for (const auto& facet : mesh.facets) {
      const auto &a = mesh.nodes[facet.node[0]], &b = mesh.nodes[facet.node[1]];
      if (std::abs(a[1] - y) > 1e-9 || std::abs(b[1] - y) > 1e-9)
        continue;
      const double left = std::max(std::min(a[0], b[0]), part.begin), right = std::min(std::max(a[0], b[0]), part.end);
      if (right <= left)
        continue;
      const double share = ((left + right) / 2 - a[0]) / (b[0] - a[0]); // N_b in the middle of the part
      force[2 * facet.node[0] + 1] += p * (right - left) * (1 - share);
      force[2 * facet.node[1] + 1] += p * (right - left) * share;
    }
  }

  //! Two meshes as one
  SolidMesh<2> together(SolidMesh<2> a, const SolidMesh<2>& b)
  {
    const Index offset = Index(a.nodes.size());
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    for (auto cell : b.simplices) {
      for (Index& i : cell)
        i += offset;
      a.simplices.push_back(cell);
    }
    for (auto facet : b.facets) {
      for (Index& i : facet.node)
        i += offset;
      a.facets.push_back(facet);
    }
    return a;
  }

  SolidMesh<2> block(double left, double right, double bottom, double top, int columns, int rows)
  {
    return refineMesh(makeBox<2>({left, bottom}, {right, top}, {columns, rows}, CellShape::simplex), 0, "block");
  }

  SolidMesh<2> patchMesh(const std::string& file)
  {
    return refineMesh(readGmsh<2>(std::string(DUNE_IMPACT_TEST_DATA) + "/" + file), 0, file);
  }

  struct Case
  {
    std::string name;
    SolidMesh<2> upper, lower;
    std::string contactUpper, contactLower;
    std::vector<Support> upperSupports, lowerSupports;
    bool sidesHeld = true;
    std::vector<Interval> uncovered = {}; //!< parts of the lower side of the upper block, at y = 0
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

  TestSuite patchTest(Case c)
  {
    TestSuite test(c.name);
    const double k = lame.lambda / (lame.lambda + 2 * lame.mu);
    const double Fy = solve(lame.lambda + 2 * lame.mu - (c.sidesHeld ? 0 : lame.lambda * k));
    const double Fx = c.sidesHeld ? 1 : std::sqrt(1 - k * (Fy * Fy - 1));
    double bottom = 0, left = 0;
    for (const auto& x : c.lower.nodes) {
      bottom = std::min(bottom, x[1]);
      left = std::min(left, x[0]);
    }

    const std::size_t upperNodes = c.upper.nodes.size();
    std::vector<double> force(2 * (upperNodes + c.lower.nodes.size()), 0);
    double top = 0;
    for (const auto& x : c.upper.nodes)
      top = std::max(top, x[1]);
    addPartialLoad(c.upper, top, {-1e3, 1e3}, -P, force);
    for (const Interval& part : c.uncovered)
      addPartialLoad(c.upper, 0, part, P, force);

    System system;
    std::vector<SurfaceContact<2>> contacts;
    const auto nodes = [&] { auto all = c.upper.nodes; all.insert(all.end(), c.lower.nodes.begin(), c.lower.nodes.end()); return all; }();
    contacts.push_back({"contact", std::make_unique<MortarGap<2>>(makeContactSurface<2>(c.upper, c.upper.findPatch(c.contactUpper), 0, 0),
                                                                   makeContactSurface<2>(c.lower, c.lower.findPatch(c.contactLower), 1, upperNodes), MortarSettings{.gap = c.gap})});
    system.add(std::make_unique<Solid<2>>(Solid<2>::Settings{.name = "upper", .mesh = c.upper, .material = StVenantKirchhoff<2>{lame}, .supports = c.upperSupports}));
    system.add(std::make_unique<Solid<2>>(Solid<2>::Settings{.name = "lower", .mesh = c.lower, .material = StVenantKirchhoff<2>{lame}, .supports = c.lowerSupports}));
    system.add(std::make_unique<NodalForces>(force));
    ImplicitStepper<2> stepper(system, contacts, {.step = 1, .rule = ImplicitRule::quasiStatic, .sqp = {.tolerance = 1e-13, .gapTolerance = 1e-13}, .inner = {.tolerance = 1e-8}});
    StepReport report;
    const State start = stepper.start(system.initialState(), report);
    State end;
    stepper.step(start, end, report);

    double error = 0, pressureError = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      error = std::max(error, std::abs(end.q[2 * i] - (Fx - 1) * (nodes[i][0] - left)));
      error = std::max(error, std::abs(end.q[2 * i + 1] - (Fy - 1) * (nodes[i][1] - bottom)));
    }
    GapSet<2> gaps;
    contacts[0].coupling->addGaps(0, end.q, 0, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      pressureError = std::max(pressureError, std::abs(end.history[0].values[gaps[p].slot] - P / Fx) / P);
    std::cout << c.name << ": displacement " << error << " pressure " << pressureError << " iterations " << report.solve.iterations << " nodes " << gaps.size() << std::endl;
    test.check(gaps.size() > 2 && report.contacts == int(gaps.size()), "all nodes touch") << report.contacts << " of " << gaps.size();
    test.check(error < c.tolerance * (top - bottom), "homogeneous deformation") << error;
    test.check(pressureError < 10 * c.tolerance, "constant pressure") << pressureError;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Support x{.component = {true, false, false}}, y{.component = {false, true, false}};
  const auto at = [](Support support, const std::string& patch) { support.patch = patch; return support; };
  const std::vector<Support> held = {at(x, "left"), at(x, "right")}, heldBelow = {at(x, "left"), at(x, "right"), at(y, "bottom")};
  for (MortarGapKind gap : {MortarGapKind::smoothedNormal, MortarGapKind::closestPoint}) {
    const std::string kind = gap == MortarGapKind::smoothedNormal ? ", smoothed normal" : ", closest point";
    test.subTest(patchTest({"sides held" + kind, patchMesh("patch_upper.msh"), patchMesh("patch_lower.msh"), "contact_nonmortar", "contact_mortar", held, heldBelow, true, {}, gap}));
    test.subTest(patchTest({"sides free" + kind, patchMesh("patch_upper.msh"), patchMesh("patch_lower.msh"), "contact_nonmortar", "contact_mortar", {at(x, "left")}, {at(x, "left"), at(y, "bottom")}, false, {}, gap}));
  }
  // edges of the upper block end at 1, 2, ...; the lower one ends in the middle of an edge
  test.subTest(patchTest({"half-covered edge", block(0, 8, 0, 3, 8, 3), block(0, 5.5, -4, 0, 7, 4), "bottom", "top", held, heldBelow, true, {{5.5, 8}}}));
  test.subTest(patchTest({"edge covered by a tenth", block(0, 8, 0, 3, 8, 3), block(0, 5.1, -4, 0, 7, 4), "bottom", "top", held, heldBelow, true, {{5.1, 8}}}));
  test.subTest(patchTest({"two zones of contact", block(0, 10, 0, 3, 11, 3), together(block(0, 3.3, -4, 0, 4, 4), block(6.2, 10, -4, 0, 5, 4)), "bottom", "top", held, heldBelow, true, {{3.3, 6.2}}}));
  return test.exit();
}
