// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/impulse/mortarimpulses.hh>
#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>

using namespace Dune;
using namespace Dune::Impact;

template<int dim>
std::unique_ptr<Solid<dim>> box(const FieldVector<double, dim>& lower,
                                const FieldVector<double, dim>& upper, std::array<int, dim> cells,
                                CellShape shape)
{
  return std::make_unique<Solid<dim>>(typename Solid<dim>::Settings{
    .name = "box",
    .mesh = refineMesh(makeBox<dim>(lower, upper, cells, shape), 0, "box"),
    .material = LinearElastic<dim>{Lame::fromYoung(1, 0.3)},
    .mass = Solid<dim>::Mass::lumped});
}

//! A patch of a body, or its whole boundary
template<int dim>
BodySurface<dim> surface(const System& system, std::size_t body, const std::string& patch)
{
  const auto& mesh = dynamic_cast<const Solid<dim>&>(system.body(body)).mesh();
  return {makeContactSurface<dim>(mesh, mesh.findPatch(patch), body, 0), system.point(body, 0)};
}

//! A block over another one that is wider, with another mesh; both deformed at random, overlapping
//! a little here and there
template<int dim>
struct Blocks
{
  System system;
  std::vector<double> q;
  static constexpr const char* top = dim == 2 ? "ymax" : "zmax";
  static constexpr const char* bottom = dim == 2 ? "ymin" : "zmin";

  Blocks(CellShape shape, double noise)
  {
    FieldVector<double, dim> lower(0.3), upper(1.1), low(0), high(1.4);
    lower[dim - 1] = 1.0;
    upper[dim - 1] = 1.6;
    high[dim - 1] = 1.0;
    std::array<int, dim> fine, coarse;
    fine.fill(3);
    coarse.fill(4);
    system.add(box<dim>(lower, upper, fine, shape));
    system.add(box<dim>(low, high, coarse, shape));
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-noise, noise);
    q = system.initialState().q;
    for (double& x : q)
      x += uniform(random);
  }
};

template<int dim>
TestSuite checkNodeToFace(CellShape shape)
{
  TestSuite test("node to face in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices"));
  const Blocks<dim> blocks(shape, 0.01);
  const NodeToFace<dim> coupling(surface<dim>(blocks.system, 0, blocks.bottom),
                                 surface<dim>(blocks.system, 1, blocks.top));
  test.subTest(checkImpulseGeometry(coupling, blocks.system, blocks.q,
                                    {.dimension = dim, .length = 1e-3, .tangentialMoments = true}));

  // short rows are the same
  for (int components : {1, dim}) {
    ContactPoints full, some;
    full.clear(components);
    some.clear(components, ContactPoints::Form::nodes);
    for (ContactPoints* rows : {&full, &some})
      coupling.addPoints({}, blocks.q, 1, *rows);
    std::size_t count = 0;
    for (std::size_t i = 0; i < some.size(); ++i)
      count += some.isCompressed(i);
    test.check(dim == 3 && shape == CellShape::simplex ? 2 * count > some.size() : count == 0,
               "rows over the inside of triangles are short")
      << count << " of " << some.size();
    some.expand();
    bool same = some.size() == full.size();
    for (std::size_t i = 0; i < some.size() && same; ++i)
      for (int c = 0; c < components; ++c)
        same = same && std::ranges::equal(full.functional(i, c), some.functional(i, c),
                                          [](const Entry& a, const Entry& b) {
                                            return a.dof == b.dof && a.value == b.value;
                                          });
    test.check(same && full.size() >= 4, "short rows have the functionals of the others");
  }

  // places and signs where nothing is deformed
  const std::vector<double> rest = blocks.system.initialState().q;
  auto moved = rest;
  for (std::size_t i = dim - 1; i < blocks.system.body(0).configurationSize(); i += dim)
    moved[i] -= 0.01;
  std::vector<double> gaps(coupling.multipliers());
  coupling.gaps(0, moved, gaps);
  for (double gap : gaps)
    test.check(std::abs(gap + 0.01) < 1e-15, "depth") << gap;
  // the whole boundary: a node beside a corner of the other block is at the distance of that corner
  auto beside = rest;
  for (std::size_t i = 0; i < blocks.system.body(0).configurationSize(); i += dim)
    beside[i] += 1.15 + 0.03;
  for (std::size_t i = dim - 1; i < blocks.system.body(0).configurationSize(); i += dim)
    beside[i] += 0.04;
  const auto& mesh = dynamic_cast<const Solid<dim>&>(blocks.system.body(1)).mesh();
  const NodeToFace<dim> all(
    surface<dim>(blocks.system, 0, blocks.bottom),
    {makeContactSurface<dim>(mesh, std::nullopt, 1, 0), blocks.system.point(1, 0)});
  all.gaps(0, beside, gaps);
  const double expected = std::hypot(0.3 + 1.15 + 0.03 - 1.4, 0.04);
  test.check(std::abs(*std::min_element(gaps.begin(), gaps.end()) - expected) < 1e-12,
             "distance of an edge")
    << *std::min_element(gaps.begin(), gaps.end());
  return test;
}

