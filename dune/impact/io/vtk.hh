// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_VTK_HH
#define DUNE_IMPACT_IO_VTK_HH

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_io
 * \brief Pictures for ParaView: one file per part and instant, and the animation of all of them
 */

namespace Dune::Impact {

  /** \brief Write points, cells and fields as a VTK file (.vtu, all digits, appended raw data)
   *
   * Throws RunError if the file cannot be written, and if a field or a cell does not fit the
   * points and cells: a wrong picture is worse than none.
   */
  void writeVtu(const std::filesystem::path& file, const VisualizationData& visual);

  //! An instant of an animation
  struct AnimationInstant
  {
    long step = 0;
    double time = 0;

    friend bool operator==(const AnimationInstant&, const AnimationInstant&) = default;
  };

  /** \brief Writes DIR/NAME.pvd and DIR/vtk/NAME-PART-000012.vtu for step 12
   *
   * A part is a body or a contact surface. The .pvd file is replaced as a whole after each
   * instant, so that ParaView can open it while the run goes on.
   *
   * A checkpoint stores instants(); a writer made with them continues the animation.
   */
  class PvdWriter
  {
  public:
    //! Start a new animation; nothing is written before the first instant
    PvdWriter(std::filesystem::path directory, std::string name, std::vector<std::string> parts);

    /** \brief Continue an animation with its first instants
     *
     * Those after the step `end` are dropped. Files of later steps are removed, and the .pvd
     * file is written anew.
     */
    PvdWriter(std::filesystem::path directory, std::string name, std::vector<std::string> parts,
              std::span<const AnimationInstant> instants, long end);

    //! Write the files of one instant, one per part, and then the .pvd file; throws RunError
    void write(long step, double time, std::span<const VisualizationData> visuals);

    //! The instants written so far
    const std::vector<AnimationInstant>& instants() const { return instants_; }

    //! The .pvd file
    std::filesystem::path file() const { return directory_ / (name_ + ".pvd"); }

    //! The file of a part at a step, relative to the directory
    std::filesystem::path picture(std::size_t part, long step) const;

  private:
    void addInstant(const AnimationInstant& instant);
    void writeIndex() const;
    void removeAfter(long end) const;

    std::filesystem::path directory_;
    std::string name_;
    std::vector<std::string> parts_;
    std::vector<std::string> fileNames_; // of the parts: letters that every system accepts
    std::vector<AnimationInstant> instants_;
    std::string entries_; // lines of the .pvd file
  };

} // namespace Dune::Impact

#endif
