// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/elements.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b)
{
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double size(const Vector& a)
{
  return std::sqrt(dot(a, a));
}

Vector combined(const Vector& a, double t, const Vector& b)
{
  Vector c = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    c[i] += t * b[i];
  return c;
}

//! A body with its energy; positions and displacements are of order one
template<int dim>
struct Problem
{
  SolidMesh<dim> mesh;
  SolidElements<dim> elements;
  std::mt19937 random{7};

  Problem(const SolidMesh<dim>& m, const AnyMaterial<dim>& material, CubeElement cubes)
    : mesh(m)
    , elements(m, material, cubes)
  {}

  Vector zero() const { return Vector(mesh.nodes.size() * dim, 0.0); }

  Vector randomVector(double amplitude)
  {
    std::uniform_real_distribution<double> uniform(-amplitude, amplitude);
    Vector u = zero();
    for (double& x : u)
      x = uniform(random);
    return u;
  }

  //! u = A X + b
  Vector affine(const Tensor<dim>& A, const FieldVector<double, dim>& b) const
  {
    Vector u;
    for (const auto& X : mesh.nodes) {
      const auto x = product(A, X) + b;
      u.insert(u.end(), x.begin(), x.end());
    }
    return u;
  }

  Vector force(const Vector& u) const
  {
    Vector f = zero();
    elements.addForce(u, 1, f);
    return f;
  }

  Vector averagedForce(const Vector& u0, const Vector& u1) const
  {
    Vector f = zero();
    elements.addAveragedForce(u0, u1, 1, f);
    return f;
  }

  //! Sum of the forces, and of their moments about the origin in the configuration u, as largest
  //! absolute values
  std::pair<double, double> resultants(const Vector& u, const Vector& f) const
  {
    FieldVector<double, dim> force(0.0);
    Tensor<dim> moment(0.0);
    for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
      for (int i = 0; i < dim; ++i) {
        force[i] += f[a * dim + i];
        for (int j = 0; j < dim; ++j)
          moment[i][j] += (mesh.nodes[a][i] + u[a * dim + i]) * f[a * dim + j];
      }
    return {force.infinity_norm(), (moment - transposed(moment)).infinity_norm()};
  }
};

template<int dim>
TestSuite testDerivatives(Problem<dim>& p)
{
  TestSuite test("derivatives");
  const Vector u = p.randomVector(0.03), v = p.randomVector(1), w = p.randomVector(1);
  const double h = 1e-6;
  const double dW =
    (p.elements.energy(combined(u, h, v)) - p.elements.energy(combined(u, -h, v))) / (2 * h);
  const Vector f = p.force(u);
  test.check(std::abs(dW - dot(f, v)) <= 1e-7 * size(f) * size(v), "force")
    << dW << " " << dot(f, v);

  AssemblyMatrix<Tensor<dim>> K(p.elements.pattern());
  p.elements.addTangent(u, 1, K);
  Vector Kv = p.zero(), Kw = p.zero();
  K.addProduct(1, v, dim, Kv);
  K.addProduct(1, w, dim, Kw);
  Vector df = combined(p.force(combined(u, h, v)), -1, p.force(combined(u, -h, v)));
  for (double& x : df)
    x /= 2 * h;
  test.check(size(combined(df, -1, Kv)) <= 1e-7 * size(Kv), "tangent")
    << size(combined(df, -1, Kv)) / size(Kv);
  test.check(std::abs(dot(w, Kv) - dot(v, Kw)) <= 1e-13 * size(w) * size(Kv), "symmetric tangent");
  return test;
}

//! Averaged force: exact work, no resultants about the mean, tangent in the limit
template<int dim>
TestSuite testAveraged(Problem<dim>& p, bool frameIndifferent)
{
  TestSuite test("averaged force");
  for (double distance : {1e-9, 1e-4, 0.02}) {
    const Vector u0 = p.randomVector(0.02), u1 = combined(u0, 1, p.randomVector(distance));
    const Vector D = combined(u1, -1, u0), f = p.averagedForce(u0, u1);
    const double dW = p.elements.energy(u1) - p.elements.energy(u0);
    test.check(std::abs(dot(f, D) - dW) <= 1e-15 * p.mesh.cells() + 1e-13 * std::abs(dW), "work")
      << dot(f, D) << " " << dW;
    Vector mean = combined(u0, 0.5, D);
    const auto [force, moment] = p.resultants(mean, f);
    test.check(force <= 1e-13 * size(f), "no force") << force;
    if (frameIndifferent)
      test.check(moment <= 1e-13 * size(f), "no moment about the mean") << moment;
  }
  const Vector u = p.randomVector(0.02), v = p.randomVector(1);
  AssemblyMatrix<Tensor<dim>> K(p.elements.pattern());
  p.elements.addAveragedTangent(u, u, 2, K);
  p.elements.addTangent(u, -1, K);
  Vector defect = p.zero(), full = p.zero();
  K.addProduct(1, v, dim, defect);
  K.clear();
  p.elements.addTangent(u, 1, K);
  K.addProduct(1, v, dim, full);
  test.check(size(defect) <= 1e-13 * size(full), "half the tangent at equal states")
    << size(defect) / size(full);
  Vector f = p.zero();
  p.elements.addMidpointForce(u, combined(u, 1e-3, v), 1, f);
  test.check(size(combined(f, -1, p.force(combined(u, 5e-4, v)))) <= 1e-12 * size(f),
             "midpoint force");
  return test;
}

//! A rotation and translation changes neither energy nor resultants
template<int dim>
TestSuite testRigidMotion(Problem<dim>& p)
{
  TestSuite test("rigid motion");
  Tensor<dim> R = scaledIdentity<dim>(1);
  R[0][0] = R[1][1] = std::cos(0.7);
  R[0][1] = -(R[1][0] = std::sin(0.7));
  FieldVector<double, dim> b(0.3);
  const Vector rigid = p.affine(R - scaledIdentity<dim>(1), b);
  test.check(std::abs(p.elements.energy(rigid)) <= 1e-26, "no energy") << p.elements.energy(rigid);
  test.check(size(p.force(rigid)) <= 1e-12, "no force") << size(p.force(rigid));

  const Vector u = p.randomVector(0.03);
  Vector Ru = rigid;
  for (std::size_t a = 0; a < p.mesh.nodes.size(); ++a)
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        Ru[a * dim + i] += R[i][j] * u[a * dim + j];
  const double W = p.elements.energy(u);
  test.check(std::abs(p.elements.energy(Ru) - W) <= 1e-13 * W, "energy of the rotated body");
  const Vector f = p.force(Ru);
  const auto [force, moment] = p.resultants(Ru, f);
  test.check(force <= 1e-13 * size(f), "no resultant force") << force;
  test.check(moment <= 1e-12 * size(f), "no resultant moment") << moment;
  return test;
}

//! A linear displacement: the same stress in all cells, energy of the volume, no force inside
template<int dim>
TestSuite testPatch(Problem<dim>& p)
{
  TestSuite test("patch test");
  Tensor<dim> A(0.02);
  A[0][0] = 0.05;
  A[0][1] = -0.03;
  const Vector u = p.affine(A, FieldVector<double, dim>(0.1));
  std::vector<bool> boundary(p.mesh.nodes.size(), false);
  for (const auto& facet : p.mesh.facets)
    for (Index node : facet.nodes())
      boundary[node] = true;
  const Vector f = p.force(u);
  for (std::size_t a = 0; a < boundary.size(); ++a)
    for (int i = 0; i < dim; ++i)
      test.check(boundary[a] || std::abs(f[a * dim + i]) <= 1e-13, "no force inside")
        << f[a * dim + i];
  const auto stress = p.elements.stress(u);
  test.require(stress.size() == p.mesh.cells(), "stress per cell");
  for (const auto& s : stress)
    test.check((s - stress[0]).infinity_norm() <= 1e-13, "constant stress") << s;
  const double density =
    std::visit([&](const auto& material) { return material.energy(A); }, p.elements.material());
  const double W = density * meshVolume(p.mesh);
  test.check(std::abs(p.elements.energy(u) - W) <= 1e-13 * W, "energy")
    << p.elements.energy(u) << " " << W;
  return test;
}

/* The midpoint rule leaves W(z) - W(x) - W'(m) D = (1/8) int E1 : C : E2 with D = z - x,
 * E1 = sym(F_m^T grad D), E2 = grad D^T grad D. The polynomial t -> W(m + t D) of degree four has
 * the cubic coefficient c = (1/2) int E1 : C : E2, which four energies give as
 * c = (W(1) - W(-1) - 2 (W(1/2) - W(-1/2)))/1.5; the defect is c/4. */
template<int dim>
TestSuite testMidpointDefect(Problem<dim>& p)
{
  TestSuite test("defect of the midpoint rule");
  const Vector m = p.randomVector(0.03), D = p.randomVector(0.03);
  const auto W = [&](double t) { return p.elements.energy(combined(m, t, D)); };
  Vector f = p.zero();
  p.elements.addMidpointForce(combined(m, -0.5, D), combined(m, 0.5, D), 1, f);
  const double defect = W(0.5) - W(-0.5) - dot(f, D);
  const double cubic = ((W(1) - W(-1)) - 2 * (W(0.5) - W(-0.5))) / 1.5;
  test.check(std::abs(defect - 0.25 * cubic) <= 1e-13 * W(0), "defect")
    << defect << " " << 0.25 * cubic;
  test.check(std::abs(defect) > 1e-8 * W(0), "is not zero") << defect;
  return test;
}

//! E1 : C : E2 integrated directly on one cell with constant gradients
template<int dim>
TestSuite testMidpointDefectDirectly(Problem<dim>& p)
{
  TestSuite test("defect of the midpoint rule, directly");
  const auto* material = std::get_if<StVenantKirchhoff<dim>>(&p.elements.material());
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  Tensor<dim> Hm, G;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      Hm[i][j] = uniform(p.random);
      G[i][j] = uniform(p.random);
    }
  const FieldVector<double, dim> zero(0.0);
  const Vector m = p.affine(Hm, zero), D = p.affine(G, zero), x = combined(m, -0.5, D),
               z = combined(m, 0.5, D);
  Vector f = p.zero();
  p.elements.addMidpointForce(x, z, 1, f);
  const double defect = p.elements.energy(z) - p.elements.energy(x) - dot(f, D);
  const Tensor<dim> E1 = symmetricPart(product(transposed(identityPlus(Hm)), G)),
                    E2 = product(transposed(G), G);
  const double exact = 0.125 * meshVolume(p.mesh) * contract(E1, hooke(material->lame, E2));
  test.check(std::abs(defect - exact) <= 1e-14 * meshVolume(p.mesh), "defect")
    << defect << " " << exact;
  return test;
}

