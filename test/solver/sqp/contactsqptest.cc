// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/solver/multigrid/sparsefactor.hh>
#include <dune/impact/solver/sqp/contactsqp.hh>
#include <dune/impact/timestep/midpoint/implicitproblem.hh>
#include <dune/impact/timestep/midpoint/midpointrules.hh>

/* The SQP on problems with indefinite matrices: a chain that buckles, and a step of a compressed
 * body. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  using Vector = FieldVector<double, 2>;

  /** \brief A chain of n + 2 nodes with fixed ends at the distance (n + 1) s, springs of length one
   *
   *     J = sum 1/8 (|e|^2 - 1)^2 - f . z
   *
   * over the springs e, and a rigid circle that the chain must not enter:
   * phi_i = a (|z_i - c| - r). For s < 1 the straight chain is a saddle.
   */
  class Chain : public StepProblem<2>
  {
  public:
    Chain(std::size_t n, double spacing, bool obstacle, bool potential)
      : obstacle_(obstacle)
      , potential_(potential)
      , fixed_(n + 2, 0)
    {
      fixed_.front() = fixed_.back() = 3;
      std::vector<std::size_t> begin = {0};
      std::vector<BlockMatrix<2>::Index> columns;
      for (std::size_t i = 0; i < n + 2; ++i) {
        start_.push_back({spacing * double(i), 0});
        for (std::size_t j = i > 0 ? i - 1 : 0; j <= std::min(i + 1, n + 1); ++j)
          columns.push_back(BlockMatrix<2>::Index(j));
        begin.push_back(columns.size());
      }
      matrix_ = BlockMatrix<2>(begin, columns);
      centre_ = {0.4 * spacing * double(n), -radius_ - 0.05};
    }

    NodeVector<2> start() const
    {
      NodeVector<2> z(start_.size());
      std::copy(start_.begin(), start_.end(), z.begin());
      return z;
    }

    std::size_t size() const override { return start_.size(); }
    const NodeMask& fixed() const override { return fixed_; }
    double forceScale() const override { return 0.1; }
    double lengthScale() const override { return 1; }
    double forceNoise() const override { return 0; }

    bool residual(const NodeVector<2>& z, NodeVector<2>& R) override
    {
      for (std::size_t i = 0; i < size(); ++i)
        R[i] = {-0.001 * std::sin(double(i)), load_};
      for (std::size_t i = 0; i + 1 < size(); ++i) {
        const Vector e = z[i + 1] - z[i];
        R[i + 1].axpy(0.5 * (e.two_norm2() - 1), e);
        R[i].axpy(-0.5 * (e.two_norm2() - 1), e);
      }
      return true;
    }

    const BlockMatrix<2>& matrix(const NodeVector<2>& z) override
    {
      for (std::size_t k = 0; k < matrix_.blocks(); ++k)
        matrix_.block(k) = 0;
      for (std::size_t i = 0; i + 1 < size(); ++i) {
        const Vector e = z[i + 1] - z[i];
        NodeBlock<2> K(0);
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b)
            K[a][b] = e[a] * e[b] + (a == b ? 0.5 * (e.two_norm2() - 1) : 0);
        matrix_.block(matrix_.diagonal(i)) += K;
        matrix_.block(matrix_.diagonal(i + 1)) += K;
        matrix_.block(matrix_.find(i, i + 1)) -= K;
        matrix_.block(matrix_.find(i + 1, i)) -= K;
      }
      return matrix_;
    }

    std::optional<double> energy(const NodeVector<2>& z) override
    {
      if (!potential_)
        return std::nullopt;
      double sum = 0;
      for (std::size_t i = 0; i < size(); ++i)
        sum += Vector{-0.001 * std::sin(double(i)), load_} * (z[i] - start_[i]);
      for (std::size_t i = 0; i + 1 < size(); ++i)
        sum += std::pow((z[i + 1] - z[i]).two_norm2() - 1, 2) / 8;
      return sum;
    }

    void constraints(const NodeVector<2>& z, SignoriniConstraints<2>& constraints) override
    {
      constraints.clear();
      if (!obstacle_)
        return;
      for (std::size_t i = 1; i + 1 < size(); ++i) {
        const Vector way = z[i] - centre_, out = way / way.two_norm();
        const std::array row = {NodeEntry<2>{i, area_ * out}};
        constraints.add({i, i, area_ * (way.two_norm() - radius_), area_, area_, -out}, row, row,
                        {});
      }
    }

    void addCurvature(const NodeVector<2>& z, const std::vector<double>& mu,
                      std::vector<MatrixBlock<2>>& blocks) override
    {
      for (std::size_t i = 1; obstacle_ && i + 1 < size(); ++i) {
        const Vector way = z[i] - centre_;
        const double length = way.two_norm();
        NodeBlock<2> H;
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b)
            H[a][b] =
              -mu[i] * area_ * ((a == b ? 1 : 0) - way[a] * way[b] / (length * length)) / length;
        blocks.push_back({i, i, H});
      }
    }

  private:
    static constexpr double area_ = 0.7, radius_ = 1.3, load_ = 0.004;
    bool obstacle_, potential_;
    std::vector<Vector> start_;
    Vector centre_;
    NodeMask fixed_;
    BlockMatrix<2> matrix_;
  };

  //! Keeps the points, and the filter as the documentation describes it
  template<int d>
  struct Follower
  {
    std::vector<SqpTrial> accepted;
    int trials = 0;
    bool finite = true, decreases = true, acceptable = true;
    std::vector<std::pair<double, double>> filter;
    double scale = 0; //!< of energies

    void operator()(const SqpTrial& trial)
    {
      ++trials;
      finite = finite && std::isfinite(trial.force) && std::isfinite(trial.infeasibility) &&
               (!trial.energy || std::isfinite(*trial.energy));
      if (!trial.accepted)
        return;
      if (!accepted.empty() && trial.energy) {
        const SqpTrial& last = accepted.back();
        const double roundOff = 1e-13 * std::max(std::abs(*last.energy), scale);
        decreases = decreases && *trial.energy <= *last.energy + roundOff;
        for (const auto& [h, J] : filter)
          acceptable = acceptable && (trial.infeasibility < h || *trial.energy <= J + roundOff);
        acceptable = acceptable && (trial.infeasibility < last.infeasibility ||
                                    *trial.energy <= *last.energy + roundOff);
        if (!trial.forEnergy && last.infeasibility > 0)
          filter.emplace_back(last.infeasibility, *last.energy);
      }
      accepted.push_back(trial);
    }
  };

  //! R = B^T mu on free components, 0 <= mu perp phi >= 0, from the problem alone
  template<int d>
  void checkFirstOrder(TestSuite& test, StepProblem<d>& problem, const NodeVector<d>& z,
                       const std::vector<double>& mu, double tolerance)
  {
    NodeVector<d> R(problem.size());
    SignoriniConstraints<d> constraints;
    problem.residual(z, R);
    problem.constraints(z, constraints);
    double overlap = 0, product = 0, least = 0;
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const double m = mu[constraints[p].multiplier];
      for (const auto& [node, value] : constraints.row(p))
        R[node].axpy(-m, value);
      overlap = std::max(overlap, -constraints[p].value / constraints[p].length);
      product = std::max(
        product, std::abs(m * constraints[p].weight) *
                   (constraints[p].value / constraints[p].length > 1e-10 * problem.lengthScale()));
      least = std::min(least, m);
    }
    double force = 0;
    for (std::size_t i = 0; i < R.size(); ++i)
      for (int c = 0; c < d; ++c)
        if (!(problem.fixed()[i] >> c & 1))
          force = std::max(force, std::abs(R[i][c]));
    test.check(force <= tolerance * problem.forceScale(), "forces balance") << force;
    test.check(overlap <= tolerance * problem.lengthScale(), "feasible") << overlap;
    test.check(least >= 0 && product <= tolerance * problem.forceScale(),
               "pressure only where gaps are closed")
      << least << " " << product;
  }

  struct Result
  {
    SqpReport report;
    NodeVector<2> z;
    double contactForce = 0;
  };

  Result solveChain(TestSuite& test, const std::string& name, double spacing, bool obstacle,
                    bool potential, SqpSettings settings)
  {
    TestSuite sub(name);
    Chain chain(20, spacing, obstacle, potential);
    Result result;
    result.z = chain.start();
    SparseFactor<2> factor;
    factor.compute(chain.matrix(result.z), &chain.fixed());
    sub.check(factor.positive() == (spacing > 1),
              "the matrix of the start is indefinite if compressed");
    ContactSqp<2> sqp(settings, {.tolerance = 1e-8});
    Follower<2> follower{.scale = chain.forceScale() * chain.lengthScale()};
    sqp.setObserver(std::ref(follower));
    std::vector<double> mu(chain.size(), 0);
    result.report = sqp.solve(chain, result.z, mu);
    for (double m : mu)
      result.contactForce += m;
    sub.check(result.report.converged, "converged") << result.report.residual;
    sub.check(follower.finite, "only finite numbers");
    sub.check(int(follower.accepted.size()) == result.report.iterations + 1,
              "one accepted point per iteration");
    sub.check(follower.trials == result.report.iterations + result.report.rejected + 1,
              "every trial point was seen");
    if (potential)
      sub.check(follower.acceptable, "iterates are acceptable to the filter");
    if (potential && !obstacle)
      sub.check(follower.decreases, "the energy decreases");
    sub.check(obstacle == (result.contactForce > 0), "contact") << result.contactForce;
    checkFirstOrder<2>(sub, chain, result.z, mu, 2e-11);
    if (potential) { // a minimiser, not the saddle
      sub.check(result.z[10][1] < -0.1 || spacing > 1 || obstacle, "it buckles") << result.z[10][1];
      factor.compute(chain.matrix(result.z), &chain.fixed());
      sub.check(factor.positive() || obstacle, "positive at the solution");
    }
    std::cout << name << ": " << result.report.iterations << " iterations, "
              << result.report.rejected << " rejected, contact force " << result.contactForce
              << std::endl;
    test.subTest(sub);
    return result;
  }

  TestSuite testChain()
  {
    TestSuite test("chain");
    solveChain(test, "stretched", 1.1, false, true, {});
    for (double spacing : {0.95, 0.8, 0.6})
      for (bool obstacle : {false, true})
        solveChain(test, "spacing " + std::to_string(spacing) + (obstacle ? " with circle" : ""),
                   spacing, obstacle, true, {.maxIterations = 300});
    for (bool obstacle : {false, true})
      solveChain(test, std::string("without potential") + (obstacle ? " with circle" : ""), 1.001,
                 obstacle, false, {});
    return test;
  }

  //! Second derivatives of a curved obstacle: the same solution in fewer iterations
  TestSuite testCurvature()
  {
    TestSuite test("curvature");
    const Result plain =
      solveChain(test, "without curvature", 1.001, true, true, {.maxIterations = 300});
    const Result curved = solveChain(test, "with curvature", 1.001, true, true,
                                     {.exactJacobian = true, .curvature = true});
    auto difference = plain.z;
    difference -= curved.z;
    test.check(difference.infinity_norm() < 1e-8, "same solution") << difference.infinity_norm();
    test.check(curved.report.iterations < plain.report.iterations, "fewer iterations")
      << curved.report.iterations << " of " << plain.report.iterations;
    return test;
  }

  //! A body compressed to 0.7, a step so long that inertia does not convexify
  template<int dim>
  TestSuite testCompressed(bool obstacle)
  {
    TestSuite test("compressed body, dimension " + std::to_string(dim) +
                   (obstacle ? ", obstacle" : ""));
    FieldVector<double, dim> lower(0), upper(1);
    std::array<int, dim> cells;
    cells.fill(2);
    Tensor<dim> F(0);
    for (int i = 0; i < dim; ++i)
      F[i][i] = i == 0 ? 0.7 : 1.05;
    typename Solid<dim>::Settings settings{
      .name = "box",
      .mesh = refineMesh(makeBox<dim>(lower, upper, cells, CellShape::simplex), 1, "box"),
      .material = StVenantKirchhoff<dim>{Lame::fromYoung(1.0, 0.3)},
      .density = 1,
      .deformation = F};
    auto surface = makeContactSurface<dim>(settings.mesh, std::nullopt, 0, 0);
    System system;
    system.add(std::make_unique<Solid<dim>>(std::move(settings)));
    std::vector<Contact> contacts;
    Vec3 point(0), normal(0);
    point[0] = 1.02 - 0.15;
    normal[0] = -1;
    if (obstacle)
      contacts.push_back(
        {"wall", std::make_unique<ObstacleGap<dim>>(std::move(surface),
                                                    std::make_shared<Plane>("wall", point, normal),
                                                    ObstacleGapKind::nodal)});
    ImplicitModel<dim> model(system, contacts);
    const State state = system.initialState();
    ImplicitWorkspace<dim> workspace(model);
    const Midpoint<dim> midpoint;
    const ModifiedMidpoint<dim> modified;
    for (const MidpointRule<dim>* rule : {static_cast<const MidpointRule<dim>*>(&midpoint),
                                          static_cast<const MidpointRule<dim>*>(&modified)}) {
      ImplicitProblem<dim> problem(model, *rule, workspace, state, 30, 30);
      ContactSqp<dim> sqp({.maxIterations = 300}, {.tolerance = 1e-4});
      sqp.setTransfers(model.transfers());
      Follower<dim> follower{.scale = problem.forceScale() * problem.lengthScale()};
      sqp.setObserver(std::ref(follower));
      NodeVector<dim> z = problem.predictor();
      SparseFactor<dim> factor;
      factor.compute(problem.matrix(z), nullptr);
      test.check(!factor.positive(), "the matrix of the start is indefinite");
      std::vector<double> mu(model.multiplierBegin.back(), 0);
      const SqpReport report = sqp.solve(problem, z, mu);
      test.check(report.converged, "converged") << report.residual;
      test.check(follower.finite && follower.acceptable, "finite, and acceptable to the filter");
      test.check(follower.decreases || obstacle, "the energy decreases");
      double force = 0;
      for (double m : mu)
        force = std::max(force, m);
      test.check(obstacle == (force > 0), "contact") << force;
      checkFirstOrder<dim>(test, problem, z, mu, 2e-11);
      std::cout << "compressed body, dimension " << dim << (obstacle ? ", obstacle" : "") << ": "
                << report.iterations << " iterations, " << report.rejected << " rejected, "
                << report.cycles << " cycles" << std::endl;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testChain());
  test.subTest(testCurvature());
  for (bool obstacle : {false, true}) {
    test.subTest(testCompressed<2>(obstacle));
    test.subTest(testCompressed<3>(obstacle));
  }
  return test.exit();
}
