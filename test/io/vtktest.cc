// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cstring>
#include <map>
#include <regex>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/vtk.hh>

#include "support.hh"

using namespace Dune::Impact;
using namespace Dune::Impact::Testing;

namespace {

  // The attributes of all tags with a name, in their order
  std::vector<std::map<std::string, std::string>> tags(const std::string& xml,
                                                       const std::string& name)
  {
    std::vector<std::map<std::string, std::string>> result;
    const std::regex tag("<" + name + "([^>]*)>"), attribute("(\\w+)=\"([^\"]*)\"");
    const std::string head = xml.substr(0, xml.find("<AppendedData"));
    for (std::sregex_iterator i(head.begin(), head.end(), tag), end; i != end; ++i) {
      const std::string inside = (*i)[1];
      auto& entry = result.emplace_back();
      for (std::sregex_iterator a(inside.begin(), inside.end(), attribute); a != end; ++a)
        entry[(*a)[1]] = (*a)[2];
    }
    return result;
  }

  // A small reader of VTK files with appended raw data
  class VtuFile
  {
  public:
    explicit VtuFile(const std::filesystem::path& file) : text_(slurp(file))
    {
      const std::string begin = "<AppendedData encoding=\"raw\">";
      data_ = text_.find('_', text_.find(begin) + begin.size()) + 1;
      for (auto& array : tags(text_, "DataArray"))
        arrays_[array.at("Name")] = array;
    }

    std::map<std::string, std::string> piece() const { return tags(text_, "Piece").at(0); }
    std::size_t size() const { return arrays_.size(); }
    const auto& attributes(const std::string& name) const { return arrays_.at(name); }
    bool complete() const
    {
      return contains(text_, "</AppendedData>\n</VTKFile>\n") && text_.ends_with("</VTKFile>\n");
    }

    // Where an array is mentioned, to tell point data from cell data
    std::size_t place(const std::string& text) const { return text_.find(text); }

    template<class T>
    std::vector<T> values(const std::string& name) const
    {
      const auto begin = data_ + std::stoul(arrays_.at(name).at("offset"));
      std::uint32_t bytes = 0;
      std::memcpy(&bytes, text_.data() + begin, sizeof(bytes));
      std::vector<T> result(bytes / sizeof(T));
      if (begin + 4 + bytes > text_.size())
        throw std::runtime_error("array beyond the end of the file");
      if (bytes > 0)
        std::memcpy(result.data(), text_.data() + begin + 4, bytes);
      return result;
    }

  private:
    std::string text_;
    std::size_t data_ = 0;
    std::map<std::string, std::map<std::string, std::string>> arrays_;
  };

  // One cell of each type over eight points, with fields of one, three and nine components
  VisualizationData makeVisual(double shift)
  {
    VisualizationData visual;
    for (int i = 0; i < 8; ++i)
      visual.points.push_back({i / 3. + shift, -i / 7., 1e-300 * i});
    visual.addCell(VisualizationCell::vertex, {7});
    visual.addCell(VisualizationCell::line, {0, 1});
    visual.addCell(VisualizationCell::triangle, {2, 1, 0});
    visual.addCell(VisualizationCell::quadrilateral, {0, 1, 3, 2});
    visual.addCell(VisualizationCell::tetrahedron, {0, 1, 2, 4});
    visual.addCell(VisualizationCell::hexahedron, {0, 1, 3, 2, 4, 5, 7, 6});
    visual.pointFields = {{"velocity", 3, std::vector<double>(24, 1. / 3)},
                          {"gap <1>", 1, difficultNumbers()}};
    visual.pointFields[1].values.resize(8);
    visual.cellFields = {{"stress", 9, {}}};
    for (int i = 0; i < 54; ++i)
      visual.cellFields[0].values.push_back(shift + 1. / (i + 1));
    return visual;
  }

