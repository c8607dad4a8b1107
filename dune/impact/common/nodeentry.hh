// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_NODEENTRY_HH
#define DUNE_IMPACT_COMMON_NODEENTRY_HH

#include <cstddef>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

#include <dune/impact/common/compressedrows.hh>

/** \file
 * \ingroup impact_common
 * \brief Entries of sparse vectors and matrices with d numbers per node
 */

namespace Dune::Impact {

  //! The part of a sparse vector that belongs to a node
  template<int d>
  struct NodeEntry
  {
    std::size_t node;
    FieldVector<double, d> value;
  };

  //! Rows of a contact Jacobian by nodes: the derivative of gap i by the position of each node
  template<int d>
  using NodalContactJacobian = CompressedRows<NodeEntry<d>>;

  //! The part of a sparse row of matrices that belongs to a node
  template<int d>
  struct NodeMatrix
  {
    std::size_t node;
    FieldMatrix<double, d, d> value;
  };

  //! The part of a node in a weighted mean of nodes
  struct NodeWeight
  {
    std::size_t node;
    double weight;
  };

  //! What a node follows of a node whose components are an angle: its turn crossed with the arm
  //! (three dimensions)
  template<int d>
  struct NodeTurn
  {
    std::size_t node;
    FieldVector<double, d> arm;
  };

  //! A block of a sparse matrix
  template<int d>
  struct MatrixBlock
  {
    std::size_t row, column; //!< nodes
    FieldMatrix<double, d, d> value;
  };

} // namespace Dune::Impact

#endif
