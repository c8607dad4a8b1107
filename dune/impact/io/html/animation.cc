// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/hdf5.hh>
#include <dune/impact/io/html/animation.hh>

namespace Dune::Impact {

  namespace {

    using Face = std::vector<std::size_t>;

    //! Faces of a solid cell by its corners, in the order of VTK, seen from outside
    std::vector<Face> faces(VisualizationCell cell)
    {
      if (cell == VisualizationCell::tetrahedron)
        return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
      if (cell == VisualizationCell::hexahedron)
        return {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
      if (cell == VisualizationCell::quadraticTetrahedron)
        return {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};
      return {};
    }

    //! Triangles, lines and vertices of a picture; of solid cells those faces that belong to one
    //! cell only
    struct Skin
    {
      explicit Skin(const VisualizationData& visual)
      {
        std::map<Face, std::pair<Face, int>> outer; // by sorted corners
        for (std::size_t k = 0, begin = 0; k < visual.cells.size(); begin = visual.offsets[k++]) {
          const std::size_t* corner = visual.connectivity.data() + begin;
          switch (visual.cells[k]) {
          case VisualizationCell::vertex:
            vertices.push_back(corner[0]);
            break;
          case VisualizationCell::line:
            lines.insert(lines.end(), corner, corner + 2);
            break;
          case VisualizationCell::triangle:
            addFace({corner, corner + 3});
            break;
          case VisualizationCell::quadraticTriangle:
            addFace({corner, corner + 6});
            break;
          case VisualizationCell::quadrilateral:
            addFace({corner, corner + 4});
            break;
          default:
            for (Face face : faces(visual.cells[k])) {
              for (auto& i : face)
                i = corner[i];
              Face key = face;
              std::sort(key.begin(), key.end());
              auto& entry = outer[key];
              entry.first = face;
              ++entry.second;
            }
          }
        }
        for (const auto& [key, entry] : outer)
          if (entry.second == 1)
            addFace(entry.first);
      }

      //! Triangles of second order are cut into four, other faces into a fan
      void addFace(const Face& face)
      {
        if (face.size() == 6) {
          for (const auto& [a, b, c] :
               {std::array{0, 3, 5}, std::array{3, 1, 4}, std::array{5, 4, 2}, std::array{3, 4, 5}})
            triangles.insert(triangles.end(), {face[a], face[b], face[c]});
          return;
        }
        for (std::size_t i = 2; i < face.size(); ++i)
          triangles.insert(triangles.end(), {face[0], face[i - 1], face[i]});
      }

      std::vector<std::size_t> triangles, lines, vertices;
    };

    bool isRadius(const VisualizationField& field)
    {
      return field.name == "radius";
    }

    //! Fields that become a number per point
    bool isShown(const VisualizationField& field)
    {
      return (field.components == 1 || field.components == 3) && !isRadius(field);
    }

    //! The value of a scalar field, the length of a vector field
    double size(const VisualizationField& field, std::size_t item)
    {
      const double* value = field.values.data() + item * field.components;
      return field.components == 1 ? value[0] : std::hypot(value[0], value[1], value[2]);
    }

    //! Mean values of the cells at each point
    std::vector<double> meanOfCells(const VisualizationData& visual,
                                    const VisualizationField& field)
    {
      std::vector<double> sum(visual.points.size(), 0), count(visual.points.size(), 0);
      for (std::size_t k = 0, begin = 0; k < visual.cells.size(); begin = visual.offsets[k++])
        for (std::size_t i = begin; i < visual.offsets[k]; ++i) {
          sum[visual.connectivity[i]] += size(field, k);
          ++count[visual.connectivity[i]];
        }
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] /= std::max(1.0, count[i]);
      return sum;
    }

    //! Numbers of other types as the doubles that HDF5 stores here
    template<class T>
    std::vector<double> toDoubles(const std::vector<T>& values)
    {
      return {values.begin(), values.end()};
    }

    // Two floats take the place of one double, bit by bit.
    std::vector<double> packFloats(const std::vector<float>& values)
    {
      std::vector<double> packed((values.size() + 1) / 2, 0);
      std::memcpy(packed.data(), values.data(), values.size() * sizeof(float));
      return packed;
    }

