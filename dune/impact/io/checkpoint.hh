// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_CHECKPOINT_HH
#define DUNE_IMPACT_IO_CHECKPOINT_HH

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_io
 * \brief Saving a run and taking it up again
 *
 * A checkpoint is an HDF5 file with everything that lives across steps. Its first 512 bytes
 * are a user block, which HDF5 leaves to the application: a few lines of text with the
 * version of the format, the length of the file and a checksum of the rest. A damaged file is
 * recognised by them before HDF5 sees it, and all other programs can still read the file.
 *
 * Numbers are stored as IEEE doubles with all their bits, also infinities and nan.
 */

namespace Dune::Impact {

  //! What a checkpoint holds besides the state
  struct CheckpointExtra
  {
    std::uint64_t scenarioHash = 0; //!< fingerprint of what defines the run
    std::string method;
    std::string version;            //!< of the program that wrote it
    std::uint64_t historyBytes = 0; //!< position in the history file
    std::vector<double> summary;    //!< packed RunSummary
    int summaryVersion = 0;
    //! steps and times of the animation
    std::vector<double> pictureSteps = {}, pictureTimes = {};

    friend bool operator==(const CheckpointExtra&, const CheckpointExtra&) = default;
  };

  //! A saved run
  struct Checkpoint
  {
    State state;
    CheckpointExtra extra;

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
  };

  //! What the run to be continued looks like
  struct CheckpointDemand
  {
    std::uint64_t scenarioHash = 0;
    std::string method;
    std::size_t qSize = 0;
    std::size_t pSize = 0;
    //! of the beginning: names and versions must agree, sizes may change in a run
    std::vector<Block> history = {};
  };

  //! A number that tells texts apart (FNV-1a), the same on every machine
  std::uint64_t fingerprint(std::string_view text);

  /** \brief Write DIR/checkpoint-000000123.h5 for step 123
   *
   * The file is complete on the disk before it gets its name. Only then are older ones
   * removed, up to the last before it, together with ones of later steps, which come from
   * another run. If it cannot be written, RunError is thrown and the older ones stay.
   *
   * \return the name of the file
   */
  std::filesystem::path saveCheckpoint(const std::filesystem::path& directory, const State& state,
                                       const CheckpointExtra& extra);

  //! A file that was a checkpoint, or was to become one: an older one may be of use
  struct DamagedCheckpoint : InputError
  {
    using InputError::InputError;
  };

  /** \brief Read a checkpoint
   *
   * Throws DamagedCheckpoint if the file is cut off, damaged, or something else, and InputError if
   * it is missing, of an unknown version of the format, or does not fit what is demanded.
   */
  Checkpoint loadCheckpoint(const std::filesystem::path& file, const CheckpointDemand& demand);

  //! The checkpoint with the largest step number in a folder, if there is one
  std::optional<std::filesystem::path> findLatest(const std::filesystem::path& directory);

  /** \brief Read the newest checkpoint of a folder that is whole
   *
   * Throws DamagedCheckpoint, with the reason of the newest one, if none of them is whole, and
   * InputError if there is none, or if the newest one that is whole is not what is demanded.
   *
   * \param damaged  receives a sentence for each newer one that is not whole
   */
  Checkpoint loadLatest(const std::filesystem::path& directory, const CheckpointDemand& demand,
                        std::vector<std::string>& damaged);

  //! Remove the checkpoints of an earlier run from a folder
  void removeCheckpoints(const std::filesystem::path& directory);

} // namespace Dune::Impact

#endif
