// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "mortarcontactreference.hh"
#include "mortarscene.hh"

/* A soft ball on a soft block, and two free discs, against numbers of an independent implementation
 * of the same rules (units mm, ms, g; energies in mJ per mm thickness). In every step of every run
 * the energy balance of the rule is checked. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! Total energy less its first value, height and vertical speed of the centre of the ball
  TestSuite ballOnBlockMatchesReferences()
  {
    TestSuite test("ball on block");
    for (const BallOnBlockReference& reference : ballOnBlockReferences) {
      Setup setup{.rule = reference.rule, .step = reference.step, .spin = reference.spin};
      if (reference.lasting) {
        setup.shift = {0, -1.99, 0};
        setup.gravity = 9.81e-2;
      }
      const std::string name = std::string(reference.name) +
                               (reference.rule == RuleName::midpoint   ? " midpoint "
                                : reference.rule == RuleName::modified ? " modified "
                                                                       : " dissipative ") +
                               std::to_string(reference.step);
      std::size_t found = 0;
      double before = 0, initial = 0;
      const Run result = run(
        setup, std::lround(reference.end / reference.step),
        [&](const Scene& scene, const Step& step) {
          if (initial == 0)
            initial = scene.stepper->record(step.from, step.from).total();
          for (const ReferenceRow& row : reference.rows)
            if (std::abs(row.time - step.to.time) < 1e-9) {
              const double tolerance =
                row.time < (reference.rule == RuleName::dissipative ? 30.5 : 27.5) ? 1e-6 : 1e-4;
              const Body& ball = scene.system.body(0);
              const double height =
                ball.centreOfMass(scene.system.configurationSlice(0, step.to.q))[1];
              const double earlier =
                ball.centreOfMass(scene.system.configurationSlice(0, step.from.q))[1];
              test.check(std::abs(step.record.total() - initial - row.change) < tolerance, name)
                << "energy at " << row.time << ": " << step.record.total() - initial
                << ", expected " << row.change;
              test.check(std::abs(height - row.height) < tolerance, name)
                << "height at " << row.time << ": " << height << ", expected " << row.height;
              // v+ = 2 (x+ - x)/tau - v holds of the centre as well
              test.check(std::abs(2 * (height - earlier) / reference.step - before - row.speed) <
                           tolerance,
                         name)
                << "speed at " << row.time;
              ++found;
            }
          const Body& ball = scene.system.body(0);
          before = 2 *
                     (ball.centreOfMass(scene.system.configurationSlice(0, step.to.q))[1] -
                      ball.centreOfMass(scene.system.configurationSlice(0, step.from.q))[1]) /
                     reference.step -
                   before;
        });
      std::cout << name << ": dE " << result.change << " work " << result.work << " ("
                << reference.work << ") rise " << result.largestRise << " balance "
                << result.balance << " overlap " << result.overlap << " iterations "
                << result.contactIterations << " at most " << result.mostIterations << std::endl;
      test.check(found == reference.rows.size(), name) << "rows " << found;
      test.check(std::abs(result.initial - reference.initial) < 1e-9, name)
        << "initial energy " << result.initial;
      test.check(std::abs(result.work - reference.work) < 1e-6, name)
        << "work of the first impact " << result.work << ", expected " << reference.work;
      if (reference.rule == RuleName::midpoint)
        test.check(std::abs(result.overlap + reference.smallestGap) < 1e-5, name)
          << "overlap " << result.overlap << ", expected " << -reference.smallestGap;
      checkBalance(test, name, setup, result);
    }
    return test;
  }

  //! The contact takes energy from a rolling ball if gaps hold at the end of the step, and gives
  //! some if at the middle
  TestSuite workOfTheFirstImpactHasItsSign()
  {
    TestSuite test("sign of the work");
    double modified = -std::numeric_limits<double>::infinity();
    for (double step : {1.0, 0.5, 0.25}) {
      const double work =
        run({.rule = RuleName::modified, .step = step}, std::lround(30 / step)).work;
      test.check(work < 0 && work > modified, "modified")
        << "work " << work << " after " << modified << " at step " << step;
      modified = work;
      test.check(run({.rule = RuleName::midpoint, .step = step}, std::lround(30 / step)).work > 0,
                 "midpoint");
    }
    return test;
  }

  //! work = -lambda.c(x) + 1/2 lambda.c''[D, D] + rest
  TestSuite workSplitsIntoGapAndCurvature()
  {
    TestSuite test("split of the work");
    struct Case
    {
      const char* name;
      double spin;
      bool unrotated;
      double work, gap, curvature;
    };
    for (const Case& c : {Case{"rolling", 0.04, false, -0.000936037415075479, -0.000927361170417794,
                               -8.379492176434283e-06},
                          Case{"sliding", 0.002, false, 0.000723219610075207,
                               -0.00040084474424892375, 0.0011362632119819628},
                          Case{"sliding, unrotated", 0.002, true, 0.001569144242286758,
                               -0.00014717780513584687, 0.001751445691910569},
                          Case{"rolling, unrotated", 0.04, true, -0.0010120264335295745,
                               -0.0010053126689136326, -6.308963525876155e-06}}) {
      Setup setup{.rule = RuleName::modified, .step = 0.5, .spin = c.spin};
      if (c.unrotated) {
        setup.shift = {40, -1.99, 0};
        setup.velocity = {2, -0.198, 0};
      }
      double work = 0, gap = 0, curvature = 0;
      run(setup, c.unrotated ? 13 : 60, [&](const Scene& scene, const Step& step) {
        const auto& mu = step.to.history[0].values;
        work += step.to.ledger.contactWork - step.from.ledger.contactWork;
        WeightedGaps<2> gaps;
        scene.contacts[0].geometry.find<WeightedGapGeometry<2>>()->addGaps(0, step.from.q, 0, gaps);
        for (std::size_t p = 0; p < gaps.size(); ++p)
          gap -= mu[gaps[p].multiplier] * gaps[p].value;
        std::vector<MatrixBlock<2>> blocks;
        scene.contacts[0].geometry.find<WeightedGapGeometry<2>>()->addCurvature(0, step.to.q, mu,
                                                                                blocks);
        for (const auto& [row, column, value] : blocks)
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              curvature += 0.5 * (step.to.q[2 * row + a] - step.from.q[2 * row + a]) * value[a][b] *
                           (step.to.q[2 * column + b] - step.from.q[2 * column + b]);
      });
      std::cout << c.name << ": " << work << " = " << gap << " + " << curvature << std::endl;
      test.check(std::abs(work - c.work) < 1e-6, c.name)
        << "work " << work << ", expected " << c.work;
      test.check(std::abs(gap - c.gap) < 1e-6, c.name)
        << "part of the gap " << gap << ", expected " << c.gap;
      test.check(std::abs(curvature - c.curvature) < 1e-6, c.name)
        << "part of the curvature " << curvature << ", expected " << c.curvature;
      test.check(std::abs(work - gap - curvature) <
                   0.05 * std::max(std::abs(gap), std::abs(curvature)),
                 c.name)
        << "rest " << work - gap - curvature;
    }
    return test;
  }

  //! Momenta are exact where the theory says so, and the energies are those of the reference
  TestSuite freeDiscsKeepTheirMomenta()
  {
    TestSuite test("free discs");
    struct Case
    {
      const char* name;
      RuleName rule;
      double step, spin, end, returned, change, angular;
    };
    for (const Case& c :
         {Case{"modified 1", RuleName::modified, 1, 0, 22, 0, -0.0006353705654677452,
               0.00700976320633373},
          Case{"modified 0.5", RuleName::modified, 0.5, 0, 22, 0, -0.0003781736454304685,
               0.003525426004785004},
          Case{"midpoint 1", RuleName::midpoint, 1, 0, 22, 0, 0.0004905110199237422, 0},
          Case{"midpoint 0.5", RuleName::midpoint, 0.5, 0, 22, 0, 0.0005433980221496715, 0},
          Case{"dissipative with spin", RuleName::dissipative, 1, 0.02, 24, 0,
               -0.0026352609672158633, 0},
          Case{"dissipative with spin, energy returned", RuleName::dissipative, 1, 0.02, 24, 1, 0,
               0}}) {
      Setup setup{.rule = c.rule,
                  .step = c.step,
                  .spin = c.spin,
                  .velocity = {0, -0.3, 0},
                  .gravity = 0,
                  .returned = c.returned,
                  .sqp = {.tolerance = 1e-12},
                  .secondDisc = true};
      const Run result = run(setup, std::lround(c.end / c.step));
      std::cout << c.name << ": dE " << result.change << " dP " << result.momentum << " dL "
                << result.angular << " iterations " << result.contactIterations << std::endl;
      test.check(result.contactSteps >= 4, c.name)
        << "contact in " << result.contactSteps << " steps";
      test.check(std::abs(result.change - c.change) < (c.returned == 0 ? 1e-6 : 1e-9), c.name)
        << "energy changes by " << result.change << ", expected " << c.change;
      test.check(result.momentum < 1e-12, c.name) << "momentum changes by " << result.momentum;
      if (c.rule == RuleName::modified)
        test.check(std::abs(result.angular - c.angular) < 1e-4, c.name)
          << "angular momentum changes by " << result.angular << ", expected " << c.angular;
      else
        test.check(result.angular < 1e-11 * 40, c.name)
          << "angular momentum changes by " << result.angular;
      checkBalance(test, c.name, setup, result);
    }
    return test;
  }

  TestSuite strongImpactsMatchReferences()
  {
    TestSuite test("strong impacts");
    struct Case
    {
      Vec3 velocity;
      double spin, step;
      long steps;
      double modified, dissipative;
    };
    for (const Case& c :
         {Case{{2, -2, 0}, 0.002, 1, 30, -0.046923694169617836, -0.09729666296052342},
          Case{{2, -2, 0}, 0.002, 0.5, 40, -0.02273359983114487, -0.05058459938551296},
          Case{{8, -4, 0}, 0.002, 0.5, 32, 0.6970326023879778, -0.19567457292806978},
          Case{{2, -0.2, 0}, 0.04, 2, 30, -0.0028574291278844477, -0.016390309821926685},
          Case{{2, -0.2, 0}, 0.002, 4, 15, 0.002424354666657802, -0.004239057008836422}})
      for (RuleName rule : {RuleName::modified, RuleName::dissipative}) {
        Setup setup{.rule = rule,
                    .step = c.step,
                    .spin = c.spin,
                    .velocity = c.velocity,
                    .shift = {0, -1.9, 0},
                    .gravity = 0,
                    .reach = 12};
        const Run result = run(setup, c.steps);
        const double expected = rule == RuleName::modified ? c.modified : c.dissipative;
        std::cout << "v = " << c.velocity
                  << (rule == RuleName::modified ? " modified" : " dissipative") << ": dE "
                  << result.change << " iterations " << result.contactIterations << std::endl;
        test.check(std::abs(result.change - expected) < 1e-6 * std::max(1.0, result.initial),
                   "strong impact")
          << "energy changes by " << result.change << ", expected " << expected;
        checkBalance(test, "strong impact", setup, result);
      }
    return test;
  }

  //! Mean loss over five phases of the impact within a step
  TestSuite meanLossMatchesReferences()
  {
    TestSuite test("mean loss");
    struct Case
    {
      double spin, step, mean;
    };
    for (const Case& c :
         {Case{0.04, 1, -0.002012887033897902}, Case{0.04, 0.5, -0.0006886335600591461},
          Case{0.002, 1, -0.0008963070288097343}, Case{0.002, 0.5, -0.00029836991418147915}}) {
      double mean = 0;
      for (double phase : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        const Setup setup{.step = c.step,
                          .spin = c.spin,
                          .velocity = {2, -0.198, 0},
                          .shift = {0, -2 + 0.02 + 0.198 * c.step * phase, 0},
                          .gravity = 0};
        bool over = false, touched = false;
        run(setup, std::lround(9 / c.step), [&](const Scene&, const Step& step) {
          over = over || (touched && step.report.contacts == 0 && step.to.time - c.step > 6);
          touched = touched || step.report.contacts > 0;
          if (!over)
            mean += (step.to.ledger.contactWork - step.from.ledger.contactWork) / 5;
        });
      }
      std::cout << "spin " << c.spin << " step " << c.step << ": mean " << mean << std::endl;
      test.check(std::abs(mean - c.mean) < 1e-7, "mean loss") << mean << ", expected " << c.mean;
    }
    return test;
  }

  //! Distance to the closest point, in 8 points of each edge
  TestSuite closestPointMatchesReference()
  {
    TestSuite test("closest point");
    const ReferenceRow rows[] = {{20, 0.0025804052246725107, 50.03799999999576, 0},
                                 {22, -0.0015836901890962096, 49.69805238171873, 0},
                                 {24, -0.005419471985025126, 49.68856028198879, 0},
                                 {26, -0.00367011933385486, 50.02704141197292, 0},
                                 {27, -0.0038877964211354588, 50.21259374447365, 0}};
    double initial = 0;
    const Setup setup{.rule = RuleName::modified, .wholeEdges = true};
    const Run result = run(setup, 27, [&](const Scene& scene, const Step& step) {
      if (initial == 0)
        initial = scene.stepper->record(step.from, step.from).total();
      for (const ReferenceRow& row : rows)
        if (std::abs(row.time - step.to.time) < 1e-9) {
          test.check(std::abs(step.record.total() - initial - row.change) < 1e-6, "energy")
            << "at " << row.time << ": " << step.record.total() - initial << ", expected "
            << row.change;
          test.check(std::abs(scene.system.body(0).centreOfMass(
                                scene.system.configurationSlice(0, step.to.q))[1] -
                              row.height) < 1e-6,
                     "height")
            << "at " << row.time;
        }
    });
    test.check(std::abs(result.work + 0.004925702914289261) < 1e-6, "work") << result.work;
    checkBalance(test, "closest point", setup, result);
    return test;
  }

  //! Contact that lasts, a start with overlap, a ball put down
  TestSuite lastingContactsMatchReferences()
  {
    TestSuite test("lasting contacts");
    struct Case
    {
      const char* name;
      double step, spin, speed, shift, returned, end, change, overlap, impulse;
    };
    for (const Case& c :
         {Case{"sliding 1", 1, 0.002, 2, -1.99, 0, 60, -0.0018111011810062472, 0,
               4.745347717540288},
          Case{"sliding 0.5", 0.5, 0.002, 2, -1.99, 0, 60, -0.0005789547044745547, 0,
               4.708732755652238},
          Case{"overlap at the start", 1, 0.002, 2, -2.05, 0, 30, -0.0005783899456370811,
               0.05046409247065579, 2.322400909046728},
          Case{"put down", 1, 0, 0, -1.99, 0, 30, -0.00017908768670518369, 0, 2.434576879574693},
          Case{"sliding 1, energy returned", 1, 0.002, 2, -1.99, 1, 60, 0, 0, 0},
          Case{"sliding 0.5, energy returned", 0.5, 0.002, 2, -1.99, 1, 60, 0, 0, 0}}) {
      const Setup setup{.step = c.step,
                        .spin = c.spin,
                        .velocity = {c.speed, 0, 0},
                        .shift = {0, c.shift, 0},
                        .gravity = 9.81e-2,
                        .returned = c.returned};
      double impulse = 0;
      const Run result =
        run(setup, std::lround(c.end / c.step), [&](const Scene& scene, const Step& step) {
          WeightedGaps<2> gaps; // of the pressures, as in the reference
          scene.contacts[0].geometry.find<WeightedGapGeometry<2>>()->addGaps(0, step.to.q, 0, gaps);
          for (std::size_t p = 0; p < gaps.size(); ++p)
            impulse += c.step * step.to.history[0].values[gaps[p].multiplier] * gaps[p].weight;
        });
      std::cout << c.name << ": dE " << result.change << " overlap " << result.overlap
                << " impulse " << impulse << " iterations " << result.contactIterations
                << std::endl;
      test.check(std::abs(result.change - c.change) < (c.returned > 0 ? 1e-9 : 1e-6), c.name)
        << "energy changes by " << result.change << ", expected " << c.change;
      test.check(std::abs(result.overlap - c.overlap) < 1e-6, c.name)
        << "overlap " << result.overlap << ", expected " << c.overlap;
      if (c.impulse > 0)
        test.check(std::abs(impulse - c.impulse) < 1e-5, c.name)
          << "impulse " << impulse << ", expected " << c.impulse;
      test.check(result.balance <= 1e-12 * std::max(result.initial, 1.0) &&
                   (c.returned > 0 || result.largestRise <= 1e-12),
                 c.name)
        << "balance " << result.balance << " rise " << result.largestRise;
    }
    return test;
  }

  //! The first quadratic problem of a step, in the coordinates in which gaps are bounds
  TestSuite boundsMatchReference()
  {
    TestSuite test("quadratic problem with bounds");
    Scene scene({.rule = RuleName::modified,
                 .spin = 0,
                 .velocity = {2, -0.2, 0},
                 .shift = {0, -2.15, 0},
                 .gravity = 0});
    StepReport report;
    const State state = scene.stepper->start(scene.system.initialState(), report);
    ImplicitModel<2> model(scene.system, scene.contacts);
    ImplicitWorkspace<2> workspace(model);
    const ModifiedMidpoint<2> rule;
    ImplicitProblem<2> problem(model, rule, workspace, state, 1, 1);
    NodeVector<2> z(state.q.size() / 2), g(z.size()), lower(z.size()), upper(z.size()), w(z.size()),
      residual(z.size()), d(z.size());
    z = 0;
    problem.residual(z, g);
    SignoriniConstraints<2> constraints; // the reference makes bounds with nodal normals
    WeightedGaps<2> gaps;
    scene.contacts[0].geometry.find<WeightedGapGeometry<2>>()->addGaps(1, state.q, 0, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      constraints.add({gaps[p].multiplier, gaps[p].node, gaps[p].value, gaps[p].weight,
                       gaps[p].weight, gaps[p].normal},
                      gaps.derivative(p), gaps.derivative(p), gaps.mortar(p));
    DecoupledMortarBasis<2> transform;
    transform.setup(constraints, model.fixed);
    BlockMatrix<2> A;
    const BlockMatrix<2>& H = problem.matrix(z);
    transform.transform(H, {}, A);
    transform.applyTransposed(g);
    g *= -1.0;
    lower = -1e3; // the solution is far inside
    upper = 1e3;
    for (std::size_t i = 0; i < z.size(); ++i)
      for (int c = 0; c < 2; ++c)
        if (model.fixed[i] >> c & 1)
          lower[i][c] = upper[i][c] = 0;
    for (std::size_t p = 0; p < constraints.size(); ++p)
      upper[constraints[p].node][0] = constraints[p].value / transform.weight(p);
    w = 0;
    BoxMultigrid<2> solver({.tolerance = 1e-13});
    const SolveReport solved = solver.solve({A, g, lower, upper}, w);
    A.residual(w, g, residual);
    const double objective = -0.5 * (dot(g, w) + dot(residual, w));
    test.check(solved.converged || solved.residual < 1e-12, "solved") << solved.residual;
    test.check(std::abs(objective + 3.158149573595769) < 1e-9 * 3.16, "objective") << objective;
    // numbers of the mesh file, from one
    struct Node
    {
      std::size_t number;
      double c, D, lambda, w;
    };
    for (const Node& node :
         {Node{2, -0.7365640753649426, 4.906767429231262, 0.007795463696108001,
               -0.15011187833704587},
          Node{6, 0.44212132195052134, 4.906767449543738, 0.004101065441263381,
               0.09010439693685353},
          Node{7, 4.035525299818281, 4.906767449055799, 0, 0.4181842170763282},
          Node{64, 4.03552522043751, 4.906767413609877, 0, -0.31383297231750873},
          Node{65, 0.4421213274135015, 4.906767415620117, 0, -0.2089137130298294}}) {
      std::size_t p = 0;
      while (p < constraints.size() && constraints[p].node != node.number - 1)
        ++p;
      test.require(p < constraints.size() && transform.component(p) == 0, "node has a constraint")
        << node.number;
      const double lambda = w[node.number - 1][0] >= upper[node.number - 1][0]
                              ? residual[node.number - 1][0] / transform.weight(p)
                              : 0;
      test.check(std::abs(constraints[p].value - node.c) < 1e-9 &&
                   std::abs(constraints[p].weight - node.D) < 1e-9,
                 "gap and weight")
        << constraints[p].value << " " << constraints[p].weight;
      test.check(std::abs(lambda - node.lambda) < 1e-9 * 0.0078, "multiplier")
        << lambda << ", expected " << node.lambda;
      test.check(std::abs(w[node.number - 1][0] - node.w) < 1e-9, "normal component")
        << w[node.number - 1][0] << ", expected " << node.w;
    }
    transform.apply(w, d);
    test.check(std::abs(d.infinity_norm() - 2.0123058848937316) < 1e-9, "step")
      << d.infinity_norm();
    return test;
  }

  TestSuite energyIsReturned()
  {
    TestSuite test("returned energy");
    const Setup setup{.step = 0.5, .shift = {0, -1.99, 0}, .returned = 1};
    const Run result = run(setup, 60);
    std::cout << "returned: dE " << result.change << " iterations " << result.contactIterations
              << std::endl;
    test.check(result.contactSteps > 5 && std::abs(result.change) < 1e-10 * result.initial,
               "rolling ball")
      << "energy changes by " << result.change;
    checkBalance(test, "returned energy", setup, result);
    return test;
  }

  //! To 1e-10 of the largest nodal contact force
  TestSuite iterationsAreFew()
  {
    TestSuite test("iterations");
    for (double spin : {0.04, 0.002}) {
      const Run exact = run({.rule = RuleName::modified,
                             .spin = spin,
                             .sqp = {.exactJacobian = true, .curvature = true}},
                            28);
      test.check(exact.contactSteps >= 5 && exact.contactIterations <= 5, "exact")
        << exact.contactIterations;
      std::cout << "spin " << spin << ": exact " << exact.contactIterations;
      for (RuleName rule : {RuleName::modified, RuleName::dissipative}) {
        const Run decoupled = run({.rule = rule, .spin = spin}, 28);
        test.check(decoupled.contactSteps >= 5 && decoupled.contactIterations <= 12, "decoupled")
          << decoupled.contactIterations;
        std::cout << " decoupled " << decoupled.contactIterations;
      }
      std::cout << std::endl;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(ballOnBlockMatchesReferences());
  test.subTest(workOfTheFirstImpactHasItsSign());
  test.subTest(workSplitsIntoGapAndCurvature());
  test.subTest(freeDiscsKeepTheirMomenta());
  test.subTest(strongImpactsMatchReferences());
  test.subTest(meanLossMatchesReferences());
  test.subTest(closestPointMatchesReference());
  test.subTest(lastingContactsMatchReferences());
  test.subTest(boundsMatchReference());
  test.subTest(energyIsReturned());
  test.subTest(iterationsAreFew());
  return test.exit();
}