    void number(Hdf5::Writer& writer, const std::string& name, long& value)
    {
      writer.number(name, value);
    }
    void number(Hdf5::Reader& reader, const std::string& name, long& value)
    {
      reader.number(name, value);
    }

    template<class T>
    void list(Hdf5::Writer& writer, const std::string& name, std::vector<T>& values)
    {
      writer.list(name, toDoubles(values));
    }

    template<class T>
    void list(Hdf5::Reader& reader, const std::string& name, std::vector<T>& values)
    {
      std::vector<double> doubles;
      reader.list(name, doubles);
      values.assign(doubles.begin(), doubles.end());
    }

    void floats(Hdf5::Writer& writer, std::vector<float>& values, std::size_t)
    {
      writer.list("numbers", packFloats(values));
    }

    void floats(Hdf5::Reader& reader, std::vector<float>& values, std::size_t size)
    {
      std::vector<double> packed;
      reader.list("numbers", packed);
      if (packed.size() != (size + 1) / 2)
        throw Hdf5::Error("a frame has a wrong size");
      values.resize(size);
      std::memcpy(values.data(), packed.data(), size * sizeof(float));
    }

  } // namespace

  Animation::Animation(int dimension, std::vector<std::string> names, std::vector<Kind> kinds,
                       const Limits& limits)
    : dimension_(dimension)
    , limits_(limits)
    , parts_(names.size())
  {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].name = std::move(names[i]);
      parts_[i].kind = kinds[i];
    }
  }

  //! Only points of the skin are kept: used_ lists them in the order of their first use, which is
  //! their new number.
  void Animation::setParts(std::span<const VisualizationData> visuals)
  {
    used_.assign(parts_.size(), {});
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const VisualizationData& visual = visuals[k];
      Part& part = parts_[k];
      Skin skin(visual);
      std::vector<std::size_t> place(visual.points.size(), visual.points.size());
      for (auto* corners : {&skin.triangles, &skin.lines, &skin.vertices})
        for (std::size_t& i : *corners) {
          if (place[i] == visual.points.size()) {
            place[i] = used_[k].size();
            used_[k].push_back(i);
          }
          i = place[i];
        }
      part.triangles.assign(skin.triangles.begin(), skin.triangles.end());
      part.lines.assign(skin.lines.begin(), skin.lines.end());
      part.vertices.assign(skin.vertices.begin(), skin.vertices.end());
      part.points = used_[k].size();
      part.fields.clear();
      part.radius.clear();
      for (const auto* fields : {&visual.pointFields, &visual.cellFields})
        for (const auto& field : *fields)
          if (isShown(field))
            part.fields.push_back(field.name);
      for (const auto& field : visual.pointFields)
        if (isRadius(field) && field.components == 1)
          for (std::uint32_t i : part.vertices)
            part.radius.push_back(field.values[used_[k][i]]);
    }
  }

  //! Frames at multiples of the stride. Above the limit of frames or bytes the stride doubles, so
  //! that frames are spaced equally however long the run is.
  void Animation::add(long step, double time, std::span<const VisualizationData> visuals)
  {
    if (wants(step))
      addLast(step, time, visuals);
    std::size_t numbers = 0;
    for (const Part& part : parts_)
      numbers += part.size();
    while (frames_.size() >
           std::min(limits_.frames,
                    std::max<std::size_t>(
                      2, limits_.bytes / (sizeof(float) * std::max<std::size_t>(1, numbers)))))
      thin();
  }

  //! A frame has for each part the positions of its points, then the point fields, then the means
  //! of the cell fields at the points.
  void Animation::addLast(long step, double time, std::span<const VisualizationData> visuals)
  {
    assert(visuals.size() == parts_.size());
    if (!frames_.empty() && frames_.back().step == step)
      return;
    if (used_.empty())
      setParts(visuals);
    // the last one of a run that is continued
    if (!frames_.empty() && frames_.back().step % stride_ != 0)
      frames_.pop_back();
    Frame frame{step, time, {}};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const VisualizationData& visual = visuals[k];
      if (!used_[k].empty() &&
          *std::max_element(used_[k].begin(), used_[k].end()) >= visual.points.size())
        throw RunError(fmt::format("{}: points have disappeared from its picture", parts_[k].name));
      for (std::size_t i : used_[k])
        for (double x : visual.points[i])
          frame.numbers.push_back(float(x));
      for (const auto& field : visual.pointFields)
        if (isShown(field))
          for (std::size_t i : used_[k])
            frame.numbers.push_back(float(size(field, i)));
      for (const auto& field : visual.cellFields)
        if (isShown(field)) {
          const auto mean = meanOfCells(visual, field);
          for (std::size_t i : used_[k])
            frame.numbers.push_back(float(mean[i]));
        }
    }
    frames_.push_back(std::move(frame));
  }

  //! Frames at multiples of twice the stride remain
  void Animation::thin()
  {
    stride_ *= 2;
    std::erase_if(frames_, [&](const Frame& frame) { return frame.step % stride_ != 0; });
  }

  void Animation::truncate(long step)
  {
    std::erase_if(frames_, [&](const Frame& frame) { return frame.step > step; });
  }

  //! The format of the file, for reading and writing
  template<class Archive>
  void Animation::transfer(Archive& archive)
  {
    long dimension = dimension_, parts = parts_.size(), frames = frames_.size();
    number(archive, "dimension", dimension);
    number(archive, "stride", stride_);
    number(archive, "parts", parts);
    number(archive, "frames", frames);
    if (dimension < 1 || dimension > 3 || stride_ < 1 || parts < 0 || frames < 0)
      throw Hdf5::Error("wrong numbers");
    dimension_ = int(dimension);
    parts_.resize(parts);
    used_.resize(parts);
    frames_.resize(frames);
    std::size_t size = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      archive.group(fmt::format("part-{}", k), [&] {
        Part& part = parts_[k];
        long kind = long(part.kind), points = part.points, fields = part.fields.size();
        archive.text("name", part.name);
        number(archive, "kind", kind);
        number(archive, "points", points);
        number(archive, "fields", fields);
        if (kind < 0 || kind > 2 || points < 0 || fields < 0)
          throw Hdf5::Error("wrong numbers of a part");
        part.kind = Kind(kind);
        part.points = points;
        part.fields.resize(fields);
        for (std::size_t i = 0; i < part.fields.size(); ++i)
          archive.text(fmt::format("field-{}", i), part.fields[i]);
        list(archive, "triangles", part.triangles);
        list(archive, "lines", part.lines);
        list(archive, "vertices", part.vertices);
        list(archive, "radius", part.radius);
        list(archive, "used", used_[k]);
        for (const auto* corners : {&part.triangles, &part.lines, &part.vertices})
          for (std::uint32_t i : *corners)
            if (i >= part.points)
              throw Hdf5::Error("a cell has a corner that does not exist");
        if (used_[k].size() != part.points)
          throw Hdf5::Error("a part has a wrong size");
        size += part.size();
      });
    for (std::size_t n = 0; n < frames_.size(); ++n)
      archive.group(fmt::format("frame-{}", n), [&] {
        number(archive, "step", frames_[n].step);
        archive.number("time", frames_[n].time);
        floats(archive, frames_[n].numbers, size);
      });
  }

  void Animation::save(const std::filesystem::path& file) const
  {
    Hdf5::Writer writer;
    const_cast<Animation*>(this)->transfer(writer); // a writer changes nothing
    replaceFile(file, writer.image());
  }

  Animation Animation::load(const std::filesystem::path& file, const Limits& limits)
  {
    Animation film;
    film.limits_ = limits;
    try {
      Hdf5::Reader reader(readFile(file));
      film.transfer(reader);
    }
    catch (const Hdf5::Error& error) {
      throw InputError(fmt::format("{}: is not a film of this program, or damaged: {}",
                                   file.string(), error.what()));
    }
    return film;
  }

} // namespace Dune::Impact
