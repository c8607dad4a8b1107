// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_VISUALIZATIONDATA_HH
#define DUNE_IMPACT_COMMON_VISUALIZATIONDATA_HH

#include <string>
#include <vector>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief Points, cells and fields: what a body shows of itself to VTK and to the report
 */

namespace Dune::Impact {

  //! The cell types of the visual output, with the numbers of the VTK format
  enum class VisualizationCell : unsigned char {
    vertex = 1,
    line = 3,
    triangle = 5,
    quadrilateral = 9,
    tetrahedron = 10,
    hexahedron = 12,
    quadraticTriangle = 22,
    quadraticTetrahedron = 24
  };

  //! A named field on points or cells
  struct VisualizationField
  {
    std::string name;
    int components = 1;         //!< 1 scalar, 3 vector, 9 tensor (row-wise)
    std::vector<double> values; //!< components numbers per point or cell
  };

  //! What a body looks like in one configuration
  struct VisualizationData
  {
    std::vector<Vec3> points;
    std::vector<VisualizationCell> cells;
    //! the point numbers of all cells, one after the other, VTK order
    std::vector<std::size_t> connectivity;
    std::vector<std::size_t> offsets; //!< end of each cell in connectivity
    std::vector<VisualizationField> pointFields;
    std::vector<VisualizationField> cellFields;

    //! Append a cell
    void addCell(VisualizationCell type, std::initializer_list<std::size_t> corners)
    {
      cells.push_back(type);
      connectivity.insert(connectivity.end(), corners);
      offsets.push_back(connectivity.size());
    }
  };

} // namespace Dune::Impact

#endif
