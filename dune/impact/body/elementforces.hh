// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_ELEMENTFORCES_HH
#define DUNE_IMPACT_BODY_ELEMENTFORCES_HH

#include <vector>

#include <dune/impact/body/elementkernel.hh>
#include <dune/impact/common/parallel.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/material/materials.hh>

/** \file
 * \brief Internal forces without a matrix, for explicit methods
 */

namespace Dune::Impact {

  /** \brief f(u) = dW/du and its derivative in a direction, as fast as the memory allows
   *
   * The same forces as those of SolidElements, up to rounding. Cells are sorted along a
   * space-filling curve and cut into chunks that fit into the first cache, whatever the numbering
   * of the mesh. A chunk reads the displacements of its nodes, computes four cells at a time with
   * gradients made once, and sums into an array of its own. Then each node adds up what its
   * chunks have, in a fixed order: results do not depend on the number of threads.
   *
   * Evaluation has two parts, so that a stepper can do its update in the sweep over the nodes:
   * evaluate() fills the array of the chunks, add() and force() read it.
   */
  template<int dim>
  class ElementForces
  {
  public:
    ElementForces(const SolidMesh<dim>& mesh, const AnyMaterial<dim>& material, int threads = 0);

    //! Numbers of a node in the arrays of chunks
    static constexpr int stride = 4;

    //! Numbers of one node, aligned for the kernels
    struct alignas(32) Quad
    {
      double value[stride];
    };

    //! Contributions of all chunks to the forces
    using Parts = std::vector<Quad>;

    /** \brief Forces of the chunks at the displacements u
     *
     * \return the smallest det F of all integration points; where it is not positive, a cell has
     *         turned inside out. Always one for the linear material
     */
    double evaluate(ConstSpan u, Parts& parts) const { return evaluate(u, {}, parts); }

    //! The same for the derivative of the force in a direction
    double evaluate(ConstSpan u, ConstSpan direction, Parts& parts) const;

    //! Force of a node from the parts
    FieldVector<double, dim> force(std::size_t node, const Parts& parts) const
    {
      FieldVector<double, dim> sum(0.0);
      for (std::size_t k = placeBegin_[node]; k < placeBegin_[node + 1]; ++k)
        for (int i = 0; i < dim; ++i)
          sum[i] += parts[place_[k]].value[i];
      return sum;
    }

    //! Call f(node) for all nodes, on several threads
    template<class F>
    void forEachNode(F&& f) const
    {
      parallelFor(placeBegin_.size() - 1, threads_, f, 4096);
    }

    //! f += weight * force
    void add(const Parts& parts, double weight, Span f) const
    {
      forEachNode([&](std::size_t node) {
        const auto sum = force(node, parts);
        for (int i = 0; i < dim; ++i)
          f[node * dim + i] += weight * sum[i];
      });
    }

    int threads() const { return threads_; }
    void setThreads(int threads) { threads_ = threadCount(threads); }

  private:
    static constexpr int cubeCorners = 1 << dim;

    //! A few thousand cells of one type; batches and nodes are ranges
    struct Chunk
    {
      bool simplices;
      std::size_t batchBegin, batchEnd;
      std::size_t nodeBegin, nodeEnd;
    };

    template<int N, int Q>
    void addChunks(const SolidMesh<dim>& mesh, const std::vector<std::array<Index, N>>& cells, std::vector<LaneBatch<dim, N, Q>>& batches);
    void setPlaces(std::size_t nodes);

    KernelMaterial material_;
    Lame lame_;
    int threads_;
    std::vector<LaneBatch<dim, dim + 1, 1>> simplices_;
    std::vector<LaneBatch<dim, cubeCorners, cubeCorners>> cubes_;
    std::vector<Chunk> chunks_;
    std::vector<Index> chunkNode_;       //!< nodes of the chunks, one chunk after the other
    std::vector<std::size_t> placeBegin_;
    std::vector<Index> place_;           //!< of the parts of each node
  };

  extern template class ElementForces<2>;
  extern template class ElementForces<3>;

} // namespace Dune::Impact

#endif
