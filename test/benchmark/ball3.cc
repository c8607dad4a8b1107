// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception One implicit step of
// the soft ball on a soft block in space, in contact: time of assembly, search and gaps, and
// solver; cycles with geometric and with algebraic levels; one and two threads; memory; growth with
// the number of nodes.
//
//     benchmark-ball3 [directory]
//     benchmark-ball3 cubes
//     benchmark-ball3 levels|algebraic|gmsh|cube CELLS LEVELS [THREADS [SIZE]]
//
// With a directory that holds the programs gen.cc and tnnmg.cc the step is compared with a
// Signorini problem of 346 000 unknowns that these solve. cubes: cycles of the first ten iterations
// for a cube of hexahedra that falls flat on the block, over four levels up to 1.1 million nodes,
// which takes 15 GB.
#include <config.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/solver/sqp/contactsqp.hh>

#include "../timestep/midpoint/ballonblock.hh"
#include "clocks.hh"
#include "yardstick.hh"

using namespace Dune::Impact;

namespace {

  double clockSeconds()
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
  }

  //! Passes everything on, and adds up the time
  class TimedProblem : public StepProblem<3>
  {
    template<class F>
    decltype(auto) timed(double& sum, F&& f)
    {
      struct Guard
      {
        double& sum;
        double start = clockSeconds();
        ~Guard() { sum += clockSeconds() - start; }
      } guard{sum};
      return f();
    }

  public:
    explicit TimedProblem(StepProblem<3>& problem) : problem_(problem) {}

    std::size_t size() const override { return problem_.size(); }
    const NodeMask& fixed() const override { return problem_.fixed(); }
    double forceScale() const override { return problem_.forceScale(); }
    double lengthScale() const override { return problem_.lengthScale(); }
    double forceNoise() const override { return problem_.forceNoise(); }

    bool residual(const NodeVector<3>& z, NodeVector<3>& R) override
    {
      return timed(assembly, [&] { return problem_.residual(z, R); });
    }

    const BlockMatrix<3>& matrix(const NodeVector<3>& z) override
    {
      return timed(assembly, [&]() -> const BlockMatrix<3>& { return problem_.matrix(z); });
    }

    std::optional<double> energy(const NodeVector<3>& z) override
    {
      return timed(assembly, [&] { return problem_.energy(z); });
    }

    void constraints(const NodeVector<3>& z, SignoriniConstraints<3>& constraints) override
    {
      timed(contact, [&] { problem_.constraints(z, constraints); });
    }

    void addCurvature(const NodeVector<3>& z, const std::vector<double>& mu,
                      std::vector<MatrixBlock<3>>& blocks) override
    {
      timed(contact, [&] { problem_.addCurvature(z, mu, blocks); });
    }

    double assembly = 0, contact = 0;

  private:
    StepProblem<3>& problem_;
  };

  //! A ball of radius 50 by Gmsh, the surface twice as fine as the middle at most
  CoarseMesh<3> gmshBall(double size)
  {
    const auto folder =
      std::filesystem::temp_directory_path() / ("benchmark-ball3-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string geometry = folder / "ball.geo", mesh = folder / "ball.msh";
    std::ofstream(geometry) << "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 50};\n"
                            << "Mesh.MeshSizeMin = " << size << "; Mesh.MeshSizeMax = " << size
                            << ";\n"
                            << "Mesh.MshFileVersion = 2.2; Physical Surface(\"surface\") = {1}; "
                               "Physical Volume(\"ball\") = {1};\n";
    if (std::system(("gmsh -3 -v 0 " + geometry + " -o " + mesh).c_str()) != 0)
      throw RunError("gmsh has not made a mesh");
    auto result = readGmsh<3>(mesh);
    std::filesystem::remove_all(folder);
    return result;
  }

  struct Result
  {
    std::size_t nodes = 0, levels = 0, coarsest = 0;
    double setup = 0, whole = 0, assembly = 0, contact = 0, cpu = 0, memory = 0;
    SqpReport report;
    double sum = 0; //!< of all displacements, to compare results
  };

  struct Case
  {
    SolidMesh<3> ball, block;
    bool algebraic = false; //!< forget the levels of the meshes
    int threads = 1;
    double speed = 0.4; //!< at which the body falls
    SqpSettings sqp = {};
  };

  Case geometricCase(int cells, int levels)
  {
    // cells of the block have about the size of those of the ball
    return {.ball = Test::ballMesh(cells, levels),
            .block = Test::blockMesh({4 * cells, 5 * cells / 2, std::max(1, cells / 2)}, levels)};
  }

  Case cubeCase(int cells, int levels)
  {
    const auto shape = CellShape::cube;
    return {.ball =
              refineMesh(makeBox<3>({-50, -50, -50}, {50, 50, 50}, {cells, cells, cells}, shape),
                         levels, "cube"),
            .block = Test::blockMesh({3 * cells, 2 * cells, std::max(1, cells / 2)}, levels, shape),
            .speed = 2,
            .sqp = {.maxIterations = 10}};
  }

  Case gmshCase(double size, int cells, int levels)
  {
    Case result = geometricCase(cells, levels);
    result.ball = refineMesh(gmshBall(size), 0, "ball");
    result.algebraic = true;
    return result;
  }

  //! The step in which the ball, which rolls and falls, comes to touch
  Result run(Case c)
  {
    setenv("OMP_NUM_THREADS", std::to_string(c.threads).c_str(), 1);
    Result result;
    double start = clockSeconds();
    if (c.algebraic)
      c.ball.prolongations.clear(), c.block.prolongations.clear();
    Test::BallOnBlock scene(std::move(c.ball), std::move(c.block), c.speed, c.threads);
    const ImplicitModel<3>& model = *scene.model;
    ImplicitWorkspace<3> workspace(model);
    const DissipativeMidpoint<3> rule;
    ContactSqp<3> sqp(c.sqp, {.tolerance = 1e-4, .cycle = {.threads = c.threads}});
    const auto transfers = model.transfers();
    sqp.setTransfers(transfers);
    result.levels = transfers.size() + 1;
    result.coarsest = transfers.empty() ? 0 : transfers.back()->coarseSize();
    result.setup = clockSeconds() - start;
    start = clockSeconds();
    const double cpu = processSeconds();
    ImplicitProblem<3> problem(model, rule, workspace, scene.state, 1, 1);
    result.contact = clockSeconds() - start; // mostly gaps
    TimedProblem timed(problem);
    NodeVector<3> z = problem.predictor();
    std::vector<double> mu(model.multiplierBegin.back(), 0);
    result.nodes = z.size();
    result.report = sqp.solve(timed, z, mu);
    result.whole = clockSeconds() - start;
    result.cpu = processSeconds() - cpu;
    result.assembly = timed.assembly;
    result.contact += timed.contact;
    for (std::size_t i = 0; i < z.size(); ++i)
      result.sum += z[i][0] + 2 * z[i][1] + 3 * z[i][2];
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    result.memory = double(usage.ru_maxrss) * 1024;
    return result;
  }

  //! One case, in a process of its own so that its memory is known: levels or gmsh, cells, levels,
  //! threads, rule
  struct Name
  {
    std::string kind = "levels";
    int cells = 2, levels = 2, threads = 1;
    double size = 0; //!< of the edges of a Gmsh ball
  };

  Result runNamed(const Name& name)
  {
    Case c = name.kind == "gmsh"   ? gmshCase(name.size, name.cells, name.levels)
             : name.kind == "cube" ? cubeCase(name.cells, name.levels)
                                   : geometricCase(name.cells, name.levels);
    c.algebraic = name.kind == "algebraic" || name.kind == "gmsh";
    c.threads = name.threads;
    return run(std::move(c));
  }

  Result runInChild(const Name& name)
  {
    int ends[2];
    if (pipe(ends) != 0)
      throw RunError("no pipe");
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      int argc = 0;
      char** argv = nullptr;
      Dune::MPIHelper::instance(argc, argv);
      const Result result = runNamed(name);
      const bool good = write(ends[1], &result, sizeof result) == ssize_t(sizeof result);
      std::exit(good ? 0 : 1); // MPI ends here too
    }
    close(ends[1]);
    Result result;
    const bool good = read(ends[0], &result, sizeof result) == ssize_t(sizeof result);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!good)
      throw RunError("a case has failed");
    return result;
  }

  void printHeader()
  {
    std::printf("%-9s %7s %7s %6s %8s %7s %8s %8s %8s %8s %8s %5s %6s %6s %6s\n", "", "nodes",
                "threads", "levels", "coarsest", "setup/s", "step/s", "assembly", "contact",
                "solver", "cpu/s", "SQP", "cycles", "per QP", "kB/dof");
  }

  double cyclesPerProblem(const Result& r)
  {
    return double(r.report.cycles) / std::max(1, r.report.iterations + r.report.rejected);
  }

  Result show(const Name& name)
  {
    const Result r = runInChild(name);
    std::printf(
      "%-9s %7zu %7d %6zu %8zu %7.2f %8.3f %8.3f %8.3f %8.3f %8.3f %5d %6d %6.1f %6.2f%s\n",
      name.kind.c_str(), r.nodes, name.threads, r.levels, r.coarsest, r.setup, r.whole, r.assembly,
      r.contact, r.whole - r.assembly - r.contact, r.cpu, r.report.iterations, r.report.cycles,
      cyclesPerProblem(r), r.memory / 1000 / double(3 * r.nodes),
      r.report.converged || name.kind == "cube" ? "" : "  NOT CONVERGED");
    std::fflush(stdout);
    return r;
  }

  void keepFaster(Result& best, const Result& other)
  {
    if (other.whole < best.whole)
      best = other;
  }

  //! Largest over smallest number of cycles per quadratic problem
  double spread(const std::vector<Result>& results)
  {
    const auto [least, most] =
      std::minmax_element(results.begin(), results.end(), [](const Result& a, const Result& b) {
        return cyclesPerProblem(a) < cyclesPerProblem(b);
      });
    return cyclesPerProblem(*most) / cyclesPerProblem(*least);
  }

  //! Exponent of the time as a power of the number of nodes, from a fit to all sizes
  double growth(const std::vector<Result>& results)
  {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const Result& r : results) {
      const double n = std::log(double(r.nodes)), t = std::log(r.cpu);
      x += n, y += t, xx += n * n, xy += n * t;
    }
    const double m = double(results.size());
    return (m * xy - x * y) / (m * xx - x * x);
  }

} // namespace

