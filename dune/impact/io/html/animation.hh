// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_HTML_ANIMATION_HH
#define DUNE_IMPACT_IO_HTML_ANIMATION_HH

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_io_html
 * \brief The motion of a run in a few hundred frames, for the report
 */

namespace Dune::Impact {

  /** \brief Frames of the skins of bodies, kept at equal distances in steps
   *
   * A frame is taken every stride-th step. If there are too many frames, or too many bytes, every
   * second one is dropped and the stride doubles, so that the frames depend on the number of steps
   * only and not on where a run was interrupted. Of solid cells the outer faces are kept; fields
   * become one number per point: the length of a vector, the mean of cells.
   */
  class Animation
  {
  public:
    enum class Kind { body, contact, obstacle };

    //! What does not change from frame to frame
    struct Part
    {
      std::string name;
      Kind kind = Kind::body;
      std::vector<std::uint32_t> triangles, lines, vertices; //!< numbers of points of the skin
      std::vector<std::string> fields;
      std::vector<double> radius; //!< of vertices, if they have one
      std::size_t points = 0;

      //! Numbers of a frame that belong to the part
      std::size_t size() const { return points * (3 + fields.size()); }
    };

    //! One picture of the film
    struct Frame
    {
      long step;
      double time;
      //! for each part: coordinates of its points, then its fields one after the other
      std::vector<float> numbers;
    };

    //! Most frames, and most bytes of all frames
    struct Limits
    {
      std::size_t frames = 400, bytes = 12 << 20;
    };

    Animation() = default;
    Animation(int dimension, std::vector<std::string> names, std::vector<Kind> kinds)
      : Animation(dimension, std::move(names), std::move(kinds), Limits())
    {}
    Animation(int dimension, std::vector<std::string> names, std::vector<Kind> kinds,
              const Limits& limits);

    //! True if the frame of a step is to be added
    bool wants(long step) const { return step % stride_ == 0; }

    //! Add a frame, one picture per part; the first one gives the parts their cells
    void add(long step, double time, std::span<const VisualizationData> visuals);

    //! Add the last frame of a run, whatever the stride is
    void addLast(long step, double time, std::span<const VisualizationData> visuals);

    //! Forget the frames after a step
    void truncate(long step);

    int dimension() const { return dimension_; }
    long stride() const { return stride_; }
    const std::vector<Part>& parts() const { return parts_; }
    const std::vector<Frame>& frames() const { return frames_; }

    //! Write a file; throws RunError
    void save(const std::filesystem::path& file) const;

    //! Read a file; throws InputError if it is not one
    static Animation load(const std::filesystem::path& file) { return load(file, Limits()); }
    static Animation load(const std::filesystem::path& file, const Limits& limits);

  private:
    void setParts(std::span<const VisualizationData> visuals);
    void thin();
    template<class Archive>
    void transfer(Archive& archive);

    int dimension_ = 3;
    Limits limits_;
    long stride_ = 1;
    std::vector<Part> parts_;
    //! per part: the points of the picture that are in the skin
    std::vector<std::vector<std::size_t>> used_;
    std::vector<Frame> frames_;
  };

} // namespace Dune::Impact

#endif
