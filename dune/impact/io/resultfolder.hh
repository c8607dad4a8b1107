// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_RESULTFOLDER_HH
#define DUNE_IMPACT_IO_RESULTFOLDER_HH

#include <filesystem>
#include <string>

#include <dune/impact/io/file.hh>

/** \file
 * \ingroup impact_io
 * \brief The folder of a run: it belongs to one run at a time, and holds what that run wrote
 */

namespace Dune::Impact {

  /** \brief Keeps a folder for one run, as long as the object lives
   *
   * The lock is one of the kernel (flock) on the folder itself: no file tells of it, and the end of
   * the process releases it, whatever ended it. Network file systems that lock only files which
   * are open for writing get a file `.lock` in the folder. Of a run on several processes only one
   * has the lock.
   */
  class FolderLock
  {
  public:
    enum class Result {
      held,       //!< the folder is ours
      busy,       //!< another run has it
      unsupported //!< the file system has no locks
    };

    explicit FolderLock(const std::filesystem::path& folder);

    Result result() const { return result_; }

  private:
    FileDescriptor folder_, file_;
    Result result_;
  };

  /** \brief Remove the files of an earlier run from a folder
   *
   * These are `history.csv`, `summary.json`, `report.html`, `film.h5`, checkpoints, and the
   * animations NAME.pvd with their snapshots vtk/NAME-PART-NUMBER.vtu, and
   * what was to replace one of them, with `.tmp` behind its name. A .pvd file that lists other
   * files is not one of a run and stays, like all other files; `scenario.ini` stays for the run to
   * replace it.
   *
   * \param name  of the animation of the run that begins: its snapshots go in any case
   */
  void removeResults(const std::filesystem::path& folder, const std::string& name);

} // namespace Dune::Impact

#endif