template<int dim>
TestSuite testInverted(Problem<dim>& p)
{
  TestSuite test("inverted cells");
  Vector u = p.zero();
  test.check(!p.elements.invertedCell(u), "none at rest");
  const std::size_t cell = p.mesh.cells() - 1;
  const Index node = p.mesh.cell(cell)[0];
  for (int i = 0; i < dim; ++i)
    u[node * dim + i] = 3 * (p.mesh.nodes[p.mesh.cell(cell).back()][i] - p.mesh.nodes[node][i]);
  test.check(p.elements.invertedCell(u).has_value(), "found");
  const bool barrier = std::visit([](const auto& material) { return material.needsPositiveVolume; },
                                  p.elements.material());
  test.check(std::isinf(p.elements.energy(u)) == barrier, "energy");
  return test;
}

//! exact: the rule of the cells integrates the gradients of their functions exactly, as it does
//! not on curved tetrahedra
template<int dim>
TestSuite testMesh(const SolidMesh<dim>& mesh, const std::string& name,
                   CubeElement cubes = CubeElement::q1, bool exact = true)
{
  TestSuite test(name);
  const Lame lame = Lame::fromYoung(1, 0.3);
  const std::vector<AnyMaterial<dim>> materials = {StVenantKirchhoff<dim>{lame},
                                                   NeoHooke<dim>{lame}, LinearElastic<dim>{lame}};
  for (const auto& material : materials) {
    const bool frameIndifferent =
      std::visit([](const auto& m) { return m.frameIndifferent; }, material);
    Problem<dim> p(mesh, material, cubes);
    TestSuite sub("material " + std::to_string(material.index()));
    sub.subTest(testDerivatives(p));
    sub.subTest(testAveraged(p, frameIndifferent));
    if (exact)
      sub.subTest(testPatch(p));
    sub.subTest(testInverted(p));
    if (frameIndifferent)
      sub.subTest(testRigidMotion(p));
    if (material.index() == 0) {
      sub.subTest(testMidpointDefect(p));
      if (exact)
        sub.subTest(testMidpointDefectDirectly(p));
    }
    test.subTest(sub);
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (CellShape shape : {CellShape::simplex, CellShape::cube}) {
    const std::string name = shape == CellShape::cube ? " of cubes" : " of simplices";
    test.subTest(testMesh(makeBall<2>(1, 3, shape).mesh, "disc" + name));
    test.subTest(testMesh(makeBall<3>(1, 2, shape).mesh, "ball" + name));
  }
  test.subTest(
    testMesh(makeBall<2>(1, 3, CellShape::cube).mesh, "disc with one point", CubeElement::q1r));
  test.subTest(
    testMesh(makeBall<3>(1, 2, CellShape::cube).mesh, "ball with one point", CubeElement::q1r));
  test.subTest(testMesh(refineMesh(makeBall<2>(1, 2), 0, "disc", 2), "disc of second order"));
  test.subTest(testMesh(refineMesh(makeBall<3>(1, 1), 0, "ball", 2), "ball of second order",
                        CubeElement::q1, false));
  auto box = refineMesh(makeBox<3>({0, 0, 0}, {1, 1.2, 0.9}, {2, 2, 1}), 0, "box", 2);
  for (auto& x : box.nodes)
    x[0] += 0.3 * x[1] - 0.2 * x[2];
  test.subTest(testMesh(box, "block of second order"));
  return test.exit();
}