//! Nodes that touch facets, but for rounding, have the normals of these, wherever the bodies are;
//! inside, at edges and at corners
template<int dim>
TestSuite checkTouching(CellShape shape)
{
  TestSuite test("nodes that touch in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices"));
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int nodes : {3, 4, 8}) {
    FieldVector<double, dim> lower(0), upper(1.4), low(0), high(1.4);
    lower[dim - 1] = 1.0;
    upper[dim - 1] = 1.6;
    high[dim - 1] = 1.0;
    std::array<int, dim> fine, coarse;
    fine.fill(nodes);
    coarse.fill(4);
    System system;
    system.add(box<dim>(lower, upper, fine, shape));
    system.add(box<dim>(low, high, coarse, shape));
    const NodeToFace<dim> coupling(surface<dim>(system, 0, Blocks<dim>::bottom),
                                   surface<dim>(system, 1, Blocks<dim>::top));
    for (int repeat = 0; repeat < 20; ++repeat) {
      FieldMatrix<double, dim, dim> turn(0);
      for (auto& row : turn) // Gram and Schmidt
        for (bool independent = false; !independent;) {
          for (double& x : row)
            x = normal(random);
          for (const auto& other : turn)
            if (&other < &row)
              row.axpy(-(row * other), other);
          independent = row.two_norm() > 0.1;
          row /= row.two_norm();
        }
      if (turn.determinant() < 0)
        turn[0] *= -1;
      FieldVector<double, dim> shift, up(0), wanted;
      for (double& x : shift)
        x = 3 * normal(random);
      up[dim - 1] = 1;
      turn.mv(up, wanted);
      auto q = system.initialState().q;
      for (std::size_t b = 0; b < 2; ++b) {
        const auto& mesh = dynamic_cast<const Solid<dim>&>(system.body(b)).mesh();
        const std::size_t begin = system.point(b, 0).configurationOffset;
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
          FieldVector<double, dim> place;
          turn.mv(mesh.nodes[i], place);
          for (int c = 0; c < dim; ++c)
            q[begin + i * dim + c] += place[c] + shift[c] - mesh.nodes[i][c];
        }
      }
      double largest = 0, gap = 0;
      std::size_t count = 0;
      for (const auto& foot : coupling.feet(q))
        if (foot) {
          ++count;
          largest = std::max(largest, (foot->normal - wanted).two_norm());
          gap = std::max(gap, std::abs(foot->gap));
        }
      test.check(count == coupling.multipliers() && gap < 1e-14, "all nodes touch")
        << count << " of " << coupling.multipliers() << ", gap " << gap;
      test.check(largest < 1e-12, "normals are those of the facets") << largest;
    }
  }
  return test;
}