  // The entries of a .pvd file: time, part, file
  std::vector<std::string> entriesOf(const std::filesystem::path& pvd)
  {
    std::vector<std::string> result;
    for (auto& entry : tags(slurp(pvd), "DataSet"))
      result.push_back(entry.at("timestep") + " " + entry.at("part") + " " + entry.at("file"));
    return result;
  }

} // namespace

// All numbers of the picture are in the file, bit by bit.
Dune::TestSuite contentTest()
{
  Dune::TestSuite test("content");
  const TemporaryFolder folder;
  const auto visual = makeVisual(0.25);
  writeVtu(folder / "a.vtu", visual);
  const VtuFile file(folder / "a.vtu");
  test.check(file.complete(), "complete");
  const std::map<std::string, std::string> piece = {{"NumberOfCells", "6"},
                                                    {"NumberOfPoints", "8"}};
  test.check(file.piece() == piece, "piece");
  test.require(file.size() == 7, "arrays") << file.size();

  std::vector<double> coordinates;
  for (const auto& x : visual.points)
    coordinates.insert(coordinates.end(), x.begin(), x.end());
  test.check(sameBits(file.values<double>("Coordinates"), coordinates), "points");
  test.check(file.values<std::int32_t>("connectivity") ==
               std::vector<std::int32_t>(visual.connectivity.begin(), visual.connectivity.end()),
             "corners");
  test.check(file.values<std::int32_t>("offsets") == std::vector<std::int32_t>{1, 3, 6, 10, 14, 22},
             "offsets");
  test.check(file.values<std::uint8_t>("types") == std::vector<std::uint8_t>{1, 3, 5, 9, 10, 12},
             "types");
  test.check(sameBits(file.values<double>("velocity"), visual.pointFields[0].values),
             "vector field");
  test.check(sameBits(file.values<double>("gap &lt;1&gt;"), visual.pointFields[1].values),
             "field with a difficult name");
  test.check(sameBits(file.values<double>("stress"), visual.cellFields[0].values), "tensor field");
  test.check(file.attributes("stress").at("NumberOfComponents") == "9" &&
               file.attributes("velocity").at("NumberOfComponents") == "3",
             "components");
  test.check(file.attributes("stress").at("type") == "Float64", "precision");
  test.check(file.place("<PointData") < file.place("\"velocity\"") &&
               file.place("\"velocity\"") < file.place("<CellData") &&
               file.place("<CellData") < file.place("\"stress\""),
             "sections");

  writeVtu(folder / "empty.vtu", VisualizationData{});
  const VtuFile empty(folder / "empty.vtu");
  test.check(empty.complete() && empty.piece().at("NumberOfPoints") == "0", "empty picture");
  return test;
}

// A picture whose parts do not fit together is refused.
Dune::TestSuite faultTest()
{
  Dune::TestSuite test("faults");
  const TemporaryFolder folder;
  const auto refusal = [&](auto spoil) {
    auto visual = makeVisual(0);
    spoil(visual);
    return errorOf<RunError>([&] { writeVtu(folder / "a.vtu", visual); });
  };
  test.check(refusal([](auto&) {}).empty(), "good");
  std::filesystem::remove(folder / "a.vtu");
  test.check(contains(refusal([](auto& v) { v.pointFields[0].values.pop_back(); }),
                      "the field velocity has 23"),
             "point field");
  test.check(
    contains(refusal([](auto& v) { v.cellFields[0].components = 3; }), "the field stress has 54"),
    "cell field");
  test.check(
    contains(refusal([](auto& v) { v.connectivity[3] = 8; }), "the corner 8, there are 8 points"),
    "corner");
  test.check(contains(refusal([](auto& v) { v.offsets[1] = 2; }), "cell 1 has a wrong number"),
             "offset");
  test.check(contains(refusal([](auto& v) { v.offsets.pop_back(); }), "no offsets"),
             "missing offset");
  test.check(
    contains(refusal([](auto& v) { v.connectivity.push_back(0); }), "corners without a cell"),
    "extra corner");
  test.check(!exists(folder / "a.vtu"), "nothing is written");

  std::string error;
  {
    const FileSizeLimit full(500);
    error = refusal([](auto&) {});
  }
  test.check(contains(error, "a.vtu: cannot write: File too large"), "full disk") << error;
  test.check(!exists(folder / "a.vtu"), "no half picture");
  return test;
}

