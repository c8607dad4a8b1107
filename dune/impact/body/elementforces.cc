// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <dune/impact/body/elementforces.hh>
#include <dune/impact/body/hourglass.hh>
#include <dune/impact/body/shapefunctions.hh>
#include <dune/impact/geometry/boxtree.hh>

namespace Dune::Impact {

  namespace {

    // Displacements and forces of a chunk, about 2000 nodes, fill a part of the second cache.
    // Larger chunks share fewer nodes, smaller ones keep several threads busy.
    constexpr std::size_t chunkSimplices = 8192, chunkCubes = 1024;

    //! The bits of x, each followed by dim - 1 zeros
    template<int dim>
    std::uint64_t spread(std::uint64_t x)
    {
      std::uint64_t result = 0;
      for (int bit = 0; bit < 21; ++bit)
        result |= (x >> bit & 1) << (bit * dim);
      return result;
    }

    /* Order of the cells along the Z-curve through their centres. Coordinates are counted in parts
     * of the longest side of the mesh, so that the order does not depend on the unit of length. */
    template<int dim, std::size_t N>
    std::vector<Index> alongCurve(const SolidMesh<dim>& mesh,
                                  const std::vector<std::array<Index, N>>& cells)
    {
      Box<dim> box;
      for (const auto& x : mesh.nodes)
        box.add(x);
      double side = 0;
      for (int c = 0; c < dim; ++c)
        side = std::max(side, box.upper[c] - box.lower[c]);
      std::vector<std::uint64_t> key(cells.size(), 0);
      for (std::size_t i = 0; i < cells.size(); ++i)
        for (int c = 0; c < dim; ++c) {
          double centre = 0;
          for (Index corner : cells[i])
            centre += (mesh.nodes[corner][c] - box.lower[c]) / side / N;
          key[i] |= spread<dim>(std::uint64_t(std::clamp(centre, 0.0, 1.0) * ((1 << 20) - 1))) << c;
        }
      std::vector<Index> order(cells.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(),
                [&](Index a, Index b) { return std::pair(key[a], a) < std::pair(key[b], b); });
      return order;
    }

    template<int dim>
    KernelMaterial kernelMaterial(const AnyMaterial<dim>& material)
    {
      if (std::holds_alternative<NeoHooke<dim>>(material))
        return KernelMaterial::neoHooke;
      return std::holds_alternative<LinearElastic<dim>>(material)
               ? KernelMaterial::linear
               : KernelMaterial::stVenantKirchhoff;
    }

    template<int dim>
    Lame kernelConstants(const AnyMaterial<dim>& material)
    {
      return std::visit(
        [](const auto& m) -> Lame {
          if constexpr (requires { m.lame; })
            return m.lame;
          else
            throw std::logic_error("ElementForces: a material of another module has no kernel");
        },
        material);
    }

    //! Mean gradients and hourglass energy of a cube with one point into a lane of a batch
    template<int dim>
    void setOnePointLane(const SolidMesh<dim>& mesh, const std::array<Index, (1 << dim)>& corners,
                         const Lame& lame, int lane, LaneBatch<dim, (1 << dim), 1>& batch)
    {
      const auto mean = meanGradients<dim>(mesh, corners);
      const Hourglass<dim> hourglass(mesh, corners, lame);
      batch.weight[0][lane] = mean.determinant;
      for (int a = 1; a < (1 << dim); ++a)
        for (int j = 0; j < dim; ++j)
          batch.gradient[0][a - 1][j][lane] = mean.gradient[a][j];
      for (int I = 0; I < Hourglass<dim>::patterns; ++I)
        for (int j = 0; j < dim; ++j)
          batch.moment[I][j][lane] = hourglass.moment(I)[j];
      for (int i = 0, k = 0; i < Hourglass<dim>::modes; ++i)
        for (int j = i; j < Hourglass<dim>::modes; ++j, ++k)
          batch.stiffness[k][lane] = hourglass.stiffness(i, j);
    }

    //! Gradients of a cell into a lane of a batch
    template<int dim, int N, int Q>
    void setLane(const SolidMesh<dim>& mesh, const std::array<Index, N>& corners, int lane,
                 LaneBatch<dim, N, Q>& batch)
    {
      for (int q = 0; q < Q; ++q) {
        const auto map = shapeGradients<dim, N>(mesh, corners, integrationPoint<dim, N, Q>(q));
        batch.weight[q][lane] = map.determinant * integrationWeight<dim, N, Q>();
        for (int a = 1; a < N; ++a)
          for (int j = 0; j < dim; ++j)
            batch.gradient[q][a - 1][j][lane] = map.gradient[a][j];
      }
    }

  } // namespace

