// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/gmshfile.hh>

namespace Dune::Impact {

  const GmshType* gmshType(int type)
  {
    static const std::map<int, GmshType> types = {{1, {"line", 1, 2, 2}},
                                                  {2, {"triangle", 2, 3, 3}},
                                                  {3, {"quadrilateral", 2, 4, 4}},
                                                  {4, {"tetrahedron", 3, 4, 4}},
                                                  {5, {"hexahedron", 3, 8, 8}},
                                                  {8, {"3-node line", 1, 2, 3}},
                                                  {9, {"6-node triangle", 2, 3, 6}},
                                                  {10, {"9-node quadrilateral", 2, 4, 9}},
                                                  {11, {"10-node tetrahedron", 3, 4, 10}},
                                                  {15, {"point", 0, 1, 1}},
                                                  {16, {"8-node quadrilateral", 2, 4, 8}}};
    const auto place = types.find(type);
    return place == types.end() ? nullptr : &place->second;
  }

  namespace {

    //! Words of a text, with the line they are on
    class Scanner
    {
    public:
      Scanner(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text))
      {}

      [[noreturn]] void fail(const std::string& what) const
      {
        throw InputError(file_ + ": " + what);
      }
      [[noreturn]] void failHere(const std::string& what) const
      {
        fail("line " + std::to_string(line_) + ": " + what);
      }

      //! Next word, empty at the end
      std::string_view word()
      {
        skipSpace();
        const std::size_t begin = position_;
        while (position_ < text_.size() && !isSpace(text_[position_]))
          ++position_;
        return std::string_view(text_).substr(begin, position_ - begin);
      }

      template<class Number>
      Number number(const char* what)
      {
        std::string_view w = word();
        if (w.starts_with('+'))
          w.remove_prefix(1);
        Number value{};
        const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
        if (error != std::errc() || end != w.data() + w.size() || w.empty())
          failHere(std::string(what) + " expected, found " +
                   (w.empty() ? "the end of the file" : "'" + std::string(w) + "'"));
        return value;
      }

      void expect(std::string_view tag)
      {
        if (const auto w = word(); w != tag)
          failHere(std::string(tag) + " expected, found " +
                   (w.empty() ? "the end of the file" : "'" + std::string(w) + "'"));
      }

      //! Text between quotes
      std::string quoted()
      {
        skipSpace();
        const std::size_t end = position_ < text_.size() && text_[position_] == '"'
                                  ? text_.find('"', position_ + 1)
                                  : std::string::npos;
        if (end == std::string::npos)
          failHere("a name in quotes expected");
        const std::string name = text_.substr(position_ + 1, end - position_ - 1);
        position_ = end + 1;
        return name;
      }

      //! Leave out a section that nobody needs
      void skipSection(const std::string& tag)
      {
        const std::string end = "$End" + tag.substr(1);
        for (std::string_view w = word(); w != end; w = word())
          if (w.empty())
            fail(end + " is missing");
      }

      std::size_t size() const { return text_.size(); }

    private:
      static bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

      void skipSpace()
      {
        for (; position_ < text_.size() && isSpace(text_[position_]); ++position_)
          line_ += text_[position_] == '\n';
      }

      std::string file_, text_;
      std::size_t position_ = 0, line_ = 1;
    };

    void readFormat(Scanner& scanner)
    {
      if (scanner.word() != "$MeshFormat")
        scanner.fail("not a Gmsh file, $MeshFormat expected in the first line");
      const std::string version(scanner.word());
      if (version != "2.2" && version != "2.1" && version != "2" && version != "2.0")
        scanner.fail("Gmsh format " + version +
                     " cannot be read, save it as format 2.2 (gmsh -format msh22)");
      if (scanner.number<int>("the file type") != 0)
        scanner.fail("binary Gmsh files cannot be read, save it as text");
      scanner.word();
      scanner.expect("$EndMeshFormat");
    }

    //! A number of items that can be in the file, given that each needs two characters
    std::size_t readCount(Scanner& scanner)
    {
      const auto count = scanner.number<std::size_t>("a number of items");
      if (count > scanner.size() / 2)
        scanner.failHere("the number " + std::to_string(count) + " is larger than the file");
      return count;
    }

    void readNames(Scanner& scanner, GmshFile& gmsh)
    {
      for (std::size_t i = 0, n = readCount(scanner); i < n; ++i) {
        const int dimension = scanner.number<int>("a dimension"),
                  number = scanner.number<int>("a physical number");
        gmsh.name[{dimension, number}] = scanner.quoted();
      }
      scanner.expect("$EndPhysicalNames");
    }

    void readNodes(Scanner& scanner, GmshFile& gmsh)
    {
      for (std::size_t i = 0, n = readCount(scanner); i < n; ++i) {
        const auto id = scanner.number<std::size_t>("a node number");
        if (!gmsh.nodeOfId.emplace(id, i).second)
          scanner.failHere("node " + std::to_string(id) + " is there twice");
        gmsh.nodeId.push_back(id);
        auto& x = gmsh.position.emplace_back();
        for (double& c : x)
          c = scanner.number<double>("a coordinate");
      }
      scanner.expect("$EndNodes");
    }

    void readElements(Scanner& scanner, GmshFile& gmsh)
    {
      for (std::size_t i = 0, n = readCount(scanner); i < n; ++i) {
        GmshElement element;
        element.id = scanner.number<std::size_t>("an element number");
        element.type = scanner.number<int>("an element type");
        const GmshType* type = gmshType(element.type);
        if (!type)
          scanner.fail("element " + std::to_string(element.id) + " has the type " +
                       std::to_string(element.type) + ", which cannot be read");
        element.physical = 0;
        for (int tag = 0, tags = scanner.number<int>("a number of tags"); tag < tags; ++tag)
          if (const int value = scanner.number<int>("a tag"); tag == 0)
            element.physical = std::abs(value); // negative for reversed orientation
        for (int k = 0; k < type->nodes; ++k) {
          element.node.push_back(scanner.number<std::size_t>("a node number"));
          if (!gmsh.nodeOfId.contains(element.node.back()))
            scanner.fail("element " + std::to_string(element.id) + " has the node " +
                         std::to_string(element.node.back()) + ", which does not exist");
        }
        gmsh.elements.push_back(std::move(element));
      }
      scanner.expect("$EndElements");
    }

  } // namespace

  GmshFile parseGmsh(const std::string& file)
  {
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
      throw InputError(file + ": the mesh file cannot be opened");
    Scanner scanner(file, std::string(std::istreambuf_iterator<char>(stream), {}));
    readFormat(scanner);
    GmshFile gmsh;
    bool nodes = false, elements = false;
    for (std::string tag(scanner.word()); !tag.empty(); tag = scanner.word()) {
      if (tag == "$PhysicalNames")
        readNames(scanner, gmsh);
      else if (tag == "$Nodes" && !nodes && (nodes = true))
        readNodes(scanner, gmsh);
      else if (tag == "$Elements" && nodes && !elements && (elements = true))
        readElements(scanner, gmsh);
      else if (tag[0] == '$' && tag != "$Nodes" && tag != "$Elements")
        scanner.skipSection(tag);
      else
        scanner.failHere("'" + tag + "' is not expected here");
    }
    if (!elements)
      scanner.fail(std::string(nodes ? "$Elements" : "$Nodes") + " is missing");
    return gmsh;
  }

} // namespace Dune::Impact