//! Nodes in front of flat triangles of all shapes: slips along the surface have no moment
TestSuite checkNeedles()
{
  TestSuite test("needles");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (double width : {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4})
    for (int repeat = 0; repeat < 20; ++repeat) {
      // a tetrahedron with a corner over the first facet of another one, which is long and narrow
      const double u = 0.2 + 0.3 * uniform(random), v = 0.2 + 0.3 * uniform(random),
                   skew = uniform(random), height = 0.01 * uniform(random);
      const auto tetrahedron = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        SolidMesh<3> mesh;
        mesh.nodes = {a, b, c, d};
        mesh.simplices = {{0, 1, 2, 3}};
        mesh.patches = {{1, "side"}};
        mesh.facets = {{{0, 1, 2}, 3, 0}};
        return std::make_unique<Solid<3>>(
          Solid<3>::Settings{.name = "cell",
                             .mesh = mesh,
                             .material = LinearElastic<3>{Lame::fromYoung(1, 0.3)},
                             .mass = Solid<3>::Mass::lumped});
      };
      System system;
      const Vec3 tip = {u + skew * v, v * width, height};
      system.add(
        tetrahedron(tip, tip + Vec3{0, 0.1, 1}, tip + Vec3{0.1, 0, 1}, tip + Vec3{0, 0, 2}));
      system.add(tetrahedron({0, 0, 0}, {1, 0, 0}, {skew, width, 0}, {0.3, 0.3 * width, -1}));
      const NodeToFace<3> coupling(surface<3>(system, 0, "side"), surface<3>(system, 1, "side"));
      ContactPoints rows;
      rows.clear(3);
      coupling.addPoints({}, system.initialState().q, 0.5, rows);
      test.check(rows.size() >= 1 && std::abs(rows[0].gap - height) < 1e-14, "the tip has a row")
        << rows.size();
      for (int c = 0; c < rows.components() && rows.size() > 0; ++c) {
        std::vector<double> p(system.velocitySize());
        addTo(rows.functional(0, c), 1, p);
        const Momenta momenta = system.momenta(system.initialState().q, p);
        double largest = 0;
        for (double x : p)
          largest = std::max(largest, std::abs(x));
        const double error =
          std::max(momenta.linear.infinity_norm(), momenta.angular.infinity_norm());
        test.check(error <= (width >= 1e-3 ? 1e-15 : 1e-12) * largest, "impulses have no moment")
          << width << ", " << c << ": " << error / largest;
      }
    }
  return test;
}

//! Facets remembered from earlier configurations lead to the same feet, bit by bit, as those sought
//! anew
template<int dim>
TestSuite checkMemory(CellShape shape)
{
  TestSuite test("remembered facets in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices"));
  const Blocks<dim> blocks(shape, 0.01);
  const auto make = [&] {
    return NodeToFace<dim>(surface<dim>(blocks.system, 0, blocks.bottom),
                           surface<dim>(blocks.system, 1, ""));
  };
  const NodeToFace<dim> old = make();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const std::size_t first = blocks.system.body(0).configurationSize();
  std::vector<double> drift(blocks.q.size());
  auto q = blocks.q;
  std::size_t feet = 0;
  for (int step = 0; step < 400; ++step) {
    if (step % 40 == 0) // the upper block slides, sinks in, lifts off and leaves; nodes wander
      for (std::size_t i = 0; i < drift.size(); ++i)
        drift[i] = (i < dim ? 0.006 * uniform(random) : i < first ? drift[i - dim] : 0);
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] += drift[i] + 0.0005 * uniform(random);
    const auto seen = old.feet(q), expected = make().feet(q);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      feet += bool(seen[i]);
      test.check(
        bool(seen[i]) == bool(expected[i]) &&
          (!seen[i] || (seen[i]->facet == expected[i]->facet && seen[i]->gap == expected[i]->gap &&
                        seen[i]->weight == expected[i]->weight)),
        "foot")
        << "node " << i << " in step " << step;
    }
  }
  test.check(feet > 100, "there are feet") << feet;
  return test;
}