  template<int dim>
  ElementForces<dim>::ElementForces(const SolidMesh<dim>& mesh, const AnyMaterial<dim>& material,
                                    int threads, CubeElement cubes)
    : material_(kernelMaterial<dim>(material))
    , lame_(kernelConstants<dim>(material))
    , threads_(threadCount(threads))
  {
    if (mesh.order() == 1)
      addChunks<dim + 1, 1>(mesh, mesh.simplices, simplices_);
    else
      addChunks<quadraticNodes<dim>, dim + 1>(mesh, mesh.quadratic, quadratic_);
    if (cubes == CubeElement::q1r)
      addChunks<cubeCorners, 1>(mesh, mesh.cubes, onePointCubes_);
    else
      addChunks<cubeCorners, cubeCorners>(mesh, mesh.cubes, cubes_);
    separateShared(mesh.nodes.size());
  }

  /* Cells along the curve, four to a batch. The lanes that the last batch of a chunk does not fill
   * repeat its last cell with zero weights and gradients. Nodes of a chunk are numbered as its
   * cells meet them. */
  template<int dim>
  template<int N, int Q>
  void ElementForces<dim>::addChunks(const SolidMesh<dim>& mesh,
                                     const std::vector<std::array<Index, N>>& cells,
                                     std::vector<LaneBatch<dim, N, Q>>& batches)
  {
    constexpr std::size_t size = isSimplex<dim, N> ? chunkSimplices : chunkCubes;
    constexpr Index unknown = std::numeric_limits<Index>::max();
    const auto order = alongCurve<dim, N>(mesh, cells);
    std::vector<Index> local(mesh.nodes.size(), unknown);
    batches.reserve(cells.size() / 4 + cells.size() / size + 1);
    const auto addLane = [&](const std::array<Index, N>& corners, int lane, auto& batch) {
      if constexpr (LaneBatch<dim, N, Q>::hourglass)
        setOnePointLane<dim>(mesh, corners, lame_, lane, batch);
      else
        setLane<dim, N, Q>(mesh, corners, lane, batch);
    };
    for (std::size_t begin = 0; begin < cells.size(); begin += size) {
      const std::size_t end = std::min(begin + size, cells.size());
      constexpr CellKind kind = isSimplex<dim, N>     ? CellKind::simplex
                                : isQuadratic<dim, N> ? CellKind::quadraticSimplex
                                : Q == 1              ? CellKind::onePointCube
                                                      : CellKind::cube;
      Chunk chunk{kind, batches.size(), 0, chunkNode_.size(), 0, 0, 0};
      for (std::size_t i = begin; i < end; i += 4) {
        LaneBatch<dim, N, Q>& batch = batches.emplace_back();
        batch = {};
        for (int lane = 0; lane < 4; ++lane) {
          const auto& corners = cells[order[std::min(i + lane, end - 1)]];
          if (i + lane < end)
            addLane(corners, lane, batch);
          for (int a = 0; a < N; ++a) {
            Index& number = local[corners[a]];
            if (number == unknown) {
              number = Index(chunkNode_.size() - chunk.nodeBegin);
              chunkNode_.push_back(corners[a]);
            }
            batch.node[a][lane] = number;
          }
        }
      }
      chunk.batchEnd = batches.size();
      chunk.nodeEnd = chunkNode_.size();
      for (std::size_t k = chunk.nodeBegin; k < chunk.nodeEnd; ++k)
        local[chunkNode_[k]] = unknown;
      chunks_.push_back(chunk);
    }
  }

  namespace {

    //! New numbers within a chunk
    template<class Batch>
    void renumber(std::span<Batch> batches, const std::vector<Index>& number)
    {
      for (Batch& batch : batches)
        for (auto& corner : batch.node)
          for (auto& node : corner)
            node = number[node];
    }

    //! Do at least half of the numbers, in this order, follow their predecessor closely, so that
    //! they are neighbours in memory?
    template<class Number>
    bool isCompact(const std::vector<Index>& order, Number&& number)
    {
      constexpr Index few = 8; // nodes: three cache lines of positions in space
      std::size_t close = 0;
      for (std::size_t k = 1; k < order.size(); ++k) {
        const Index last = number(order[k - 1]), next = number(order[k]);
        close += next > last && next - last <= few;
      }
      return 2 * close >= order.size();
    }

  } // namespace

  //! f(batches) with the batches of a kind of cells
  template<int dim>
  template<class Self, class F>
  auto ElementForces<dim>::withBatches(Self& self, CellKind kind, F&& f)
  {
    switch (kind) {
    case CellKind::simplex:
      return f(self.simplices_);
    case CellKind::quadraticSimplex:
      return f(self.quadratic_);
    case CellKind::onePointCube:
      return f(self.onePointCubes_);
    default:
      return f(self.cubes_);
    }
  }

