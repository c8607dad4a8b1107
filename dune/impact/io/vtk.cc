// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <dune/grid/io/file/vtk/vtuwriter.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/markup.hh>
#include <dune/impact/io/vtk.hh>

namespace Dune::Impact {

  namespace {

    // Number of points of a cell
    std::size_t corners(VisualizationCell cell)
    {
      switch (cell) {
      case VisualizationCell::vertex:
        return 1;
      case VisualizationCell::line:
        return 2;
      case VisualizationCell::triangle:
        return 3;
      case VisualizationCell::quadrilateral:
      case VisualizationCell::tetrahedron:
        return 4;
      case VisualizationCell::quadraticTriangle:
        return 6;
      case VisualizationCell::hexahedron:
        return 8;
      case VisualizationCell::quadraticTetrahedron:
        return 10;
      }
      return 0;
    }

    // Why cells do not fit the points, or an empty text
    std::string cellFault(const VisualizationData& visual)
    {
      if (visual.offsets.size() != visual.cells.size())
        return "the cells have no offsets";
      for (std::size_t i = 0, begin = 0; i < visual.cells.size(); begin = visual.offsets[i++])
        if (visual.offsets[i] < begin || visual.offsets[i] - begin != corners(visual.cells[i]))
          return fmt::format("cell {} has a wrong number of corners", i);
      if (visual.connectivity.size() != (visual.cells.empty() ? 0 : visual.offsets.back()))
        return "there are corners without a cell";
      for (auto point : visual.connectivity)
        if (point >= visual.points.size())
          return fmt::format("a cell has the corner {}, there are {} points", point,
                             visual.points.size());
      return "";
    }

    std::string fieldFault(const std::vector<VisualizationField>& fields, std::size_t items)
    {
      for (const auto& field : fields)
        if (field.components < 1 || field.values.size() != items * field.components)
          return fmt::format("the field {} has {} values for {} items of {} components", field.name,
                             field.values.size(), items, field.components);
      return "";
    }

    // The offsets of the format have 32 bits.
    std::string sizeFault(const VisualizationData& visual)
    {
      std::size_t bytes =
        24 * visual.points.size() + 4 * visual.connectivity.size() + 5 * visual.cells.size();
      for (const auto* fields : {&visual.pointFields, &visual.cellFields})
        for (const auto& field : *fields)
          bytes += 8 * field.values.size() + 4;
      return bytes < std::numeric_limits<std::uint32_t>::max() - 1024 ? ""
                                                                      : "more than 4 GiB of data";
    }

    void checkVisual(const std::filesystem::path& file, const VisualizationData& visual)
    {
      for (const auto& fault :
           {cellFault(visual), fieldFault(visual.pointFields, visual.points.size()),
            fieldFault(visual.cellFields, visual.cells.size()), sizeFault(visual)})
        if (!fault.empty())
          throw RunError(fmt::format("{}: cannot write: {}", file.string(), fault));
    }

    // One array of the file. The writer of DUNE goes over all arrays twice: first for their
    // names and places, then for their data.
    template<class Range>
    void dumpArray(VTK::VTUWriter& writer, const std::string& name, unsigned components,
                   unsigned items, VTK::Precision precision, const Range& values)
    {
      const std::unique_ptr<VTK::DataArrayWriter> array(
        writer.makeArrayWriter(markupText(name), components, items, precision));
      if (!array->writeIsNoop())
        for (const auto& value : values)
          array->write(value);
    }

    void dumpFields(VTK::VTUWriter& writer, const std::vector<VisualizationField>& fields,
                    std::size_t items)
    {
      for (const auto& field : fields)
        dumpArray(writer, field.name, field.components, items, VTK::Precision::float64,
                  field.values);
    }

    void dumpGrid(VTK::VTUWriter& writer, const VisualizationData& visual)
    {
      std::vector<double> coordinates;
      coordinates.reserve(3 * visual.points.size());
      for (const auto& point : visual.points)
        coordinates.insert(coordinates.end(), point.begin(), point.end());
      std::vector<std::uint8_t> types;
      for (auto cell : visual.cells)
        types.push_back(static_cast<std::uint8_t>(cell));

      writer.beginPoints();
      dumpArray(writer, "Coordinates", 3, visual.points.size(), VTK::Precision::float64,
                coordinates);
      writer.endPoints();
      writer.beginCells();
      dumpArray(writer, "connectivity", 1, visual.connectivity.size(), VTK::Precision::int32,
                visual.connectivity);
      dumpArray(writer, "offsets", 1, visual.cells.size(), VTK::Precision::int32, visual.offsets);
      dumpArray(writer, "types", 1, visual.cells.size(), VTK::Precision::uint8, types);
      writer.endCells();
    }

