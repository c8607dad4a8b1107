// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <concepts>
#include <utility>

#include <hdf5.h>

#include <dune/impact/io/hdf5.hh>

namespace Dune::Impact::Hdf5 {

  namespace {

    // The name of what fails, or the result of the call: HDF5 tells failures by negative numbers.
    template<std::signed_integral T>
    T checked(T result, const std::string& what)
    {
      if (result < 0)
        throw Error("HDF5 fails on " + what);
      return result;
    }

    // Owner of anything that HDF5 counts: files, groups, types, spaces, property lists
    class Handle
    {
    public:
      Handle() = default;
      Handle(hid_t id, const std::string& what) : id_(checked(id, what)) {}
      Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
      Handle& operator=(Handle&& other) noexcept
      {
        std::swap(id_, other.id_);
        return *this;
      }
      ~Handle()
      {
        if (id_ >= 0)
          H5Idec_ref(id_);
      }

      operator hid_t() const { return id_; }

    private:
      hid_t id_ = -1;
    };

    // Keeps HDF5 from printing, and gives the user's setting back.
    class Silence
    {
    public:
      Silence()
      {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
      }
      Silence(const Silence&) = delete;
      ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

    private:
      H5E_auto2_t function_ = nullptr;
      void* data_ = nullptr;
    };

    // In the file all types have a fixed size and byte order.
    template<class T>
    std::pair<hid_t, hid_t> memoryAndFileType()
    {
      if constexpr (std::is_same_v<T, double>)
        return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE};
      else if constexpr (std::is_same_v<T, int>)
        return {H5T_NATIVE_INT, H5T_STD_I32LE};
      else if constexpr (std::is_same_v<T, long>)
        return {H5T_NATIVE_LONG, H5T_STD_I64LE};
      else
        return {H5T_NATIVE_ULONG, H5T_STD_U64LE};
    }

    Handle stringType(std::size_t size, const std::string& what)
    {
      Handle type(H5Tcopy(H5T_C_S1), what);
      checked(H5Tset_size(type, size), what);
      checked(H5Tset_cset(type, H5T_CSET_UTF8), what);
      return type;
    }

    // A file in memory; its size is not limited by the increment.
    Handle memoryFile()
    {
      Handle access(H5Pcreate(H5P_FILE_ACCESS), "its file");
      checked(H5Pset_fapl_core(access, std::size_t(1) << 20, false), "its file");
      return access;
    }

    Handle createFile()
    {
      const Handle creation(H5Pcreate(H5P_FILE_CREATE), "its file");
      checked(H5Pset_userblock(creation, userBlockSize), "its file");
      return {H5Fcreate("checkpoint", H5F_ACC_TRUNC, creation, memoryFile()), "its file"};
    }