template<int dim>
TestSuite checkMortarRows(CellShape shape)
{
  TestSuite test("mortar rows in dimension " + std::to_string(dim) +
                 (shape == CellShape::cube ? ", cubes" : ", simplices"));
  const Blocks<dim> blocks(shape, 0.01);
  // boundaries: with edges, whose nodes have a multiplier for each face
  for (const bool whole : {false, true}) {
    auto first = surface<dim>(blocks.system, 0, whole ? "" : blocks.bottom).surface,
         second = surface<dim>(blocks.system, 1, whole ? "" : blocks.top).surface;
    for (auto& node : second.node)
      node += blocks.system.point(1, 0).configurationOffset / dim;
    const auto gap = std::make_shared<MortarGap<dim>>(first, second);
    const MortarImpulses<dim> rows(gap, blocks.system.point(0, 0), blocks.system.point(1, 0));
    test.check((rows.multipliers() > first.node.size()) == whole, "slots of edges")
      << rows.multipliers() << " of " << first.node.size() << " nodes";
    test.subTest(checkImpulseGeometry(
      rows, blocks.system, blocks.q,
      {.dimension = dim, .length = 1e-3, .tangentialMoments = true, .weighted = true}));
  }
  return test;
}

/* Reference: dual mortar on [0, 1], five segments over four, one solve. Rows are divided by D, so
 * impulses are D times the multipliers of the reference. */
TestSuite checkReference()
{
  TestSuite test("mortar impulses of the reference");
  System system;
  system.add(box<2>({0, 1}, {1, 2}, {5, 1}, CellShape::cube));
  system.add(box<2>({0, 0}, {1, 1}, {4, 1}, CellShape::cube));
  auto first = surface<2>(system, 0, "ymin").surface,
       second = surface<2>(system, 1, "ymax").surface;
  for (auto& node : second.node)
    node += system.point(1, 0).configurationOffset / 2;
  const auto gap = std::make_shared<MortarGap<2>>(first, second);
  const MortarImpulses<2> coupling(gap, system.point(0, 0), system.point(1, 0));
  const State state = system.initialState();
  ContactPoints rows;
  rows.clear(1);
  coupling.addPoints({}, state.q, 1, rows);
  test.require(rows.size() == 6, "rows") << rows.size();

  std::vector<double> v(system.velocitySize(), 0), mass(v.size(), 1);
  const auto place = [&](std::size_t body, std::size_t node) {
    return system.body(body).reference(node)[0];
  };
  for (std::size_t node : system.body(0).patch("ymin")) {
    const double x = place(0, node);
    v[node * 2 + 1] = -1 + 0.8 * std::cos(3 * M_PI * x) * x;
    mass[node * 2 + 1] = x == 0 || x == 1 ? 0.1 : 0.2;
  }
  const std::size_t offset = system.point(1, 0).velocityOffset;
  for (std::size_t node : system.body(1).patch("ymax")) {
    const double x = place(1, node);
    v[offset + node * 2 + 1] = -0.5 - 0.7 * x;
    mass[offset + node * 2 + 1] = x == 0 || x == 1 ? 0.25 : 0.5;
  }
  const std::vector<double> D = {0.1, 0.2, 0.2, 0.2, 0.2, 0.1};
  const std::vector<double> bReference = {
    -0.05, -0.08188854381999834, -0.09577708763999669, 0.06166563145999504, 0.05155417527999326,
    -0.06};
  const std::vector<double> rReference = {
    0.3400173630881944, 0.2555294479084063, 0.36067965552926257, 0, 0, 0.42857142857142877};
  const std::vector<double> plus = {-0.6599826369118055, -0.7939132711915852, -0.8982057826707205,
                                    -0.611671842700025,  -0.8022291236000334, -1.3714285714285714};

  // M of the second row: its entries on the other side, times D
  const std::vector<double> M1 = {0.02874999999999998, 0.18250000000000005, -0.01125000000000002, 0,
                                  0};
  for (std::size_t k = 0; k < second.node.size(); ++k) {
    double value = 0;
    for (const Entry& entry : rows.functional(1, 0))
      if (entry.dof == second.node[k] * 2 + 1)
        value -= entry.value * D[1];
    const double x = second.reference[k][0];
    test.check(std::abs(value - M1[std::size_t(std::lround(4 * x))]) < 1e-11, "M")
      << x << ": " << value;
  }

  Delassus H;
  H.clear(1);
  std::vector<double> b;
  for (std::size_t i = 0; i < 6; ++i) {
    b.push_back(dot(rows.functional(i, 0), v));
    const std::size_t k = std::size_t(std::lround(5 * first.reference[rows[i].multiplier][0]));
    test.check(std::abs(b.back() * D[k] - bReference[k]) < 1e-11, "b") << b.back() * D[k];
    std::vector<double> dense(v.size(), 0);
    addTo(rows.functional(i, 0), 1, dense);
    for (std::size_t d = 0; d < dense.size(); ++d)
      dense[d] /= mass[d];
    H.beginRow();
    for (std::size_t j = 0; j < 6; ++j) {
      const double value = dot(rows.functional(j, 0), dense);
      H.add(j, &value);
    }
  }
  std::vector<double> r(6, 0);
  const SolveReport report = ContactSolver().solveContact({H, b, {}}, r);
  test.check(report.converged, "solved");
  for (std::size_t i = 0; i < 6; ++i)
    for (const Entry& entry : rows.functional(i, 0))
      v[entry.dof] += r[i] * entry.value / mass[entry.dof];
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t k = std::size_t(std::lround(5 * first.reference[rows[i].multiplier][0]));
    test.check(std::abs(r[i] / D[k] - rReference[k]) < 1e-11, "r") << r[i] / D[k];
    test.check(std::abs(v[first.node[rows[i].multiplier] * 2 + 1] - plus[k]) < 1e-11, "speed after")
      << v[first.node[rows[i].multiplier] * 2 + 1];
  }
  return test;
}