  /* Nodes of one chunk only go first in it, then the nodes that it shares with others, both by
   * their numbers: the arrays of the body are read in this order. Where the numbers tell nothing
   * about places, that of the curve is better for the cells and stays; then the result is false.
   */
  template<int dim>
  bool ElementForces<dim>::sortNodes(Chunk& chunk, const std::vector<Index>& count)
  {
    const std::size_t size = chunk.nodeEnd - chunk.nodeBegin;
    std::vector<Index> order(size), number(size), sorted(size);
    std::iota(order.begin(), order.end(), 0);
    const auto nodeOf = [&](Index k) { return chunkNode_[chunk.nodeBegin + k]; };
    const auto shared = std::stable_partition(order.begin(), order.end(),
                                              [&](Index k) { return count[nodeOf(k)] == 1; });
    const auto byNumber = [&](Index a, Index b) { return nodeOf(a) < nodeOf(b); };
    auto ascending = order;
    std::sort(ascending.begin(), ascending.begin() + (shared - order.begin()), byNumber);
    std::sort(ascending.begin() + (shared - order.begin()), ascending.end(), byNumber);
    const bool compact = isCompact(ascending, nodeOf);
    if (compact)
      std::copy(ascending.begin(), ascending.end(), order.begin());
    for (std::size_t k = 0; k < size; ++k) {
      number[order[k]] = Index(k);
      sorted[k] = nodeOf(order[k]);
    }
    std::copy(sorted.begin(), sorted.end(), chunkNode_.begin() + chunk.nodeBegin);
    withBatches(*this, chunk.kind, [&](auto& batches) {
      renumber(std::span(batches).subspan(chunk.batchBegin, chunk.batchEnd - chunk.batchBegin),
               number);
    });
    chunk.ownEnd = chunk.nodeBegin + std::size_t(shared - order.begin());
    return compact;
  }

  /* The places of the parts of each shared node. Nodes follow each other by their numbers or, with
   * byPlace, by the first place of their parts.
   */
  template<int dim>
  void ElementForces<dim>::listParts(std::size_t nodes, bool byPlace)
  {
    struct Part
    {
      // key: parts of a node have the same, and nodes follow each other by it
      Index key, node, place;
    };
    std::vector<Part> parts;
    std::vector<Index> firstPlace(nodes, std::numeric_limits<Index>::max());
    for (const Chunk& chunk : chunks_)
      for (std::size_t k = chunk.ownEnd; k < chunk.nodeEnd; ++k) {
        const Index node = chunkNode_[k], place = Index(chunk.partBegin + k - chunk.ownEnd);
        firstPlace[node] = std::min(firstPlace[node], place);
        parts.push_back({byPlace ? firstPlace[node] : node, node, place});
      }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return std::pair(a.key, a.place) < std::pair(b.key, b.place);
    });
    for (const auto& [key, node, place] : parts) {
      if (sharedNode_.empty() || sharedNode_.back() != node) {
        sharedNode_.push_back(node);
        placeBegin_.push_back(place_.size());
      }
      place_.push_back(place);
    }
    placeBegin_.push_back(place_.size());
  }

  //! Nodes of one chunk only go first in it; the others get places for their parts
  template<int dim>
  void ElementForces<dim>::separateShared(std::size_t nodes)
  {
    std::vector<Index> count(nodes, 0);
    for (Index node : chunkNode_)
      ++count[node];
    std::size_t scattered = 0; // chunks whose nodes have numbers far from each other
    for (Chunk& chunk : chunks_) {
      if (!sortNodes(chunk, count))
        ++scattered;
      chunk.partBegin = partCount_;
      partCount_ += chunk.nodeEnd - chunk.ownEnd;
    }
    listParts(nodes, 2 * scattered > chunks_.size());
  }

  //! Gathers the displacements of the chunk, four numbers per node, and runs the kernel over its
  //! batches; forces are in the numbering of the chunk. Returns the smallest det F.
  template<int dim>
  double ElementForces<dim>::evaluateChunk(const Chunk& chunk, ConstSpan u, ConstSpan direction,
                                           Quads& forces) const
  {
    thread_local Quads displacements, directions;
    const auto gather = [&](ConstSpan x, Quads& local) {
      local.resize(chunk.nodeEnd - chunk.nodeBegin);
      for (std::size_t k = 0; k < local.size(); ++k) {
        const double* from = &x[std::size_t(chunkNode_[chunk.nodeBegin + k]) * dim];
        local[k] =
          dim == 2 ? Quad{from[0], from[1], 0, 0} : Quad{from[0], from[1], from[dim - 1], 0};
      }
    };
    gather(u, displacements);
    if (!direction.empty())
      gather(direction, directions);
    forces.assign(chunk.nodeEnd - chunk.nodeBegin, Quad{});
    const KernelInput input{material_,
                            lame_.lambda,
                            lame_.mu,
                            displacements.data()->value,
                            direction.empty() ? nullptr : directions.data()->value,
                            forces.data()->value};
    const std::size_t count = chunk.batchEnd - chunk.batchBegin;
    return withBatches(
      *this, chunk.kind, [&]<int N, int Q>(const std::vector<LaneBatch<dim, N, Q>>& batches) {
        return ElementKernel<dim, N, Q>::best()(&batches[chunk.batchBegin], count, input);
      });
  }

  template class ElementForces<2>;
  template class ElementForces<3>;

} // namespace Dune::Impact