int main(int argc, char** argv)
{
  if (argc > 2) { // a single case: kind, cells, levels, threads, size
    const auto number = [&](int i, double otherwise) {
      return argc > i ? std::atof(argv[i]) : otherwise;
    };
    printHeader();
    show({argv[1], int(number(2, 2)), int(number(3, 2)), int(number(4, 1)), number(5, 5)});
    return 0;
  }
  printHeader();
  if (argc > 1 && std::string(argv[1]) == "cubes") {
    std::vector<Result> cubes;
    for (int levels : {2, 3, 4, 5})
      cubes.push_back(show({.kind = "cube", .levels = levels}));
    std::printf("\ncycles per quadratic problem over four levels: largest %.2f times the smallest "
                "(at most 1.25)\n",
                spread(cubes));
    return 0;
  }
  std::vector<Result> sizes;
  for (int levels : {1, 2, 3, 4})
    sizes.push_back(show({.levels = levels}));
  // the fastest of some pairs of runs: others on the machine disturb the memory that both threads
  // share
  Result one = sizes[2], two = show({.levels = 3, .threads = 2});
  for (int repetition = 0; repetition < 2; ++repetition) {
    keepFaster(one, show({.levels = 3}));
    keepFaster(two, show({.levels = 3, .threads = 2}));
  }
  const Result algebraic = show({.kind = "algebraic", .levels = 3});
  const Result gmsh = show({.kind = "gmsh", .levels = 3, .size = 3.3});
  std::printf("\ncycles per quadratic problem: largest %.2f times the smallest\n", spread(sizes));
  std::printf("cost per step grows like nodes^%.2f (at most 1.1)\n", growth(sizes));
  std::printf("%zu nodes: contact %.1f %% of the step (at most 5), two threads %.2f times as fast "
              "as one (at least 1.6), %s\n",
              one.nodes, 100 * one.contact / one.whole, one.whole / two.whole,
              one.sum == two.sum ? "same bits" : "OTHER BITS");
  std::printf("cycles without levels: same mesh %.2f times, Gmsh ball %.2f times those with "
              "levels, per quadratic problem (at most 3)\n",
              cyclesPerProblem(algebraic) / cyclesPerProblem(one),
              cyclesPerProblem(gmsh) / cyclesPerProblem(one));
  std::printf("memory %.2f kB per degree of freedom (at most 4)\n",
              one.memory / 1000 / double(3 * one.nodes));
  if (argc > 1)
    if (const double other = runYardstick(argv[1], 48); other > 0)
      std::printf("the whole step takes %.2f times the %.2f s of the Signorini problem with 346 "
                  "000 unknowns (at most 5)\n",
                  one.cpu / other, other);
}
