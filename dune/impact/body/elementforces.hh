// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_ELEMENTFORCES_HH
#define DUNE_IMPACT_BODY_ELEMENTFORCES_HH

#include <algorithm>
#include <utility>
#include <vector>

#include <dune/impact/body/elementkernel.hh>
#include <dune/impact/body/elements.hh>
#include <dune/impact/common/parallel.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/material/materials.hh>

/** \file
 * \ingroup impact_body
 * \brief Internal forces without a matrix, for explicit methods
 */

namespace Dune::Impact {

  /** \brief f(u) = dW/du and its derivative in a direction, as fast as the memory allows
   *
   * The same forces as those of SolidElements, up to rounding. Cells are sorted along a
   * space-filling curve and cut into chunks that fit into the cache, whatever the numbering of the
   * mesh. A chunk reads the displacements of its nodes, computes four cells at a time with
   * gradients made once, and sums into an array of its own. Nodes of one chunk only are then done;
   * those of several add up what their chunks have, in a fixed order: results do not depend on the
   * number of threads.
   */
  template<int dim>
  class ElementForces
  {
  public:
    //! The material must be one that has a kernel
    ElementForces(const SolidMesh<dim>& mesh, const AnyMaterial<dim>& material, int threads = 0,
                  CubeElement cubes = CubeElement::q1);

    //! True if the material has a kernel: it is one of this module
    static bool hasKernel(const AnyMaterial<dim>& material)
    {
      return !std::holds_alternative<CustomMaterial<dim>>(material);
    }

    /** \brief Call out(node, force) for each node, with dim numbers, on several threads
     *
     * \param u         displacements
     * \param direction the derivative of the force in this direction is computed; empty: the force
     * itself
     * \return the smallest det F of all integration points; where it is not positive, a cell has
     *         turned inside out. Always one for the linear material
     */
    template<class Out>
    double evaluate(ConstSpan u, ConstSpan direction, Out&& out) const
    {
      thread_local Quads shared;
      Quads& parts = shared; // inside of the loop the name would mean the array of another thread
      parts.resize(partCount_);
      std::vector<double> smallest(chunks_.size(), 1);
      parallelFor(
        chunks_.size(), threads_,
        [&](std::size_t c) {
          thread_local Quads forces;
          const Chunk& chunk = chunks_[c];
          smallest[c] = evaluateChunk(chunk, u, direction, forces);
          const std::size_t own = chunk.ownEnd - chunk.nodeBegin;
          for (std::size_t k = 0; k < own; ++k)
            out(std::size_t(chunkNode_[chunk.nodeBegin + k]), std::as_const(forces[k].value));
          std::copy(forces.begin() + own, forces.end(), parts.begin() + chunk.partBegin);
        },
        1);
      parallelFor(
        sharedNode_.size(), threads_,
        [&](std::size_t i) {
          double sum[dim] = {};
          for (std::size_t k = placeBegin_[i]; k < placeBegin_[i + 1]; ++k)
            for (int c = 0; c < dim; ++c)
              sum[c] += parts[place_[k]].value[c];
          out(std::size_t(sharedNode_[i]), std::as_const(sum));
        },
        4096);
      return smallest.empty() ? 1 : *std::min_element(smallest.begin(), smallest.end());
    }

    //! f += weight * force; returns the smallest det F
    double add(ConstSpan u, double weight, Span f, ConstSpan direction = {}) const
    {
      return evaluate(u, direction, [&](std::size_t node, const auto& force) {
        for (int i = 0; i < dim; ++i)
          f[node * dim + i] += weight * force[i];
      });
    }

    int threads() const { return threads_; }
    void setThreads(int threads) { threads_ = threadCount(threads); }

  private:
    static constexpr int cubeCorners = 1 << dim;

    //! Numbers of one node, aligned for the kernels
    struct alignas(32) Quad
    {
      double value[4];
    };

    using Quads = std::vector<Quad>;

    enum class CellKind { simplex, quadraticSimplex, cube, onePointCube };

    //! A few thousand cells of one type; batches and nodes are ranges
    struct Chunk
    {
      CellKind kind;
      std::size_t batchBegin, batchEnd;
      std::size_t nodeBegin, ownEnd, nodeEnd; //!< nodes of this chunk only come first
      //! where its part of the forces on shared nodes is kept
      std::size_t partBegin;
    };

    template<int N, int Q>
    void addChunks(const SolidMesh<dim>& mesh, const std::vector<std::array<Index, N>>& cells,
                   std::vector<LaneBatch<dim, N, Q>>& batches);
    bool sortNodes(Chunk& chunk, const std::vector<Index>& count);
    void listParts(std::size_t nodes, bool byPlace);
    void separateShared(std::size_t nodes);
    template<class Self, class F>
    static auto withBatches(Self& self, CellKind kind, F&& f);
    double evaluateChunk(const Chunk& chunk, ConstSpan u, ConstSpan direction, Quads& forces) const;

    KernelMaterial material_;
    Lame lame_;
    int threads_;
    std::vector<LaneBatch<dim, dim + 1, 1>> simplices_;
    std::vector<LaneBatch<dim, quadraticNodes<dim>, dim + 1>> quadratic_;
    std::vector<LaneBatch<dim, cubeCorners, cubeCorners>> cubes_;
    std::vector<LaneBatch<dim, cubeCorners, 1>> onePointCubes_;
    std::vector<Chunk> chunks_;
    std::vector<Index> chunkNode_; //!< nodes of the chunks, one chunk after the other
    std::size_t partCount_ = 0;
    std::vector<Index> sharedNode_;       //!< nodes of several chunks
    std::vector<std::size_t> placeBegin_; //!< of the parts of shared nodes in place_
    std::vector<Index> place_;
  };

  extern template class ElementForces<2>;
  extern template class ElementForces<3>;

} // namespace Dune::Impact

#endif