// The animation lists what is there after every instant.
Dune::TestSuite pvdTest()
{
  Dune::TestSuite test("pvd");
  const TemporaryFolder folder;
  PvdWriter writer(folder / "out", "fall", {"ball", "block/top & \"more\""});
  std::vector<std::string> expected;
  for (int i = 0; i < 3; ++i) {
    const double time = 0.1 * i;
    const long step = 40 * i;
    writer.write(step, time, std::vector{makeVisual(i), makeVisual(-i)});
    const std::string numbers[] = {"-000000.vtu", "-000040.vtu", "-000080.vtu"};
    const auto number = numbers[i];
    const std::string times[] = {"0", "0.1", "0.2"};
    expected.push_back(times[i] + " 0 vtk/fall-ball" + number);
    expected.push_back(times[i] + " 1 vtk/fall-block_top____more_" + number);
    test.check(entriesOf(writer.file()) == expected, "entries") << i;
    test.check(slurp(writer.file()).ends_with("</VTKFile>\n"), "complete");
    test.check(VtuFile(folder / "out" / writer.picture(1, step)).values<double>("Coordinates")[0] ==
                 -i,
               "picture")
      << i;
  }
  test.check(writer.file() == folder / "out" / "fall.pvd", "name");
  test.check(writer.instants() == std::vector<AnimationInstant>{{0, 0.}, {40, 0.1}, {80, 0.2}},
             "instants");
  test.check(tags(slurp(writer.file()), "DataSet")[1].at("group") ==
               "block/top &amp; &quot;more&quot;",
             "name of a part");

  const PvdWriter twins(folder / "out", "x", {"a b", "a_b", "a/b"});
  test.check(twins.picture(0, 0) != twins.picture(1, 0) &&
               twins.picture(1, 0) != twins.picture(2, 0) &&
               twins.picture(0, 0) != twins.picture(2, 0),
             "no two parts share a file");
  return test;
}

// A resumed animation forgets what came after the checkpoint and ends as if it were one.
Dune::TestSuite resumeTest()
{
  Dune::TestSuite test("resume");
  const TemporaryFolder folder;
  const std::vector<std::string> parts = {"ball"};
  std::string whole;
  std::vector<AnimationInstant> instants;
  {
    PvdWriter writer(folder.path(), "fall", parts);
    for (int i = 0; i < 5; ++i) {
      writer.write(7 * i, i / 3., std::vector{makeVisual(i)});
      if (i == 2)
        instants = writer.instants();
    }
    whole = slurp(writer.file());
  }
  PvdWriter writer(folder.path(), "fall", parts, instants, 9);
  test.check(writer.instants() == std::vector<AnimationInstant>{{0, 0.}, {7, 1 / 3.}},
             "later instants are dropped");
  test.check(entriesOf(writer.file()).size() == 2, "entries");
  test.check(exists(folder.path() / writer.picture(0, 7)), "pictures of the past stay");
  for (int i = 2; i < 5; ++i)
    test.check(!exists(folder.path() / writer.picture(0, 7 * i)), "pictures of the future go") << i;
  for (int i = 2; i < 5; ++i)
    writer.write(7 * i, i / 3., std::vector{makeVisual(i)});
  test.check(slurp(writer.file()) == whole, "same animation");
  return test;
}

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  test.subTest(contentTest());
  test.subTest(faultTest());
  test.subTest(pvdTest());
  test.subTest(resumeTest());
  return test.exit();
}