    void dumpAll(VTK::VTUWriter& writer, const VisualizationData& visual)
    {
      writer.beginPointData();
      dumpFields(writer, visual.pointFields, visual.points.size());
      writer.endPointData();
      writer.beginCellData();
      dumpFields(writer, visual.cellFields, visual.cells.size());
      writer.endCellData();
      dumpGrid(writer, visual);
    }

    // Names for files: other letters become underscores, and no two names are the same.
    std::vector<std::string> makeFileNames(std::vector<std::string> names)
    {
      for (auto i = names.begin(); i != names.end(); ++i) {
        for (char& c : *i)
          if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-')
            c = '_';
        while (std::find(names.begin(), i, *i) != i)
          *i += '_';
      }
      return names;
    }

  } // namespace

  void writeVtu(const std::filesystem::path& file, const VisualizationData& visual)
  {
    checkVisual(file, visual);
    std::ostringstream stream;
    {
      VTK::VTUWriter writer(stream, VTK::appendedraw, VTK::unstructuredGrid);
      writer.beginMain(visual.cells.size(), visual.points.size());
      dumpAll(writer, visual);
      writer.endMain();
      if (writer.beginAppended())
        dumpAll(writer, visual);
      writer.endAppended();
    } // here the last tag is written
    replaceFile(file, stream.view());
  }

  PvdWriter::PvdWriter(std::filesystem::path directory, std::string name,
                       std::vector<std::string> parts)
    : directory_(std::move(directory))
    , name_(std::move(name))
    , parts_(std::move(parts))
    , fileNames_(makeFileNames(parts_))
  {}

  PvdWriter::PvdWriter(std::filesystem::path directory, std::string name,
                       std::vector<std::string> parts, std::span<const AnimationInstant> instants,
                       long end)
    : PvdWriter(std::move(directory), std::move(name), std::move(parts))
  {
    for (const AnimationInstant& instant : instants)
      if (instant.step <= end)
        addInstant(instant);
    makeFolder(directory_);
    removeAfter(end);
    writeIndex();
  }

  std::filesystem::path PvdWriter::picture(std::size_t part, long step) const
  {
    return std::filesystem::path("vtk") /
           fmt::format("{}-{}-{:06}.vtu", name_, fileNames_[part], step);
  }

  void PvdWriter::write(long step, double time, std::span<const VisualizationData> visuals)
  {
    assert(visuals.size() == parts_.size());
    makeFolder(directory_ / "vtk");
    for (std::size_t part = 0; part < parts_.size(); ++part)
      writeVtu(directory_ / picture(part, step), visuals[part]);
    addInstant({step, time});
    writeIndex();
  }

  void PvdWriter::addInstant(const AnimationInstant& instant)
  {
    for (std::size_t part = 0; part < parts_.size(); ++part)
      entries_ += fmt::format(
        "    <DataSet timestep=\"{}\" group=\"{}\" part=\"{}\" file=\"{}\"/>\n", instant.time,
        markupText(parts_[part]), part, markupText(picture(part, instant.step).string()));
    instants_.push_back(instant);
  }

  void PvdWriter::writeIndex() const
  {
    replaceFile(
      file(),
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n" +
        entries_ + "  </Collection>\n</VTKFile>\n");
  }

  //! Files NAME-PART-STEP.vtu with a larger step
  void PvdWriter::removeAfter(long end) const
  {
    std::error_code ignored;
    std::vector<std::filesystem::path> late;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ / "vtk", ignored)) {
      const std::string file = entry.path().filename().string();
      for (const std::string& part : fileNames_) {
        const std::string prefix = name_ + "-" + part + "-";
        long step = -1;
        if (!file.starts_with(prefix))
          continue;
        const auto* last = file.data() + file.size();
        const auto [stop, error] = std::from_chars(file.data() + prefix.size(), last, step);
        if (error == std::errc() && std::string_view(stop, last) == ".vtu" && step > end)
          late.push_back(entry.path());
      }
    }
    for (const auto& file : late)
      std::filesystem::remove(file, ignored);
  }

} // namespace Dune::Impact
