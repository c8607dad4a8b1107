# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
# cmake -DOUTPUT=FILE "-DFILES=NAME=PATH;..." -P embed.cmake: files as constants of the library
set(text "// written by embed.cmake\n#include <config.h>\n#include <dune/impact/io/html/reportfiles.hh>\nnamespace Dune::Impact::ReportFiles {\n")
foreach(entry ${FILES})
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${entry}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const unsigned char ${name}Bytes[] = {${bytes}0};\n"
    "const std::string_view ${name}(reinterpret_cast<const char*>(${name}Bytes), sizeof ${name}Bytes - 1);\n")
endforeach()
string(APPEND text "}\n")
file(WRITE "${OUTPUT}" "${text}")
