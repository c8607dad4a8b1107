// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/checkpoint.hh>
#include <dune/impact/io/markup.hh>
#include <dune/impact/io/resultfolder.hh>

namespace Dune::Impact {

  namespace {

    namespace fs = std::filesystem;

    constexpr std::string_view temporary = ".tmp"; // see replaceFile()

    FolderLock::Result lock(const FileDescriptor& file)
    {
      if (file.get() < 0)
        return FolderLock::Result::unsupported;
      int status;
      do
        status = ::flock(file.get(), LOCK_EX | LOCK_NB);
      while (status != 0 && errno == EINTR);
      return status == 0            ? FolderLock::Result::held
             : errno == EWOULDBLOCK ? FolderLock::Result::busy
                                    : FolderLock::Result::unsupported;
    }

    //! Is this a snapshot NAME-PART-NUMBER.vtu, with at least six digits?
    bool isSnapshot(std::string_view file, std::string_view name)
    {
      constexpr std::string_view suffix = ".vtu";
      if (!file.starts_with(name) || !file.substr(name.size()).starts_with('-') ||
          !file.ends_with(suffix))
        return false;
      std::string_view rest = file.substr(name.size() + 1);
      rest.remove_suffix(suffix.size());
      const std::size_t dash = rest.rfind('-');
      if (dash == rest.npos || dash == 0)
        return false;
      const std::string_view digits = rest.substr(dash + 1);
      return digits.size() >= 6 && digits.find_first_not_of("0123456789") == digits.npos;
    }

    //! Does NAME.pvd list nothing but snapshots of NAME?
    bool isAnimation(const fs::path& file)
    {
      const std::string text = readFile(file);
      if (text.find("<VTKFile type=\"Collection\"") == text.npos)
        return false;
      const std::string key = " file=\"vtk/", name = markupText(file.stem().string());
      for (std::size_t at = 0; (at = text.find("<DataSet ", at)) != text.npos;) {
        const std::size_t end = text.find("/>", at), begin = text.find(key, at);
        if (begin > end || end == text.npos)
          return false;
        const std::size_t first = begin + key.size(), last = text.find('"', first);
        if (last > end || !isSnapshot(std::string_view(text).substr(first, last - first), name))
          return false;
        at = end;
      }
      return true;
    }

    std::vector<fs::path> filesIn(const fs::path& folder)
    {
      std::vector<fs::path> files;
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_regular_file(ignored))
          files.push_back(entry.path());
      return files;
    }

    //! A file, and what was to replace it
    void removeFile(const fs::path& file)
    {
      for (const std::string& name : {file.string(), file.string() + std::string(temporary)}) {
        std::error_code error;
        fs::remove(name, error);
        if (error)
          throw RunError(fileError(name, "cannot remove", error.value()));
      }
    }

    //! NAME.pvd of the runs before, with their snapshots and those of `name`
    void removeAnimations(const fs::path& folder, const std::string& name)
    {
      std::vector<std::string> names = {name};
      for (const fs::path& file : filesIn(folder))
        if (file.extension() == ".pvd" && isAnimation(file)) {
          names.push_back(file.stem().string());
          removeFile(file);
        }
      for (fs::path file : filesIn(folder / "vtk")) {
        if (file.extension() == temporary)
          file.replace_extension();
        if (std::ranges::any_of(names, [&](const std::string& one) {
              return isSnapshot(file.filename().string(), one);
            }))
          removeFile(file);
      }
      std::error_code ignored; // a folder with other files stays
      fs::remove(folder / "vtk", ignored);
    }

  } // namespace

  FolderLock::FolderLock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    , result_(lock(folder_))
  {
    if (result_ != Result::unsupported)
      return;
    file_ = FileDescriptor(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    result_ = lock(file_);
  }

  void removeResults(const std::filesystem::path& folder, const std::string& name)
  {
    for (const char* file : {"history.csv", "summary.json", "report.html", "film.h5"})
      removeFile(folder / file);
    removeCheckpoints(folder);
    removeAnimations(folder, name);
  }

} // namespace Dune::Impact
