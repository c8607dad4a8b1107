// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <iostream>
#include <memory>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/test/checkmidpointrule.hh>

#include "solidscene.hh"

/* All rules, and a rule of a user, pass checkMidpointRule(); rules with a mistake in one of their
 * parts do not. Gaps of an accepted configuration are evaluated once. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  //! Exact work of the bulk, plain gaps at the end: a rule as another module would write it
  template<int dim>
  class AveragedStress : public MidpointRule<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;

    std::string name() const override { return "averaged stress"; }
    void addForce(const Body& body, ConstSpan x, ConstSpan z, Span f) const override
    {
      body.addAveragedForce(x, z, 1, f);
    }
    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override
    {
      body.addAveragedTangent(x, z, 1, A);
    }
    bool exactTangent() const override { return false; }
    bool exactWork() const override { return true; }
  };

  //! The tangent is twice the derivative
  template<int dim>
  class WrongTangent : public ModifiedMidpoint<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;

    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override
    {
      body.addMidpointTangent(x, z, 1, A);
    }
  };

  //! A surrogate that is no symmetric part
  template<int dim>
  class WrongSurrogate : public DissipativeMidpoint<dim>
  {
  public:
    using typename MidpointRule<dim>::Body;
    using typename MidpointRule<dim>::Matrix;

    void addTangent(const Body& body, ConstSpan x, ConstSpan z, Matrix& A) const override
    {
      body.addAveragedTangent(x, z, 0.9, A);
    }
  };

  //! The stress at the midpoint does not do the work of the energy
  template<int dim>
  class WrongWork : public ModifiedMidpoint<dim>
  {
  public:
    bool exactWork() const override { return true; }
  };

  //! A work is left out of the ledger
  template<int dim>
  class ForgottenWork : public ModifiedMidpoint<dim>
  {
  public:
    void accountWork(AcceptedStep<dim>& step) const override { step.accountContacts(); }
  };

  //! The constraint is not the gap
  template<int dim>
  class WrongConstraint : public ModifiedMidpoint<dim>
  {
  public:
    double constraint(const StepGap<dim>& gap) const override { return 1.5 * gap.gap->value; }
  };

  //! The factor is that of gaps at the end
  template<int dim>
  class WrongCurvature : public Midpoint<dim>
  {
  public:
    double curvatureFactor() const override { return 1; }
  };

  //! Simple rows let contact add energy
  template<int dim>
  class WrongContact : public AveragedStress<dim>
  {
  public:
    bool dissipativeContact() const override { return true; }
  };

  template<int dim>
  typename Solid<dim>::Settings stampedBox()
  {
    using Vector = FieldVector<double, dim>;
    std::array<int, dim> cells;
    cells.fill(2);
    typename Solid<dim>::Settings box{
      .name = "box",
      .mesh = refineMesh(makeBox<dim>(Vector(-5), Vector(5), cells), dim == 2 ? 1 : 0, "box"),
      .material = NeoHooke<dim>{soft},
      .density = 1e-2};
    box.gravity = last<dim>(-0.001);
    return box;
  }

  //! A ball that is pressed into the box and along it
  template<int dim>
  std::shared_ptr<Obstacle> makeStamp()
  {
    auto stamp = std::make_shared<Sphere>("stamp", last<dim>(13.05), 8);
    std::array<Expression, 3> motion;
    motion[0] = Expression("0.1*t");
    motion[dim - 1] = Expression("-0.3*t");
    stamp->setMotion(motion);
    return stamp;
  }

  //! A box whose lower nodes are moved
  template<int dim>
  void addBox(SolidScene<dim>& scene, typename Solid<dim>::Settings box,
              std::shared_ptr<const Obstacle> obstacle = nullptr)
  {
    const auto nodes = box.mesh.nodes;
    scene.add(std::move(box), std::move(obstacle));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i][dim - 1] < -4.9)
        for (int c = 0; c < dim; ++c)
          scene.system.prescribe(scene.system.point(0, i), c, Expression(c == 0 ? "0.02*t" : "0"));
  }

  template<int dim, class Rule>
  TestSuite check()
  {
    SolidScene<dim> scene;
    addBox(scene, stampedBox<dim>(), makeStamp<dim>());
    return checkMidpointRule<dim>(std::make_shared<Rule>(), scene.system, scene.contacts,
                                  {.step = 0.5, .length = 0.1});
  }

  template<int dim>
  void testRules(TestSuite& test)
  {
    test.subTest(check<dim, Midpoint<dim>>());
    test.subTest(check<dim, ModifiedMidpoint<dim>>());
    test.subTest(check<dim, DissipativeMidpoint<dim>>());
    test.subTest(check<dim, QuasiStatic<dim>>());
    test.subTest(check<dim, AveragedStress<dim>>());
    std::cout << "rules with mistakes, dimension " << dim << ":" << std::endl;
    test.check(!bool(check<dim, WrongTangent<dim>>()), "a wrong tangent is found");
    test.check(!bool(check<dim, WrongSurrogate<dim>>()), "a wrong surrogate is found");
    test.check(!bool(check<dim, WrongWork<dim>>()), "a wrong claim of exact work is found");
    test.check(!bool(check<dim, ForgottenWork<dim>>()), "a forgotten work is found");
    test.check(!bool(check<dim, WrongConstraint<dim>>()), "a wrong constraint is found");
    test.check(!bool(check<dim, WrongCurvature<dim>>()), "a wrong curvature is found");
    test.check(!bool(check<dim, WrongContact<dim>>()), "a wrong claim of dissipation is found");
    std::cout << "end of rules with mistakes" << std::endl;
  }

  //! Gaps to an obstacle that remember where they were evaluated
  template<int dim>
  class RecordedGap : public ObstacleGap<dim>
  {
  public:
    struct Call
    {
      double time;
      Numbers q;
    };

    RecordedGap(ContactSurface<dim> surface, std::shared_ptr<const Obstacle> obstacle,
                std::vector<Call>& calls)
      : ObstacleGap<dim>(std::move(surface), std::move(obstacle), ObstacleGapKind::nodal)
      , calls_(calls)
    {}

    void addGaps(double t, ConstSpan u, std::size_t multiplierOffset,
                 WeightedGaps<dim>& gaps) const override
    {
      calls_.push_back({t, Numbers(u.begin(), u.end())});
      ObstacleGap<dim>::addGaps(t, u, multiplierOffset, gaps);
    }

  private:
    std::vector<Call>& calls_;
  };

  template<int dim>
  bool sameSnapshots(const ImplicitStepper<dim>& a, const ImplicitStepper<dim>& b,
                     const State& state)
  {
    std::vector<VisualizationData> first, second;
    a.sampleContacts(state, state, first);
    b.sampleContacts(state, state, second);
    bool same = first.size() == second.size() && !first.empty();
    for (std::size_t k = 0; same && k < first.size(); ++k)
      for (std::size_t f = 0; same && f < first[k].pointFields.size(); ++f)
        same = sameBits(first[k].pointFields[f].values, second[k].pointFields[f].values);
    return same;
  }

  //! Snapshots and the next step use the gaps of the end of a step, and only for its state
  template<int dim>
  TestSuite testEvaluations(std::shared_ptr<const MidpointRule<dim>> rule)
  {
    TestSuite test("evaluations of gaps, " + rule->name() + ", dimension " + std::to_string(dim));
    std::vector<typename RecordedGap<dim>::Call> calls;
    SolidScene<dim> scene;
    auto box = stampedBox<dim>();
    auto surface = scene.surfaceOf(box.mesh);
    addBox(scene, std::move(box));
    scene.contacts.push_back(
      {"stamp", std::make_unique<RecordedGap<dim>>(std::move(surface), makeStamp<dim>(), calls)});
    scene.build({.step = 0.5, .rule = rule});
    State from = scene.start(), to;
    const State first = from;
    StepReport report;
    for (int n = 0; n < 6; ++n, std::swap(from, to)) {
      calls.clear();
      scene.stepper->step(from, to, report);
      for (const auto& call : calls)
        test.check(!(call.time == from.time && call.q == from.q), "not again at the beginning")
          << "step " << n;
      calls.clear();
      ImplicitStepper<dim> other(scene.system, scene.contacts, {.step = 0.5, .rule = rule});
      std::vector<VisualizationData> visuals;
      scene.stepper->sampleContacts(from, to, visuals);
      test.check(calls.empty(), "not again for snapshots") << "step " << n;
      test.check(sameSnapshots(*scene.stepper, other, to), "snapshots of the last state");
      test.check(sameSnapshots(*scene.stepper, other, first), "snapshots of another state");
    }
    test.check(report.contacts > 0, "contact");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  testRules<2>(test);
  testRules<3>(test);
  test.subTest(testEvaluations<2>(makeRule<2>(RuleName::dissipative, 0.5)));
  test.subTest(testEvaluations<2>(makeRule<2>(RuleName::midpoint)));
  test.subTest(testEvaluations<2>(makeRule<2>(RuleName::quasiStatic)));
  test.subTest(testEvaluations<3>(makeRule<3>(RuleName::modified)));
  return test.exit();
}
