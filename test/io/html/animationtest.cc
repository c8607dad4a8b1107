// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/html/animation.hh>

/* Frames of a run: skins, thinning, continuing after an interruption, files. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! Two hexahedra side by side, two tetrahedra with a common face, a line and a ball, moved by x
  std::vector<VisualizationData> pictures(double x)
  {
    VisualizationData boxes, tetrahedra, others;
    for (double layer : {0.0, 1.0, 2.0})
      for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}})
        boxes.points.push_back(corner + Vec3{x, 0, layer});
    boxes.addCell(VisualizationCell::hexahedron, {0, 1, 2, 3, 4, 5, 6, 7});
    boxes.addCell(VisualizationCell::hexahedron, {4, 5, 6, 7, 8, 9, 10, 11});
    boxes.pointFields = {{"velocity", 3, std::vector<double>(36, 2.0)}};
    boxes.cellFields = {{"stress", 9, std::vector<double>(18, 1.0)}, {"von_mises", 1, {1, 3}}};
    tetrahedra.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
    tetrahedra.addCell(VisualizationCell::tetrahedron, {0, 1, 2, 3});
    tetrahedra.addCell(VisualizationCell::tetrahedron, {0, 2, 1, 4});
    others.points = {{x, 0, 0}, {x, 1, 0}, {x, 2, 0}, {5, 5, 5}};
    others.addCell(VisualizationCell::line, {1, 2});
    others.addCell(VisualizationCell::vertex, {0});
    others.pointFields = {{"radius", 1, {0.5, 0, 0, 0}}};
    return {boxes, tetrahedra, others};
  }

  Animation makeFilm(const Animation::Limits& limits = {})
  {
    return Animation(3, {"boxes", "tetrahedra", "others"},
                     {Animation::Kind::body, Animation::Kind::contact, Animation::Kind::obstacle},
                     limits);
  }

  //! Faces of second order are cut into four triangles: the skin of a tetrahedron of which one edge
  //! is bent outwards encloses more than the straight one
  TestSuite curvedFacesAreCut()
  {
    TestSuite test("curved faces");
    VisualizationData cell, plane;
    cell.points = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                   {.6, .6, 0}, {0, .5, 0}, {0, 0, .5}, {.5, 0, .5}, {0, .5, .5}};
    cell.addCell(VisualizationCell::quadraticTetrahedron, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    plane.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5, 0, 0}, {.5, .5, 0}, {0, .5, 0}};
    plane.addCell(VisualizationCell::quadraticTriangle, {0, 1, 2, 3, 4, 5});
    Animation film(3, {"cell", "plane"}, {Animation::Kind::body, Animation::Kind::body}, {});
    film.add(0, 0, std::vector{cell, plane});
    const auto& parts = film.parts();
    test.require(parts[0].triangles.size() == 3 * 16 && parts[0].points == 10 &&
                   parts[1].triangles.size() == 3 * 4 && parts[1].points == 6,
                 "triangles");
    const auto& numbers = film.frames()[0].numbers;
    const auto point = [&](std::size_t first, std::uint32_t i) {
      return Vec3{numbers[first + 3 * i], numbers[first + 3 * i + 1], numbers[first + 3 * i + 2]};
    };
    double volume = 0, area = 0;
    for (std::size_t t = 0; t < parts[0].triangles.size(); t += 3)
      volume += point(0, parts[0].triangles[t]) *
                cross(point(0, parts[0].triangles[t + 1]), point(0, parts[0].triangles[t + 2])) / 6;
    for (std::size_t t = 0; t < parts[1].triangles.size(); t += 3) {
      const auto& corner = parts[1].triangles;
      const Vec3 x = point(30, corner[t]);
      area += cross(point(30, corner[t + 1]) - x, point(30, corner[t + 2]) - x)[2] / 2;
    }
    // the flat part of the face below grows by 1/10, and with it the pyramids over it
    test.check(volume > 1.0 / 6 + 0.02, "the bent edge is shown") << volume;
    test.check(std::abs(area - 0.5) < 1e-6, "a flat triangle keeps its area") << area;
    return test;
  }

  TestSuite skinsAreOuterFaces()
  {
    TestSuite test("skins");
    Animation film = makeFilm();
    film.add(0, 0, pictures(0));
    const auto& [boxes, tetrahedra, others] =
      std::tie(film.parts()[0], film.parts()[1], film.parts()[2]);
    test.check(boxes.triangles.size() == 3 * 20 && boxes.points == 12, "ten faces of two boxes")
      << boxes.triangles.size();
    test.check(tetrahedra.triangles.size() == 3 * 6 && tetrahedra.points == 5,
               "six faces of two tetrahedra")
      << tetrahedra.triangles.size();
    test.check(others.lines.size() == 2 && others.vertices.size() == 1 && others.points == 3,
               "points without cells are left out")
      << others.points;
    test.check(others.radius == std::vector<double>{0.5}, "radius");
    test.check(boxes.fields == std::vector<std::string>{"velocity", "von_mises"}, "fields");
    const auto& numbers = film.frames()[0].numbers;
    test.require(numbers.size() == boxes.size() + tetrahedra.size() + others.size(), "numbers")
      << numbers.size();
    test.check(std::abs(numbers[36] - std::sqrt(12.0)) < 1e-6, "length of a vector") << numbers[36];
    double least = 10, largest = 0;
    for (std::size_t i = 48; i < 60; ++i) {
      least = std::min<double>(least, numbers[i]);
      largest = std::max<double>(largest, numbers[i]);
    }
    test.check(least == 1 && largest == 3, "values of cells") << least << " " << largest;
    // outward: the sum of area vectors of a closed surface is zero, its volume positive
    double volume = 0;
    for (std::size_t i = 0; i < boxes.triangles.size(); i += 3) {
      std::array<Vec3, 3> x;
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c)
          x[k][c] = numbers[3 * boxes.triangles[i + k] + c];
      volume += x[0] * cross(x[1], x[2]) / 6;
    }
    test.check(std::abs(volume - 2) < 1e-6, "faces look outward") << volume;
    return test;
  }

  //! The frames of a run that was interrupted after some steps, and continued from two thirds of
  //! them
  Animation run(long steps, long interrupted, const std::filesystem::path& file)
  {
    const Animation::Limits limits{.frames = 10, .bytes = 1 << 20};
    Animation film = makeFilm(limits);
    for (long n = 0; n <= steps; ++n) {
      if (n == steps)
        film.addLast(n, n, pictures(n));
      else if (film.wants(n))
        film.add(n, n, pictures(n));
      if (n == interrupted) {
        film.save(file);
        film = Animation::load(file, limits);
        n = 2 * n / 3;
        film.truncate(n);
        interrupted = -1;
      }
    }
    return film;
  }

  TestSuite framesDoNotDependOnInterruptions(const std::filesystem::path& folder)
  {
    TestSuite test("frames");
    const Animation whole = run(1003, -1, folder / "film.h5");
    test.check(whole.stride() == 128 && whole.frames().size() == 9, "every 128th and the last")
      << whole.stride() << " " << whole.frames().size();
    test.check(whole.frames().back().step == 1003, "the last one") << whole.frames().back().step;
    for (long interrupted : {1L, 7L, 300L, 900L}) {
      const Animation other = run(1003, interrupted, folder / "film.h5");
      test.require(other.frames().size() == whole.frames().size(), "number") << interrupted;
      for (std::size_t n = 0; n < whole.frames().size(); ++n)
        test.check(other.frames()[n].step == whole.frames()[n].step &&
                     other.frames()[n].numbers == whole.frames()[n].numbers,
                   "frame")
          << interrupted << " " << n;
    }
    return test;
  }

  TestSuite bytesAreLimited()
  {
    TestSuite test("bytes");
    Animation film = makeFilm({.frames = 1000, .bytes = 20000});
    for (long n = 0; n < 500; ++n)
      film.add(n, n, pictures(n));
    std::size_t bytes = 0;
    for (const auto& frame : film.frames())
      bytes += frame.numbers.size() * sizeof(float);
    test.check(bytes <= 20000 && bytes > 8000, "most bytes") << bytes;
    return test;
  }

  TestSuite wrongFilesAreRefused(const std::filesystem::path& folder)
  {
    TestSuite test("files");
    run(20, -1, folder / "film.h5");
    Animation film = makeFilm();
    film.add(0, 0.25, pictures(0));
    film.save(folder / "film.h5");
    const std::string bytes = readFile(folder / "film.h5");
    for (std::size_t size :
         {std::size_t(0), std::size_t(100), bytes.size() / 2, bytes.size() - 100}) {
      std::ofstream(folder / "short.h5", std::ios::binary) << bytes.substr(0, size);
      bool refused = false;
      try {
        Animation::load(folder / "short.h5");
      }
      catch (const InputError& error) {
        refused = std::string(error.what()).find("short.h5") != std::string::npos;
      }
      test.check(refused, "a file that was cut off") << size;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const auto folder =
    std::filesystem::temp_directory_path() / ("dune-impact-filmtest-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  TestSuite test;
  test.subTest(skinsAreOuterFaces());
  test.subTest(curvedFacesAreCut());
  test.subTest(framesDoNotDependOnInterruptions(folder));
  test.subTest(bytesAreLimited());
  test.subTest(wrongFilesAreRefused(folder));
  std::filesystem::remove_all(folder);
  return test.exit();
}
