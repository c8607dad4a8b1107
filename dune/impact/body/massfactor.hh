// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_MASSFACTOR_HH
#define DUNE_IMPACT_BODY_MASSFACTOR_HH

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <Eigen/SparseCholesky>

#include <dune/impact/common/assemblymatrix.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_body
 * \brief The inverse of a mass matrix that is not diagonal
 */

namespace Dune::Impact {

  /** \brief Sparse Cholesky factors of the consistent mass, restricted to the free components
   *
   * The mass is a multiple of the identity per pair of nodes, so the components do not see each
   * other: there is one factor for all components that are free on the same nodes. They are made at
   * the first solve: implicit methods, which need none, do not pay for them.
   */
  class MassFactor
  {
  public:
    //! Bit c of fixed[i] says that component c of node i is fixed; empty if all are free
    MassFactor(const AssemblyMatrix<double>& mass, int dimension, std::vector<std::uint8_t> fixed);

    //! Solve M v = p on the free components; v is zero on the others
    void solve(ConstSpan p, Span v) const;

    //! Append the nonzero entries of the solution for a sparse p
    void solve(std::span<const Entry> p, SparseVector& v) const;

  private:
    struct Factor
    {
      std::vector<std::size_t> node; //!< free nodes
      //! without roots, which would make bits depend on the unit of mass
      Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> cholesky;

      Factor(const AssemblyMatrix<double>& mass, std::vector<std::size_t> freeNodes);
    };

    using Factors = std::vector<std::shared_ptr<const Factor>>; //!< per component

    //! What factors are made of, and these once they are
    struct Source
    {
      AssemblyMatrix<double> mass;
      int dimension;
      std::vector<std::uint8_t> fixed;
      std::once_flag made;
      Factors factors;
    };

    const Factors& factors() const;

    std::shared_ptr<Source> source_;
  };

} // namespace Dune::Impact

#endif
