// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_HDF5_HH
#define DUNE_IMPACT_IO_HDF5_HH

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/** \file
 * \ingroup impact_io
 * \brief Named numbers, texts and lists in an HDF5 file that is built and read in memory
 *
 * HDF5 does not behave well on a full disk. Files are therefore images in memory, and writing
 * them is left to replaceFile(). HDF5 prints nothing; what goes wrong is an Hdf5::Error.
 */

namespace Dune::Impact::Hdf5 {

  //! Bytes at the beginning of the file that HDF5 leaves to the application
  inline constexpr std::size_t userBlockSize = 512;

  //! A call of HDF5 failed; the text says what was written or read
  struct Error : std::runtime_error
  {
    using std::runtime_error::runtime_error;
  };

  /** \brief An open file and the group in it where we are
   *
   * Writer and Reader have the same methods, so that one function can describe a format for
   * both. The types are double, int, long and unsigned long.
   */
  class Archive
  {
  public:
    virtual ~Archive();

    //! Do something inside a group
    void group(const std::string& name, const std::function<void()>& inside);

  protected:
    struct Handles;
    Archive();
    virtual long openGroup(const std::string& name) = 0;

    std::unique_ptr<Handles> handles_;
  };

  //! Collects values and gives them away as the bytes of a file
  class Writer : public Archive
  {
  public:
    Writer();

    template<class T>
    void number(const std::string& name, const T& value);
    void text(const std::string& name, const std::string& value);
    void list(const std::string& name, const std::vector<double>& values);

    //! The bytes of the file, with a user block of zeros
    std::string image();

  private:
    long openGroup(const std::string& name) override;
  };

  //! Gives back values from the bytes of a file
  class Reader : public Archive
  {
  public:
    explicit Reader(std::string image);

    template<class T>
    void number(const std::string& name, T& value);
    void text(const std::string& name, std::string& value);
    void list(const std::string& name, std::vector<double>& values);

  private:
    long openGroup(const std::string& name) override;

    std::string image_;
  };

} // namespace Dune::Impact::Hdf5

#endif