//! One point of the interface is opened, closed and opened: tractions and work of the reference
TestSuite checkRccmPoint()
{
  TestSuite test("one point of an interface");
  const RccmLaw law{
    .normalStiffness = 6e11, .tangentialStiffness = 6e11, .elasticLimit = 5e-6, .rupture = 5e-4};
  const double legs[4] = {0, 2e-4, 5e-5, 6e-4};
  const std::vector<std::array<double, 4>> reference = {
    {2000, 1e-4, 1e-4, 2424242.4242424243},
    {4000, 2e-4, 2e-4, 1818181.8181818186},
    {6000, 1.25e-4, 2e-4, 1136363.6363636365},
    {8000, 5e-5, 2e-4, 454545.45454545465},
    {10000, 3.25e-4, 3.25e-4, 1060606.060606061},
    {11000, 4.625e-4, 4.625e-4, 227272.72727272753},
    {12000, 6e-4, 5e-4, 0}};
  double alpha = 0, traction = 0, opening = 0, work = 0;
  int step = 0;
  auto expected = reference.begin();
  for (int leg = 0; leg < 3; ++leg)
    for (int i = 1; i <= 4000; ++i) {
      const double next = legs[leg] + (legs[leg + 1] - legs[leg]) * i / 4000;
      const double before = alpha;
      alpha = law.advance(alpha, law.size(next, 0), 2.5e-7);
      test.check(alpha >= before, "damage never heals");
      const double t = law.degradation(alpha) * law.normalStiffness * next;
      work += 0.5 * (t + traction) * (next - opening);
      traction = t;
      opening = next;
      if (++step == int((*expected)[0])) {
        test.check(std::abs(opening - (*expected)[1]) <= 1e-9 * (*expected)[1] &&
                     std::abs(alpha - (*expected)[2]) <= 1e-9 * (*expected)[2],
                   "damage")
          << alpha;
        test.check(std::abs(traction - (*expected)[3]) <= 1e-9 * std::abs((*expected)[3]),
                   "traction")
          << traction;
        ++expected;
      }
    }
  test.check(std::abs(work - 749.9999995265142) <= 1e-9 * 750, "work") << work;

  // delayed damage lags behind the jump and never overshoots it
  const RccmLaw delayed{.normalStiffness = 6e11,
                        .tangentialStiffness = 6e11,
                        .elasticLimit = 5e-6,
                        .rupture = 5e-4,
                        .delayTime = 1e-4};
  double lag = 0;
  for (int i = 0; i < 1000; ++i) {
    lag = delayed.advance(lag, 1e-4, 1e-4);
    test.check(lag <= 1e-4 * (1 + 1e-14), "no overshoot") << lag;
  }
  test.check(std::abs(lag / 1e-4 - 1) < 1e-9, "it arrives") << lag;
  return test;
}

