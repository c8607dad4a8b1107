// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/elements.hh>
#include <dune/impact/body/solidloads.hh>

/* Energies and forces of single distorted cells, compared with those of an independent
 * implementation. Displacements are u = a (xy + yy, xx - xy/2) and a (xy + zz, xx - yz/2, yy + xz)
 * with a = 0.05 and 0.08 in the
 * plane, 0.04 and 0.06 in space. The averaged force of the neo-Hooke material is the discrete
 * gradient of Gonzalez of the whole energy here and of two parts of it there: only its work is the
 * same. */

using namespace Dune;
using namespace Dune::Impact;

using Vector = std::vector<double>;

//! Numbers of one cell and material: W(u0), W(u1), force in u0 and averaged force on the last node
template<int dim>
struct Expected
{
  std::string name;
  CubeElement element;
  AnyMaterial<dim> material;
  double energy0, energy1;
  FieldVector<double, dim> force, averaged;
  double work;
};

Vector field(const FieldVector<double, 2>& x, double a)
{
  return {a * (x[0] * x[1] + x[1] * x[1]), a * (x[0] * x[0] - x[0] * x[1] / 2)};
}

Vector field(const FieldVector<double, 3>& x, double a)
{
  return {a * (x[0] * x[1] + x[2] * x[2]), a * (x[0] * x[0] - x[1] * x[2] / 2),
          a * (x[1] * x[1] + x[0] * x[2])};
}

template<int dim>
TestSuite testCell(const SolidMesh<dim>& mesh, const Expected<dim>& expected)
{
  TestSuite test(expected.name);
  const SolidElements<dim> elements(mesh, expected.material, expected.element);
  Vector u0, u1;
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < dim; ++i) {
      u0.push_back(field(x, dim == 2 ? 0.05 : 0.04)[i]);
      u1.push_back(field(x, dim == 2 ? 0.08 : 0.06)[i]);
    }
  Vector force(u0.size(), 0), averaged(u0.size(), 0);
  elements.addForce(u0, 1, force);
  elements.addAveragedForce(u0, u1, 1, averaged);
  const auto compare = [&](double value, double reference, const std::string& what) {
    test.check(std::abs(value - reference) <= 1e-11 * std::abs(reference), what)
      << value << " instead of " << reference;
  };
  compare(elements.energy(u0), expected.energy0, "energy of the first displacement");
  compare(elements.energy(u1), expected.energy1, "energy of the second displacement");
  double work = 0;
  for (std::size_t i = 0; i < u0.size(); ++i)
    work += averaged[i] * (u1[i] - u0[i]);
  compare(work, expected.work, "work of the averaged force");
  for (int i = 0; i < dim; ++i) {
    compare(force[force.size() - dim + i], expected.force[i], "force on the last node");
    if (!std::holds_alternative<NeoHooke<dim>>(expected.material))
      compare(averaged[force.size() - dim + i], expected.averaged[i],
              "averaged force on the last node");
  }
  return test;
}

TestSuite testSquare()
{
  TestSuite test("square");
  SolidMesh<2> mesh;
  mesh.nodes = {{0, 0}, {2, 0.2}, {0.3, 1.5}, {2.4, 1.9}};
  mesh.cubes = {{0, 1, 2, 3}};
  const Lame lame = Lame::fromYoung(1, 0.3);
  for (const Expected<2>& expected : std::vector<Expected<2>>{
         {"q1 stvk",
          CubeElement::q1,
          StVenantKirchhoff<2>{lame},
          0.04754116871059138,
          0.12752978253754715,
          {0.17321624965814786, 0.08267234282304542},
          {0.24186276980063123, 0.12412671303866818},
          0.07998861382695578},
         {"q1 nh",
          CubeElement::q1,
          NeoHooke<2>{lame},
          0.0442634108608518,
          0.11359529986643267,
          {0.13105358741594622, 0.028654457802461765},
          {0.16755974206340948, 0.031065202511848796},
          0.06933188900558088},
         {"q1r stvk",
          CubeElement::q1r,
          StVenantKirchhoff<2>{lame},
          0.046122409880457564,
          0.12412473386032029,
          {0.16093360179915694, 0.09165090925042108},
          {0.2259276489852976, 0.13397245662852156},
          0.07800232397986276},
         {"q1r nh",
          CubeElement::q1r,
          NeoHooke<2>{lame},
          0.042839518559068555,
          0.11034606865911623,
          {0.12220553557994632, 0.05088794826479241},
          {0.1582008154252491, 0.0637918184659423},
          0.06750655010004772},
       })
    test.subTest(testCell(mesh, expected));
  return test;
}

TestSuite testCube()
{
  TestSuite test("cube");
  SolidMesh<3> mesh;
  mesh.nodes = {{0, 0, 0},        {2, 0.2, -0.1}, {0.3, 1.5, 0.1}, {2.3, 1.7, 0},
                {0.1, -0.2, 1.2}, {2.1, 0, 1.1},  {0.4, 1.3, 1.3}, {2.5, 1.7, 1.5}};
  mesh.cubes = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const Lame lame = Lame::fromYoung(1, 0.3);
  for (const Expected<3>& expected : std::vector<Expected<3>>{
         {"q1 stvk",
          CubeElement::q1,
          StVenantKirchhoff<3>{lame},
          0.046955249598691094,
          0.11254460464754584,
          {0.11575935733127671, 0.07624122692215886, 0.14315266964487788},
          {0.15325114237179494, 0.10117019648703265, 0.18945269062467282},
          0.06558935504885471},
         {"q1 nh",
          CubeElement::q1,
          NeoHooke<3>{lame},
          0.03897881171532375,
          0.08542629619153684,
          {0.08251973732932771, 0.05040366187227102, 0.1034079493002668},
          {0.10059321226078749, 0.06044386824159376, 0.12616007881266714},
          0.04644748447621309},
         {"q1r stvk",
          CubeElement::q1r,
          StVenantKirchhoff<3>{lame},
          0.04562247973312346,
          0.10904996715326645,
          {0.11416398321943869, 0.07817830829816981, 0.13413752440615406},
          {0.15047501524423562, 0.10332416516536919, 0.17685701199683942},
          0.06342748742014298},
         {"q1r nh",
          CubeElement::q1r,
          NeoHooke<3>{lame},
          0.03898670864992097,
          0.08649819208849997,
          {0.08809113444840211, 0.05827334980484107, 0.10582850925516389},
          {0.10921359553761126, 0.07194661270231964, 0.13178851777078066},
          0.04751148343857893},
       })
    test.subTest(testCell(mesh, expected));
  return test;
}

