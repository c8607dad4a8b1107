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

  /** \brief Writes DIR/NAME.pvd and DIR/vtk/NAME-PART-000012.vtu
   *
   * A part is a body or a contact surface. The .pvd file is replaced as a whole after each
   * instant, so that ParaView can open it while the run goes on.
   *
   * A checkpoint stores times(); a writer made with them continues the animation.
   */
  class PvdWriter
  {
  public:
    //! Start a new animation; nothing is written before the first instant
    PvdWriter(std::filesystem::path directory, std::string name, std::vector<std::string> parts);

    /** \brief Continue an animation with its first instants
     *
     * Times later than `end` are dropped. Pictures of instants that are not in the list any
     * more are removed, and the .pvd file is written anew.
     */
    PvdWriter(std::filesystem::path directory, std::string name, std::vector<std::string> parts,
              std::span<const double> times, double end);

    //! Write the pictures of one instant, one per part, and then the .pvd file; throws RunError
    void write(double time, std::span<const VisualizationData> visuals);

    //! The instants written so far
    const std::vector<double>& times() const { return times_; }

    //! The .pvd file
    std::filesystem::path file() const { return directory_ / (name_ + ".pvd"); }

    //! The picture of a part at an instant, relative to the directory
    std::filesystem::path picture(std::size_t part, std::size_t instant) const;

  private:
    void addInstant(double time);
    void writeIndex() const;
    void removePictures(std::size_t firstInstant) const;

    std::filesystem::path directory_;
    std::string name_;
    std::vector<std::string> parts_;
    std::vector<std::string> fileNames_; // of the parts: letters that every system accepts
    std::vector<double> times_;
    std::string entries_; // lines of the .pvd file
  };

} // namespace Dune::Impact

#endif