//! Forces of bonds are the derivatives of their energy, without resultant and moment
template<int dim>
TestSuite checkBonds(CellShape shape)
{
  TestSuite test("bonds in dimension " + std::to_string(dim));
  const Blocks<dim> blocks(shape, 0.01);
  const NodeToFace<dim> faces(surface<dim>(blocks.system, 0, blocks.bottom),
                              surface<dim>(blocks.system, 1, blocks.top));
  const State rest = blocks.system.initialState();
  const auto feet = faces.feet(rest.q);
  std::vector<RccmInterface::Bond> bonds;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const auto& facet = faces.second().surface.facets[feet[i]->facet];
    RccmInterface::Bond bond{.multiplier = i, .area = 0.3, .point = faces.first().point(i)};
    for (int k = 0; k < facet.count; ++k) {
      bond.facet.push_back(faces.second().point(facet.node[k]));
      bond.weight.push_back(feet[i]->weight[k]);
    }
    const double u = feet[i]->local[0], v = feet[i]->local[1];
    if (facet.count == 2)
      bond.slope = {std::vector<double>{-1, 1}, {}};
    else if (facet.count == 3)
      bond.slope = {std::vector<double>{-1, 1, 0}, std::vector<double>{-1, 0, 1}};
    else
      bond.slope = {std::vector<double>{v - 1, 1 - v, v, -v},
                    std::vector<double>{u - 1, -u, u, 1 - u}};
    bonds.push_back(bond);
  }
  const RccmInterface interface({.normalStiffness = 3,
                                 .tangentialStiffness = 2,
                                 .modeMix = 0.7,
                                 .elasticLimit = 0.001,
                                 .rupture = 0.05},
                                bonds);
  std::vector<double> damage(interface.size(), 0), f(blocks.q.size(), 0);
  interface.advance(0, blocks.q, 1, damage);
  interface.addForce(0, blocks.q, damage, -1, f);

  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> d(f.size()), plus = blocks.q, minus = blocks.q;
    const double eps = 1e-6;
    double slope = 0, size = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      d[i] = uniform(random);
      plus[i] += eps * d[i];
      minus[i] -= eps * d[i];
      slope += f[i] * d[i];
      size += std::abs(f[i] * d[i]);
    }
    const double difference =
      (interface.energy(0, plus, damage) - interface.energy(0, minus, damage)) / (2 * eps);
    test.check(std::abs(slope - difference) <= 1e-7 * size, "derivative of the energy")
      << slope << " instead of " << difference;
  }
  const Momenta sum = blocks.system.momenta(blocks.q, f);
  double size = 0;
  for (double x : f)
    size += std::abs(x);
  test.check(sum.linear.two_norm() <= 1e-14 * size, "no resultant") << sum.linear.two_norm() / size;
  test.check(sum.angular.two_norm() <= 1e-14 * size, "no moment") << sum.angular.two_norm() / size;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("surfacerows");
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(checkNodeToFace<2>(shape));
    test.subTest(checkNodeToFace<3>(shape));
    test.subTest(checkTouching<2>(shape));
    test.subTest(checkTouching<3>(shape));
    test.subTest(checkMemory<2>(shape));
    test.subTest(checkMemory<3>(shape));
    test.subTest(checkMortarRows<3>(shape));
    test.subTest(checkBonds<3>(shape));
  }
  test.subTest(checkMortarRows<2>(CellShape::cube));
  test.subTest(checkBonds<2>(CellShape::cube));
  test.subTest(checkNeedles());
  test.subTest(checkReference());
  test.subTest(checkRccmPoint());
  return test.exit();
}
