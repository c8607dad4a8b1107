// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/test/checkstepper.hh>

#include "solidscene.hh"

/* The promises of a stepper and the energy balance of every step, for all rules. The parts of the
 * balance are computed here from states and gaps, and compared with the ledger. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  constexpr auto allRules = {RuleName::midpoint, RuleName::modified, RuleName::dissipative,
                             RuleName::quasiStatic};

  enum class Shape { plane, sphere, cavity, cylinder };

  const char* shapeName(Shape shape)
  {
    switch (shape) {
    case Shape::plane:
      return "plane";
    case Shape::sphere:
      return "sphere";
    case Shape::cavity:
      return "cavity";
    case Shape::cylinder:
      return "cylinder";
    }
    return "";
  }

  //! An obstacle 0.3 below a ball of radius 10, which moves up and down
  template<int dim>
  std::shared_ptr<Obstacle> makeObstacle(Shape shape, bool moves)
  {
    std::shared_ptr<Obstacle> obstacle;
    Vec3 axis(0);
    axis[dim == 2 ? 2 : 0] = 1;
    switch (shape) {
    case Shape::plane:
      obstacle = std::make_shared<Plane>("plane", last<dim>(-10.3), last<dim>(1));
      break;
    case Shape::sphere:
      obstacle = std::make_shared<Sphere>("sphere", last<dim>(-18.3), 8);
      break;
    case Shape::cavity:
      obstacle = std::make_shared<Cavity>("cavity", last<dim>(2), 12.3);
      break;
    case Shape::cylinder:
      obstacle = std::make_shared<Cylinder>("cylinder", last<dim>(-18.3), axis, 8);
      break;
    }
    std::array<Expression, 3> motion;
    motion[dim - 1] = Expression("0.3*sin(t)");
    if (moves)
      obstacle->setMotion(motion);
    return obstacle;
  }

  //! A ball with gravity and spin thrown on an obstacle
  template<int dim>
  std::unique_ptr<SolidScene<dim>> throwBall(RuleName rule, const AnyMaterial<dim>& material,
                                             Shape shape, double step, bool moves = false,
                                             ObstacleGapKind kind = ObstacleGapKind::nodal,
                                             SqpSettings sqp = {})
  {
    auto scene = std::make_unique<SolidScene<dim>>();
    auto ball = softBall<dim>(material, dim == 2 ? 3 : 2, dim == 2 ? 1 : 0);
    ball.motion = {.velocity = last<dim>(-1), .spin = {0, 0, 0.02}};
    ball.motion.velocity[0] += 0.4;
    ball.gravity = last<dim>(-0.01);
    scene->add(std::move(ball), makeObstacle<dim>(shape, moves), kind);
    scene->build({.step = step, .rule = makeRule<dim>(rule), .sqp = sqp});
    return scene;
  }

  //! A box that a moving plane presses against another plane
  template<int dim>
  std::unique_ptr<SolidScene<dim>> pressBox(double step)
  {
    auto scene = std::make_unique<SolidScene<dim>>();
    std::array<int, dim> cells;
    cells.fill(2);
    typename Solid<dim>::Settings box{
      .name = "box",
      .mesh =
        refineMesh(makeBox<dim>(FieldVector<double, dim>(-5), FieldVector<double, dim>(5), cells),
                   dim == 2 ? 2 : 1, "box"),
      .material = StVenantKirchhoff<dim>{soft},
      .density = 1e-4};
    auto surface = scene->surfaceOf(box.mesh);
    auto press = std::make_shared<Plane>("press", last<dim>(5), last<dim>(-1));
    std::array<Expression, 3> motion;
    motion[dim - 1] = Expression("-0.3*t");
    press->setMotion(motion);
    scene->add(std::move(box), std::make_shared<Plane>("floor", last<dim>(-5), last<dim>(1)));
    scene->contacts.push_back({"press", std::make_unique<ObstacleGap<dim>>(
                                          std::move(surface), press, ObstacleGapKind::weighted)});
    scene->build({.step = step, .rule = makeRule<dim>(RuleName::quasiStatic)});
    return scene;
  }

  //! checkStepper(), with a state that has no solution
  template<int dim>
  TestSuite testPromises(RuleName rule)
  {
    TestSuite test(std::string("promises of ") + nameOf(rule) + ", dimension " +
                   std::to_string(dim));
    auto scene = rule == RuleName::quasiStatic
                   ? pressBox<dim>(0.5)
                   : throwBall<dim>(rule, NeoHooke<dim>{soft}, Shape::sphere, 0.4, true);
    State failing = scene->start();
    failing.q[0] = 1e200;
    test.subTest(checkStepper(*scene->stepper, scene->system.initialState(),
                              {.steps = dim == 2 ? 8 : 5, .balance = 1e-10, .failing = failing}));
    StepReport report;
    State state = scene->start(), next;
    int contacts = 0;
    for (int n = 0; n < (dim == 2 ? 8 : 5); ++n, std::swap(state, next)) {
      scene->stepper->step(state, next, report);
      contacts += report.contacts;
    }
    test.check(contacts > 0, "the run has contact");
    return test;
  }

  //! 1/8 int E1:C:E2 with E1 = sym(F_m^T grad D), E2 = grad D^T grad D, cell by cell
  template<int dim>
  double stressDefect(const SolidMesh<dim>& mesh, const std::vector<double>& x,
                      const std::vector<double>& z)
  {
    double sum = 0;
    for (const auto& cell : mesh.simplices) {
      Tensor<dim> edges, gradD(0), F(0);
      for (int k = 0; k < dim; ++k)
        for (int c = 0; c < dim; ++c)
          edges[c][k] = mesh.nodes[cell[k + 1]][c] - mesh.nodes[cell[0]][c];
      const double volume = edges.determinant() / (dim == 2 ? 2 : 6);
      edges.invert();
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
          F[i][j] = i == j;
          for (int k = 0; k < dim; ++k) {
            const auto value = [&](const std::vector<double>& u) {
              return u[cell[k + 1] * dim + i] - u[cell[0] * dim + i];
            };
            gradD[i][j] += (value(z) - value(x)) * edges[k][j];
            F[i][j] += 0.5 * (value(z) + value(x)) * edges[k][j];
          }
        }
      Tensor<dim> E1(0), E2(0);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          for (int k = 0; k < dim; ++k) {
            E1[i][j] += 0.5 * (F[k][i] * gradD[k][j] + gradD[k][i] * F[k][j]);
            E2[i][j] += gradD[k][i] * gradD[k][j];
          }
      const auto S = hooke<dim>(soft, E1);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          sum += volume / 8 * S[i][j] * E2[i][j];
    }
    return sum;
  }

  //! mu.B D of a step, from gaps: c'(z), 1/2 c'((x+z)/2), or -mu.max(0, c(x)) for the dissipative
  //! rule
  template<int dim>
  double contactWork(const WeightedGapGeometry<dim>& coupling, RuleName rule, const State& from,
                     const State& to)
  {
    std::vector<double> u = rule == RuleName::dissipative ? from.q : to.q;
    double time = rule == RuleName::dissipative ? from.time : to.time;
    if (rule == RuleName::midpoint) {
      time = 0.5 * (from.time + to.time);
      for (std::size_t i = 0; i < u.size(); ++i)
        u[i] = 0.5 * (from.q[i] + to.q[i]);
    }
    WeightedGaps<dim> gaps;
    coupling.addGaps(time, u, 0, gaps);
    double sum = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      const double mu = to.history[0].values[gaps[p].multiplier];
      if (rule == RuleName::dissipative)
        sum -= mu * std::max(0.0, gaps[p].value);
      else
        for (const auto& [node, value] : gaps.derivative(p))
          for (int c = 0; c < dim; ++c)
            sum += mu * (rule == RuleName::midpoint ? 0.5 : 1) * value[c] *
                   (to.q[node * dim + c] - from.q[node * dim + c]);
    }
    return sum;
  }

  /* E^{n+1} - E^n = delta_W + mu.B D for the rules with the stress of the middle, -mu.max(0, c) for
   * the dissipative one, to what the residual can hide. */
  template<int dim>
  TestSuite testBalance(RuleName rule, const AnyMaterial<dim>& material, Shape shape,
                        ObstacleGapKind kind)
  {
    const bool stvk = std::holds_alternative<StVenantKirchhoff<dim>>(material);
    TestSuite test(std::string(nameOf(rule)) + " on a " + shapeName(shape) +
                   (stvk ? "" : ", neo-Hooke") + ", dimension " + std::to_string(dim));
    auto scene = throwBall<dim>(rule, material, shape, 0.3, false, kind);
    const auto& mesh = dynamic_cast<const Solid<dim>&>(scene->system.body(0)).mesh();
    State state = scene->start(), next;
    StepReport report;
    double worst = 0, largestSlack = 0, impulse = 0, lost = 0, overlap = 0, iterations = 0;
    const int steps = dim == 2 ? 30 : 20;
    for (int n = 0; n < steps; ++n, std::swap(state, next)) {
      scene->stepper->step(state, next, report);
      const double change =
        scene->stepper->record(state, next).total() - scene->stepper->record(state, state).total();
      const double work = contactWork(scene->coupling(), rule, state, next);
      const double defect = rule == RuleName::dissipative ? 0 : stressDefect(mesh, state.q, next.q);
      const double slack =
        scene->stepper->slack() + 1e-13 * scene->stepper->record(state, next).total();
      if (stvk || rule == RuleName::dissipative)
        test.check(std::abs(change - defect - work) <= slack, "change of energy")
          << "step " << n << ": " << change - defect - work << ", slack " << slack;
      if (stvk && rule != RuleName::dissipative)
        test.check(std::abs(next.ledger.stepWork - state.ledger.stepWork - defect) <= slack,
                   "defect of the stress in the ledger")
          << n;
      test.check(std::abs(next.ledger.contactWork - state.ledger.contactWork - work) <= slack,
                 "work of contact in the ledger")
        << n;
      if (rule == RuleName::dissipative)
        test.check(change <= slack, "energy does not rise") << change;
      worst = std::max(worst, std::abs(change - defect - work));
      largestSlack = std::max(largestSlack, scene->stepper->slack());
      overlap = std::max(overlap, -report.minGap);
      impulse += report.pairImpulse[0];
      lost -= work;
      iterations += report.solve.iterations;
    }
    test.check(impulse > 0, "there is contact");
    if (rule != RuleName::midpoint)
      test.check(overlap < 1e-9, "feasible at the instants") << overlap;
    std::cout << test.name() << ": balance " << worst << ", slack " << largestSlack << ", lost "
              << lost << ", overlap " << overlap << ", iterations " << iterations / steps
              << std::endl;
    return test;
  }

  //! Exact Jacobian and curvature of gaps lead to the same motion in fewer iterations
  template<int dim>
  TestSuite testSolverOptions(Shape shape)
  {
    TestSuite test("solver options");
    std::vector<double> iterations;
    double reference = 0;
    for (const SqpSettings& settings : {SqpSettings{}, SqpSettings{.exactJacobian = true},
                                        SqpSettings{.exactJacobian = true, .curvature = true}}) {
      auto scene = throwBall<dim>(RuleName::modified, StVenantKirchhoff<dim>{soft}, shape, 0.6,
                                  false, ObstacleGapKind::weighted, settings);
      auto inner =
        typename ImplicitStepper<dim>::Settings{.step = 0.6,
                                                .rule = makeRule<dim>(RuleName::modified),
                                                .sqp = settings,
                                                .inner = {.tolerance = 1e-8}};
      scene->build(inner);
      State state = scene->start(), next;
      StepReport report;
      int sum = 0;
      for (int n = 0; n < 12; ++n, std::swap(state, next)) {
        scene->stepper->step(state, next, report);
        sum += report.contacts > 0 ? report.solve.iterations : 0;
      }
      const double energy = scene->stepper->record(state, state).total();
      if (iterations.empty())
        reference = energy;
      test.check(std::abs(energy - reference) < 1e-9 * reference, "same energy at the end")
        << energy - reference;
      iterations.push_back(sum);
    }
    std::cout << shapeName(shape) << ", dimension " << dim << ": iterations in contact "
              << iterations[0] << ", exact Jacobian " << iterations[1] << ", and curvature "
              << iterations[2] << std::endl;
    test.check(iterations[1] <= 1.2 * iterations[0] && iterations[2] < 0.6 * iterations[0],
               "fewer iterations")
      << iterations[0] << " " << iterations[1] << " " << iterations[2];
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (RuleName rule : allRules) {
    test.subTest(testPromises<2>(rule));
    test.subTest(testPromises<3>(rule));
  }
  for (RuleName rule : {RuleName::midpoint, RuleName::modified, RuleName::dissipative})
    for (Shape shape : {Shape::plane, Shape::sphere, Shape::cavity, Shape::cylinder}) {
      const auto kind = shape == Shape::cavity ? ObstacleGapKind::weighted : ObstacleGapKind::nodal;
      test.subTest(testBalance<2>(rule, StVenantKirchhoff<2>{soft}, shape, kind));
      test.subTest(testBalance<3>(rule, StVenantKirchhoff<3>{soft}, shape, kind));
      if (rule == RuleName::dissipative) {
        test.subTest(testBalance<2>(rule, NeoHooke<2>{soft}, shape, kind));
        test.subTest(testBalance<3>(rule, NeoHooke<3>{soft}, shape, kind));
      }
    }
  test.subTest(testSolverOptions<2>(Shape::sphere));
  test.subTest(testSolverOptions<2>(Shape::cavity));
  test.subTest(testSolverOptions<3>(Shape::sphere));
  return test.exit();
}