    Handle openFile(std::string& image)
    {
      const auto access = memoryFile();
      checked(H5Pset_file_image(access, image.data(), image.size()), "its file");
      return {H5Fopen("checkpoint", H5F_ACC_RDONLY, access), "its file"};
    }

  } // namespace

  // The order matters: messages are silenced before and until after all other handles.
  struct Archive::Handles
  {
    Silence silence;
    Handle file;
    Handle group;
  };

  Archive::Archive() : handles_(std::make_unique<Handles>())
  {}
  Archive::~Archive() = default;

  void Archive::group(const std::string& name, const std::function<void()>& inside)
  {
    Handle outer = std::exchange(handles_->group, Handle(openGroup(name), name));
    inside();
    handles_->group = std::move(outer);
  }

  Writer::Writer()
  {
    handles_->file = createFile();
    handles_->group = Handle(H5Gopen2(handles_->file, "/", H5P_DEFAULT), "its root");
  }

  long Writer::openGroup(const std::string& name)
  {
    return H5Gcreate2(handles_->group, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }

  template<class T>
  void Writer::number(const std::string& name, const T& value)
  {
    const auto [memory, file] = memoryAndFileType<T>();
    const Handle space(H5Screate(H5S_SCALAR), name);
    const Handle attribute(
      H5Acreate2(handles_->group, name.c_str(), file, space, H5P_DEFAULT, H5P_DEFAULT), name);
    checked(H5Awrite(attribute, memory, &value), name);
  }

  void Writer::text(const std::string& name, const std::string& value)
  {
    const auto type = stringType(value.size() + 1, name);
    const Handle space(H5Screate(H5S_SCALAR), name);
    const Handle attribute(
      H5Acreate2(handles_->group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), name);
    checked(H5Awrite(attribute, type, value.c_str()), name);
  }

  void Writer::list(const std::string& name, const std::vector<double>& values)
  {
    const auto [memory, file] = memoryAndFileType<double>();
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), name);
    // without times of creation: the same values are the same bytes
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), name);
    checked(H5Pset_obj_track_times(creation, false), name);
    const Handle set(
      H5Dcreate2(handles_->group, name.c_str(), file, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      name);
    if (size > 0)
      checked(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  }

  std::string Writer::image()
  {
    checked(H5Fflush(handles_->file, H5F_SCOPE_GLOBAL), "its file");
    const auto size = checked(H5Fget_file_image(handles_->file, nullptr, 0), "its file");
    std::string image(userBlockSize + size, '\0'); // HDF5 leaves the user block out
    checked(H5Fget_file_image(handles_->file, image.data() + userBlockSize, size), "its file");
    return image;
  }

  Reader::Reader(std::string image) : image_(std::move(image))
  {
    handles_->file = openFile(image_);
    handles_->group = Handle(H5Gopen2(handles_->file, "/", H5P_DEFAULT), "its root");
  }

  long Reader::openGroup(const std::string& name)
  {
    return H5Gopen2(handles_->group, name.c_str(), H5P_DEFAULT);
  }

  template<class T>
  void Reader::number(const std::string& name, T& value)
  {
    const Handle attribute(H5Aopen(handles_->group, name.c_str(), H5P_DEFAULT), name);
    const Handle space(H5Aget_space(attribute), name);
    if (H5Sget_simple_extent_npoints(space) != 1)
      throw Error(name + " is not one number");
    checked(H5Aread(attribute, memoryAndFileType<T>().first, &value), name);
  }

  void Reader::text(const std::string& name, std::string& value)
  {
    const Handle attribute(H5Aopen(handles_->group, name.c_str(), H5P_DEFAULT), name);
    const Handle stored(H5Aget_type(attribute), name);
    const auto size = H5Tget_size(stored);
    if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0 || size < 1 ||
        size > image_.size())
      throw Error(name + " is not a text");
    value.assign(size, '\0');
    checked(H5Aread(attribute, stringType(size, name), value.data()), name);
    value.resize(size - 1);
  }

  void Reader::list(const std::string& name, std::vector<double>& values)
  {
    const Handle set(H5Dopen2(handles_->group, name.c_str(), H5P_DEFAULT), name);
    const Handle space(H5Dget_space(set), name);
    const auto size = checked(static_cast<long long>(H5Sget_simple_extent_npoints(space)), name);
    if (H5Sget_simple_extent_ndims(space) != 1 ||
        static_cast<std::size_t>(size) > image_.size() / sizeof(double))
      throw Error(name + " is not a list of numbers");
    values.resize(size);
    if (size > 0)
      checked(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  }

  template void Writer::number(const std::string&, const double&);
  template void Writer::number(const std::string&, const int&);
  template void Writer::number(const std::string&, const long&);
  template void Writer::number(const std::string&, const unsigned long&);
  template void Reader::number(const std::string&, double&);
  template void Reader::number(const std::string&, int&);
  template void Reader::number(const std::string&, long&);
  template void Reader::number(const std::string&, unsigned long&);

} // namespace Dune::Impact::Hdf5