//! Diagonal entry and trace of the tangent of small strains, masses of the nodes
template<int dim>
TestSuite testQuadraticCell(const SolidMesh<dim>& mesh, double first, double second, double trace,
                            double corner, double edge)
{
  TestSuite test("tangent and masses");
  const SolidElements<dim> elements(mesh, LinearElastic<dim>{Lame::fromYoung(1, 0.3)});
  typename SolidElements<dim>::Matrix K(elements.pattern());
  elements.addTangent(Vector(mesh.nodes.size() * dim, 0), 1, K);
  double sum = 0;
  for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
    for (int i = 0; i < dim; ++i)
      sum += K.block[elements.pattern()->find(a, Index(a))][i][i];
  const auto compare = [&](double value, double reference, const std::string& what) {
    test.check(std::abs(value - reference) <= 1e-11 * std::abs(reference), what)
      << value << " instead of " << reference;
  };
  compare(K.block[elements.pattern()->find(0, 0)][0][0], first, "first entry");
  compare(K.block[elements.pattern()->find(0, 0)][0][1], second, "second entry");
  compare(sum, trace, "trace");
  const auto mass = diagonalMass(mesh, 1);
  for (int j = 0; j <= dim; ++j)
    for (int i = 0; i <= j; ++i)
      test.check(std::abs(mass[latticeIndex(i, j)] - (i == j ? corner : edge)) <= 1e-13 * edge,
                 "mass of a node")
        << mass[latticeIndex(i, j)];
  return test;
}

TestSuite testTriangle()
{
  TestSuite test("triangle of second order");
  SolidMesh<2> mesh;
  mesh.nodes = {{0, 0}, {1, 0.1}, {2, 0.2}, {0.15, 0.75}, {1.15, 0.85}, {0.3, 1.5}};
  mesh.simplices = {{0, 2, 5}};
  mesh.quadratic = {{0, 1, 2, 3, 4, 5}};
  const Lame lame = Lame::fromYoung(1, 0.3);
  for (const Expected<2>& expected : std::vector<Expected<2>>{
         {"stvk",
          CubeElement::q1,
          StVenantKirchhoff<2>{lame},
          0.009502149911635517,
          0.024830573896792007,
          {0.021278621212458423, 0.01335990799538516},
          {0.029930601921526266, 0.01952577982568032},
          0.015328423985156485},
         {"nh",
          CubeElement::q1,
          NeoHooke<2>{lame},
          0.009388974613469499,
          0.024322943612747106,
          {0.016228202465763095, 0.009058089594209617},
          {0.020717791379835808, 0.012084352129339452},
          0.014933968999277597},
       })
    test.subTest(testCell(mesh, expected));
  test.subTest(testQuadraticCell(mesh, 0.5759419152276295, 0.3613945578231292, 16.13029827315541,
                                 0.07736842105263163, 0.4126315789473679));
  return test;
}

TestSuite testTetrahedron()
{
  TestSuite test("tetrahedron of second order");
  SolidMesh<3> mesh;
  mesh.nodes = {{0, 0, 0},         {1, 0.1, -0.05}, {2, 0.2, -0.1},    {0.15, 0.75, 0.05},
                {1.15, 0.85, 0},   {0.3, 1.5, 0.1}, {0.05, -0.1, 0.6}, {1.05, 0, 0.55},
                {0.2, 0.65, 0.65}, {0.1, -0.2, 1.2}};
  mesh.simplices = {{0, 2, 5, 9}};
  mesh.quadratic = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const Lame lame = Lame::fromYoung(1, 0.3);
  for (const Expected<3>& expected : std::vector<Expected<3>>{
         {"stvk",
          CubeElement::q1,
          StVenantKirchhoff<3>{lame},
          0.001807931580389444,
          0.004198905803849309,
          {0.004018007576095834, -0.00088622943323973, -0.004790129792125712},
          {0.005055407245330147, -0.001053499630068646, -0.006046150630743874},
          0.002390974223459862},
         {"nh",
          CubeElement::q1,
          NeoHooke<3>{lame},
          0.0016578636841050457,
          0.0036874529379748626,
          {0.004015254788324018, -0.000870801921535216, -0.004569412071792338},
          {0.005038197529663063, -0.00103222681964033, -0.005690083438338761},
          0.002029589253869816},
       })
    test.subTest(testCell(mesh, expected));
  test.subTest(testQuadraticCell(mesh, 0.25958646616541353, 0.08673125120493538, 15.645104213525265,
                                 0.016625, 0.08866666666666666));
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testSquare());
  test.subTest(testCube());
  test.subTest(testTriangle());
  test.subTest(testTetrahedron());
  return test.exit();
}
