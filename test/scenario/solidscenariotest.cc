// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <fstream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/body/surfaceload.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/probe.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/scenariofile.hh>

using namespace Dune;
using namespace Dune::Impact;

const Registry registry = makeRegistry();
const KeyTable table = registry.table();

const std::string square = R"(dimension = 2
gravity = 0 -9.81
[time]
method = cd-lagrange
[body.block]
type = solid
shape = box
lower = 0 0
upper = 2 1
cells = 4 2
young = 1e6
poisson = 0.3
density = 1200
)";

//! The bodies, loads and motions of a scenario; all that is given must be used
std::unique_ptr<Scene> build(const std::string& text,
                             const std::vector<std::string>& overrides = {})
{
  auto ini = IniFile::parse(text, "F.ini");
  for (const auto& assignment : overrides)
    ini.set(assignment);
  const ScenarioFile file(ini, table);
  auto scene = std::make_unique<Scene>();
  scene->dimension = file.dimension();
  scene->gravity = file.top().vector("gravity");
  for (const auto& name : file.names("body")) {
    const Section section = file.section("body." + name);
    registry.body(section.type()).build(section, *scene);
  }
  for (const SectionType& type : registry.sections())
    for (const auto& name : file.names(type.name))
      type.build(file.section(type.name + "." + name), *scene);
  for (const auto& name : file.names("probe"))
    Probe probe(file.section("probe." + name), *scene);
  file.section("time").word("method");
  file.finish();
  return scene;
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {})
{
  try {
    build(text, overrides);
  }
  catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

template<int dim>
const Solid<dim>& solid(const Scene& scene)
{
  return dynamic_cast<const Solid<dim>&>(scene.system.body(0));
}

TestSuite testShapes()
{
  TestSuite test("shapes");
  const auto box =
    build(square, {"body.block.refine=1", "body.block.position=1 2",
                   "body.block.rotation=1.5707963267948966", "body.block.velocity=3 0"});
  const auto& block = solid<2>(*box);
  test.check(block.mesh().nodes.size() == 9 * 5 && block.mesh().prolongations.size() == 1,
             "refined")
    << block.mesh().nodes.size();
  test.check(std::abs(block.mass() - 2400) < 1e-9 && !block.lumped(), "mass") << block.mass();
  const State state = box->system.initialState();
  const Vec3 centre = block.centreOfMass(state.q);
  test.check(std::abs(centre[0] - 0.5) < 1e-14 && std::abs(centre[1] - 3) < 1e-14,
             "turned, then shifted")
    << centre;
  test.check(std::abs(block.momenta(state.q, state.p).linear[0] - 7200) < 1e-9, "velocity");

  const std::string ball =
    "dimension = 3\n[time]\nmethod = cd-lagrange\n[body.ball]\ntype = solid\nyoung = 1\npoisson = "
    "0\ndensity = 1\nmass = lumped\nmaterial = neo-hooke\n";
  test.check(solid<3>(*build(ball + "shape = ball\nradius = 1\ncells = 2\ncell = cube\n"))
                 .patch("surface")
                 .size() > 8,
             "ball of cubes");
  test.check(solid<3>(*build(ball + "shape = shell\ninner = 1\nouter = 1.5\ncells = 1\n")).lumped(),
             "shell");
  const auto read = build(ball + "mesh = " TEST_DATA "/ball_coarse.msh\ndeformation = 1 0.1 0 1\n",
                          {"dimension=2"});
  test.check(solid<2>(*read).storedEnergy(read->system.initialState().q) > 0,
             "deformed mesh of a file");
  return test;
}

TestSuite testSections()
{
  TestSuite test("loads, motions, probes");
  const auto scene =
    build(square + "clamped = xmin\nrollers = ymin:y\n[load.a]\nbody = block\nat = ymax\nforce = "
                   "3 -2*t\n[load.b]\nbody = block\nat = xmax\npressure = 10*t\nfollower = yes\n"
                   "[load.c]\nbody = block\nat = 1.9 0.9\nforce = 0 1\n[motion.m]\nbody = "
                   "block.xmax\ndisplacement = 0.1*t free\n[probe.p]\nbody = block\nat = "
                   "3\n[probe.c]\nbody = block\n[probe.x]\nbody = block\nat = 1 0.6\n");
  const auto& block = solid<2>(*scene);
  const auto& interactions = scene->system.interactions();
  test.require(interactions.size() == 3, "three loads");
  const auto* following = dynamic_cast<const SurfaceLoad<2>*>(interactions[1].get());
  test.check(following && following->follower(), "pressure that follows");
  const State state = scene->system.initialState();
  std::vector<Vec3> sums;
  for (const auto& load : interactions) {
    SparseVector force;
    load->addForce(2, state.q, force);
    sums.emplace_back(0);
    for (const auto& entry : force)
      sums.back()[entry.dof % 2] += entry.value;
  }
  test.check((sums[0] - Vec3{3, -4, 0}).two_norm() < 1e-13 &&
               (sums[1] - Vec3{-20, 0, 0}).two_norm() < 1e-12 && sums[2] == Vec3{0, 1, 0},
             "total forces");
  test.check(scene->system.motions().size() == block.patch("xmax").size(),
             "all nodes of the patch are moved");
  test.check(block.held(block.patch("xmin")[0], 0) && !block.held(block.patch("ymin").back(), 0),
             "supports");
  return test;
}

const std::string plate = "dimension = 2\n[time]\nmethod = cd-lagrange\n[body.plate]\ntype = "
                          "solid\nyoung = 1\npoisson = 0\ndensity = 1\nmesh = plate.msh\n";

//! What is said of a mesh file, with named patches and further sections of the scenario
std::string meshRefusal(const std::string& nodes, const std::string& cells,
                        const std::string& format = "2.2 0 8", const std::string& names = "",
                        const std::string& sections = "")
{
  std::ofstream("plate.msh") << "$MeshFormat\n"
                             << format << "\n$EndMeshFormat\n"
                             << names << "$Nodes\n"
                             << nodes << "$EndNodes\n$Elements\n"
                             << cells << "$EndElements\n";
  return refusal(plate + sections);
}

TestSuite testRefusals()
{
  TestSuite test("refusals");
  const auto check = [&](const std::string& found, const std::string& expected) {
    test.check(found == expected, expected) << "found: " << found;
  };
  const auto with = [&](const std::string& assignment) {
    return refusal(square, {"body.block." + assignment});
  };
  const std::string corners = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n";
  check(
    meshRefusal("4\n" + corners, "2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 4 3\n"),
    "F.ini: body.plate.mesh: plate.msh: cell 2 is inverted: its corners run the wrong way round");
  check(
    meshRefusal("4\n" + corners, "2\n1 2 2 1 1 1 2 3\n2 2 2 6 1 1 3 4\n"),
    "F.ini: body.plate.mesh: plate.msh: the cells belong to 2 physical groups (1, 6), a body has "
    "one material and needs one group; save each as a mesh of its own");
  check(meshRefusal("", "", "4.1 0 8"), "F.ini: body.plate.mesh: plate.msh: Gmsh format 4.1 cannot "
                                        "be read, save it as format 2.2 (gmsh -format msh22)");
  check(meshRefusal("4\n" + corners, "2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 3 4\n"), "no error");
  check(refusal(plate, {"body.plate.clamped=left"}),
        "F.ini: body.plate.clamped: there is no patch left, the mesh has none");

  const std::string sides = "xmin, xmax, ymin, ymax";
  check(with("clamped=lid"),
        "F.ini: body.block.clamped: there is no patch lid, the mesh has " + sides);
  check(with("rollers=lid:x"),
        "F.ini: body.block.rollers: there is no patch lid, the mesh has " + sides);
  check(with("rollers=xmin"),
        "F.ini: body.block.rollers: must be patch:components, as in xmin:x, got xmin");
  check(with("rollers=xmin:z"), "F.ini: body.block.rollers: components are x and y, got xmin:z");
  check(with("density=0"), "F.ini: body.block.density: must be positive, got 0");
  check(with("poisson=0.5"), "F.ini: body.block.poisson: must be above -1 and below 0.5, got 0.5");
  check(with("poisson=-1"), "F.ini: body.block.poisson: must be above -1 and below 0.5, got -1");
  check(with("shape=cone"),
        "F.ini: body.block.shape: must be one of `box`, `ball`, `shell`, got `cone`");
  check(with("mesh=plate.msh"), "F.ini: body.block.shape: has no meaning together with `mesh`");
  check(with("cells=4"), "F.ini: body.block.cells: needs 2 numbers for this shape, got 1");
  check(with("cells=4 0.5"), "F.ini: body.block.cells: must be whole numbers > 0, got 0.5");
  check(with("cells=1e6 1e6"), "F.ini: body.block.cells: must be at most 100000000 in all");
  check(with("upper=0 1"),
        "F.ini: body.block.upper: must be larger than `lower` in every component, got 0 and 0");
  check(with("refine=-1"), "F.ini: body.block.refine: must not be negative, got -1");
  check(with("refine=40"), "F.ini: body.block.refine: 40 levels make more than 100000000 cells");
  check(with("deformation=1 0 0 -1"),
        "F.ini: body.block.deformation: must have a positive determinant, got -1");
  check(refusal("dimension = 1\n[time]\nmethod = cd-lagrange\n[body.b]\ntype = solid\nyoung = 1\n"),
        "F.ini: body.b.type: a solid needs dimension 2 or 3, in dimension 1 use a bar");
  check(refusal("dimension = 2\n[time]\nmethod = cd-lagrange\n[body.b]\ntype = solid\nyoung = 1\n"),
        "F.ini: body.b.mesh: is missing, a solid needs `mesh` or `shape`");

  const std::string load = square + "[load.l]\nbody = block\n";
  check(refusal(load + "at = lid\nforce = 0 1\n"),
        "F.ini: load.l.at: block has no patch lid, it has " + sides);
  check(refusal(load + "at = 1 1\npressure = 1\n"),
        "F.ini: load.l.at: must be a patch of block, which has " + sides);
  check(refusal(load + "at = ymax\nforce = 0 1\npressure = 1\n"),
        "F.ini: load.l.pressure: has no meaning together with `force`, use two loads");
  check(refusal(load + "at = ymax\nforce = 0 1\nfollower = yes\n"),
        "F.ini: load.l.follower: only a pressure can follow the surface");
  check(refusal(square + "[motion.m]\nbody = block.lid\ndisplacement = t t\n"),
        "F.ini: motion.m.body: block has no place lid, it has " + sides + ", a node from 0 to 14");
  check(refusal(square + "clamped = xmin\n[motion.m]\nbody = block.xmin\ndisplacement = t t\n"),
        "F.ini: motion.m.body: block.xmin is clamped or on rollers, so that it cannot be moved");
  check(refusal(square +
                "deformation = 2 0 0 1\n[motion.m]\nbody = block.xmin\ndisplacement = t free\n"),
        "F.ini: motion.m.body: block starts deformed, so that its parts cannot be moved");
  check(refusal(square + "[probe.p]\nbody = block\nat = xmin\n"),
        "F.ini: probe.p.at: must be one of `centre-of-mass`, `left`, `right`, `tip`, got `xmin`");
  check(meshRefusal("4\n" + corners, "3\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 3 4\n3 1 2 2 2 4 1\n",
                    "2.2 0 8", "$PhysicalNames\n1\n1 2 \"left\"\n$EndPhysicalNames\n",
                    "[probe.p]\nbody = plate\nat = left\n"),
        "F.ini: probe.p.at: must be one point of plate, the patch left has 2");
  check(refusal(square + "[probe.p]\nbody = block\nat = 99\n"),
        "F.ini: probe.p.at: block has no place 99, it has " + sides + ", a node from 0 to 14");
  return test;
}

//! Sides of boxes by the names that they have elsewhere: refused, with the right one
TestSuite testOldSides()
{
  TestSuite test("sides of a box");
  const auto check = [&](const std::string& message, const std::string& expected) {
    test.check(message == expected, expected) << message;
  };
  const std::string sides = "xmin, xmax, ymin, ymax", nodes = ", a node from 0 to 14";
  check(refusal(square + "clamped = bottom\n"),
        "F.ini: body.block.clamped: there is no patch bottom, a box has ymin instead; the mesh "
        "has " +
          sides);
  check(refusal(square + "rollers = left:x\n"),
        "F.ini: body.block.rollers: there is no patch left, a box has xmin instead; the mesh has " +
          sides);
  check(refusal(square + "[load.l]\nbody = block\nat = top\nforce = 0 1\n"),
        "F.ini: load.l.at: block has no patch top, a box has ymax instead; it has " + sides);
  check(refusal(square + "[motion.m]\nbody = block.right\ndisplacement = t t\n"),
        "F.ini: motion.m.body: block has no place right, a box has xmax instead; it has " + sides +
          nodes);
  check(refusal(square + "[probe.p]\nbody = block\nat = right\n"),
        "F.ini: probe.p.at: block has no place right, a box has xmax instead; it has " + sides +
          nodes);
  const std::string floor = square + "[body.floor]\ntype = plane\nnormal = 0 1\n[contact.c]\n";
  check(refusal(floor + "first = block.bottom\nsecond = floor\n"),
        "F.ini: contact.c.first: block has no patch bottom, a box has ymin instead; it has " +
          sides + nodes);
  // in the plane there is nothing in front
  check(refusal(square + "clamped = front\n"),
        "F.ini: body.block.clamped: there is no patch front, the mesh has " + sides);
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testShapes());
  test.subTest(testSections());
  test.subTest(testRefusals());
  test.subTest(testOldSides());
  return test.exit();
}
