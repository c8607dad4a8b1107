// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <type_traits>

#include <dune/impact/body/elements.hh>
#include <dune/impact/body/shapefunctions.hh>
#include <dune/impact/common/parallel.hh>

namespace Dune::Impact {

  template<int dim>
  std::shared_ptr<const SparsityPattern> cellPattern(const SolidMesh<dim>& mesh)
  {
    std::vector<std::vector<Index>> rows(mesh.nodes.size());
    for (std::size_t c = 0; c < mesh.cells(); ++c)
      for (Index a : mesh.cellNodes(c))
        rows[a].insert(rows[a].end(), mesh.cellNodes(c).begin(), mesh.cellNodes(c).end());
    auto pattern = std::make_shared<SparsityPattern>();
    for (auto& row : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      pattern->column.insert(pattern->column.end(), row.begin(), row.end());
      pattern->rowStart.push_back(pattern->column.size());
    }
    return pattern;
  }

  template std::shared_ptr<const SparsityPattern> cellPattern(const SolidMesh<2>&);
  template std::shared_ptr<const SparsityPattern> cellPattern(const SolidMesh<3>&);

  namespace {

    //! Lame constants of a material at small strains; others than isotropic ones are taken as such
    template<int dim, class M>
    Lame smallStrainConstants(const M& material)
    {
      if constexpr (requires { material.lame; })
        return material.lame;
      else {
        Tensor<dim> G(0.0);
        G[1][1] = 1;
        const double lambda = applyTangent<dim>(material.tangent(Tensor<dim>(0.0)), G)[0][0];
        G[1][1] = 0;
        G[0][1] = 1;
        return {lambda, applyTangent<dim>(material.tangent(Tensor<dim>(0.0)), G)[0][1]};
      }
    }

    //! Gradients at the points of a cell
    template<int dim, int N, int Q>
    typename CellBatch<dim, N, Q>::Cell makeCell(const SolidMesh<dim>& mesh,
                                                 const std::array<Index, N>& corners,
                                                 const SparsityPattern& pattern)
    {
      typename CellBatch<dim, N, Q>::Cell cell;
      cell.node = corners;
      if constexpr (CellBatch<dim, N, Q>::hourglass) {
        const auto mean = meanGradients<dim>(mesh, corners);
        cell.point[0] = {mean.determinant, mean.gradient};
      }
      else
        for (int q = 0; q < Q; ++q) {
          const auto map = shapeGradients<dim, N>(mesh, corners, integrationPoint<dim, N, Q>(q));
          cell.point[q].weight = map.determinant * integrationWeight<dim, N, Q>();
          cell.point[q].gradient = map.gradient;
        }
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
          cell.multiplier[a * N + b] = Index(pattern.find(corners[a], corners[b]));
      return cell;
    }

    //! H = sum u_a (x) grad N_a
    template<int dim, class Cell, class Point>
    Tensor<dim> displacementGradient(const Cell& cell, const Point& point, const double* u)
    {
      Tensor<dim> H(0.0);
      for (std::size_t a = 0; a < cell.node.size(); ++a) {
        const double* ua = u + cell.node[a] * dim;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            H[i][j] += ua[i] * point.gradient[a][j];
      }
      return H;
    }

    template<class M>
    constexpr bool smallStrain = std::is_same_v<M, LinearElastic<M::dimension>>;

    //! Mean displacement gradient of a cube with one point, its hourglass vectors h, and p
    template<int dim>
    struct HourglassStrain
    {
      Tensor<dim> H;
      typename Hourglass<dim>::Vectors h, p;
    };

    template<int dim, class M, class Cell>
    HourglassStrain<dim> hourglassStrain(const Cell& cell, const double* u)
    {
      HourglassStrain<dim> s{displacementGradient<dim>(cell, cell.point[0], u), {}, {}};
      s.h = cell.unseen.vectors(cell.node, u, s.H);
      s.p = smallStrain<M> ? s.h : Hourglass<dim>::turnedBack(s.H, s.h);
      return s;
    }

    template<std::size_t n, int dim>
    auto meanVectors(const std::array<FieldVector<double, dim>, n>& a,
                     const std::array<FieldVector<double, dim>, n>& b)
    {
      auto c = a;
      for (std::size_t i = 0; i < n; ++i) {
        c[i] += b[i];
        c[i] *= 0.5;
      }
      return c;
    }

    //! H, h and q = K p of a configuration
    template<int dim, class M, class Cell>
    auto hourglassState(const Cell& cell, const double* u)
    {
      const auto s = hourglassStrain<dim, M>(cell, u);
      return typename Hourglass<dim>::State{s.H, s.h, cell.unseen.conjugate(s.p)};
    }

    //! Those of the mean of two configurations
    template<int dim, class M, class Cell>
    auto midpointHourglass(const Cell& cell, const double* u0, const double* u1)
    {
      const auto s0 = hourglassStrain<dim, M>(cell, u0), s1 = hourglassStrain<dim, M>(cell, u1);
      typename Hourglass<dim>::State s{mean(s0.H, s1.H), meanVectors(s0.h, s1.h), {}};
      s.q = cell.unseen.conjugate(smallStrain<M> ? s.h : Hourglass<dim>::turnedBack(s.H, s.h));
      return s;
    }

    //! q = K (p0 + p1)/2 with the means of H and h does exactly the work of the hourglass energy:
    //! p1 - p0 = F_m^T (h1 - h0) + (F1 - F0)^T h_m
    template<int dim, class M, class Cell>
    auto averagedHourglass(const Cell& cell, const double* u0, const double* u1)
    {
      const auto s0 = hourglassStrain<dim, M>(cell, u0), s1 = hourglassStrain<dim, M>(cell, u1);
      return typename Hourglass<dim>::State{mean(s0.H, s1.H), meanVectors(s0.h, s1.h),
                                            cell.unseen.conjugate(meanVectors(s0.p, s1.p))};
    }

    constexpr std::size_t serialCells = 4000; // fewer are not worth several threads
    constexpr std::size_t nodesPerGroup = 48; // whose cells make a group
    constexpr std::size_t cellsPerSum = 512;  // parts of which energies are added up

    //! Cells in groups that have no node in common within a colour
    template<class Batch>
    ColouredGroups groupCells(const Batch& batch, const SparsityPattern& pattern)
    {
      const std::size_t n = batch.cells.size();
      std::vector<std::uint32_t> groupOf(n, 0);
      std::vector<std::vector<std::uint32_t>> conflicts(n > 0 ? 1 : 0);
      if (n >= serialCells) {
        const auto chunk = growChunks(pattern.rows(), nodesPerGroup, [&](std::size_t i) {
          return std::span(pattern.column)
            .subspan(pattern.rowStart[i], pattern.rowStart[i + 1] - pattern.rowStart[i]);
        });
        std::vector<std::vector<std::uint32_t>> touching(pattern.rows()); // groups per node
        conflicts.resize(*std::max_element(chunk.begin(), chunk.end()) + 1);
        for (std::size_t c = 0; c < n; ++c) {
          groupOf[c] = chunk[batch.cells[c].node[0]];
          for (const auto node : batch.cells[c].node)
            if (auto& groups = touching[node];
                std::find(groups.begin(), groups.end(), groupOf[c]) == groups.end())
              groups.push_back(groupOf[c]);
        }
        for (const auto& groups : touching)
          for (const auto g : groups)
            for (const auto other : groups)
              if (auto& all = conflicts[g];
                  other != g && std::find(all.begin(), all.end(), other) == all.end())
                all.push_back(other);
      }
      return colourGroups(groupOf, std::move(conflicts));
    }

    //! Call f(cell) group by group: calls at the same time have no node in common
    template<class Batch, class F>
    void forCells(const Batch& batch, F&& f)
    {
      batch.groups.forEachGroup(threadCount(), false, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          f(batch.cells[batch.groups.item[k]]);
      });
    }

    //! f_a += weight * int P grad N_a with P = stress(cell, point), and the hourglass forces of
    //! the state hourglass(cell)
    template<int dim, class M, class Batch, class Stress, class State>
    void integrateForce(const Batch& batch, double weight, double* f, Stress&& stress,
                        State&& hourglass)
    {
      forCells(batch, [&](const auto& cell) {
        for (const auto& point : cell.point) {
          const Tensor<dim> P = stress(cell, point);
          for (int a = 0; a < Batch::nodes; ++a) {
            const auto Pg = product(P, point.gradient[a]);
            for (int i = 0; i < dim; ++i)
              f[cell.node[a] * dim + i] += weight * point.weight * Pg[i];
          }
        }
        if constexpr (Batch::hourglass) {
          std::array<FieldVector<double, dim>, Batch::nodes> forces;
          forces.fill(FieldVector<double, dim>(0.0));
          cell.unseen.addForce(hourglass(cell), cell.point[0].gradient, smallStrain<M>, weight,
                               forces);
          for (int a = 0; a < Batch::nodes; ++a)
            for (int i = 0; i < dim; ++i)
              f[cell.node[a] * dim + i] += forces[a][i];
        }
      });
    }

    //! K_ab += weight * int (dP/dF)[grad N_a, grad N_b] with dP/dF = tangent(cell, point), and
    //! hourglassFactor times the hourglass tangent of the state hourglass(cell)
    template<int dim, class M, class Batch, class Tangent, class State>
    void integrateTangent(const Batch& batch, double weight, std::vector<Tensor<dim>>& K,
                          Tangent&& tangent, double hourglassFactor, State&& hourglass)
    {
      constexpr int N = Batch::nodes;
      forCells(batch, [&](const auto& cell) {
        std::array<Tensor<dim>, N*(N + 1) / 2> upper;
        upper.fill(Tensor<dim>(0.0));
        for (const auto& point : cell.point) {
          const auto T = tangent(cell, point);
          std::array<decltype(T.direction(point.gradient[0])), N> direction;
          for (int a = 0; a < N; ++a)
            direction[a] = T.direction(point.gradient[a]);
          for (int a = 0, k = 0; a < N; ++a)
            for (int b = a; b < N; ++b, ++k)
              T.addBlock(direction[a], direction[b], weight * point.weight, upper[k]);
        }
        if constexpr (Batch::hourglass)
          cell.unseen.addTangent(hourglass(cell), cell.point[0].gradient, smallStrain<M>,
                                 weight * hourglassFactor, upper);
        for (int a = 0, k = 0; a < N; ++a)
          for (int b = a; b < N; ++b, ++k) {
            K[cell.multiplier[a * N + b]] += upper[k];
            if (b > a)
              K[cell.multiplier[b * N + a]] += transposed(upper[k]);
          }
      });
    }

    //! A displacement gradient of plane strain in three dimensions
    template<int dim>
    Tensor<3> inSpace(const Tensor<dim>& H)
    {
      Tensor<3> result(0.0);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          result[i][j] = H[i][j];
      return result;
    }

    //! First Piola stress in space
    template<template<int> class M, int dim>
    Tensor<3> stressInSpace(const M<dim>& material, const Tensor<dim>& H)
    {
      return M<3>{material.lame}.stress(inSpace(H));
    }

    template<int dim>
    Tensor<3> stressInSpace(const CustomMaterial<dim>& material, const Tensor<dim>& H)
    {
      Tensor<3> P = inSpace(material.stress(H));
      if constexpr (dim == 2)
        P[2][2] = material.stressAcross(H);
      return P;
    }

  } // namespace

  template<int dim>
  SolidElements<dim>::SolidElements(const SolidMesh<dim>& mesh, const AnyMaterial<dim>& material,
                                    CubeElement cubes)
    : material_(material)
    , pattern_(cellPattern(mesh))
  {
    if (mesh.order() == 1)
      addCells(mesh, mesh.simplices, simplices_);
    else
      addCells(mesh, mesh.quadratic, quadratic_);
    if (cubes == CubeElement::q1r)
      addOnePointCubes(mesh);
    else
      addCells(mesh, mesh.cubes, cubes_);
    simplices_.groups = groupCells(simplices_, *pattern_);
    quadratic_.groups = groupCells(quadratic_, *pattern_);
    cubes_.groups = groupCells(cubes_, *pattern_);
    onePointCubes_.groups = groupCells(onePointCubes_, *pattern_);
  }

  template<int dim>
  template<class Cells, class Batch>
  void SolidElements<dim>::addCells(const SolidMesh<dim>& mesh, const Cells& cells, Batch& batch)
  {
    batch.cells.reserve(cells.size());
    for (const auto& nodes : cells)
      batch.cells.push_back(makeCell<dim, Batch::nodes, Batch::points>(mesh, nodes, *pattern_));
  }

  template<int dim>
  void SolidElements<dim>::addOnePointCubes(const SolidMesh<dim>& mesh)
  {
    const Lame lame =
      std::visit([](const auto& m) { return smallStrainConstants<dim>(m); }, material_);
    onePointCubes_.cells.resize(mesh.cubes.size());
    parallelFor(
      mesh.cubes.size(), threadCount(),
      [&](std::size_t i) {
        auto& cell = onePointCubes_.cells[i] =
          makeCell<dim, (1 << dim), 1>(mesh, mesh.cubes[i], *pattern_);
        cell.unseen = Hourglass<dim>(mesh, mesh.cubes[i], lame);
      },
      1024);
  }

  //! Call f(material, batch) with the type of the material known, so that the loop inside is one
  //! piece
  template<int dim>
  template<class Function>
  void SolidElements<dim>::forEachBatch(Function&& f) const
  {
    std::visit(
      [&](const auto& material) {
        f(material, simplices_);
        f(material, quadratic_);
        f(material, cubes_);
        f(material, onePointCubes_);
      },
      material_);
  }

  //! sum weight W(H) over the integration points. Parts of cellsPerSum cells are summed each, then
  //! the parts in order, so that the result does not depend on the number of threads.
  template<int dim>
  double SolidElements<dim>::energy(ConstSpan u) const
  {
    double sum = 0;
    forEachBatch([&](const auto& material, const auto& batch) {
      std::vector<double> part((batch.cells.size() + cellsPerSum - 1) / cellsPerSum, 0);
      parallelRanges(
        batch.cells.size(), threadCount(),
        [&](std::size_t begin, std::size_t end, int) {
          for (std::size_t c = begin; c < end; ++c) {
            const auto& cell = batch.cells[c];
            for (const auto& point : cell.point)
              part[begin / cellsPerSum] +=
                point.weight * material.energy(displacementGradient<dim>(cell, point, u.data()));
            if constexpr (std::remove_cvref_t<decltype(batch)>::hourglass)
              part[begin / cellsPerSum] += cell.unseen.energy(
                hourglassStrain<dim, std::remove_cvref_t<decltype(material)>>(cell, u.data()).p);
          }
        },
        cellsPerSum);
      for (const double energy : part)
        sum += energy;
    });
    return sum;
  }

  //! f_a += weight int P(H) grad N_a
  template<int dim>
  void SolidElements<dim>::addForce(ConstSpan u, double weight, Span f) const
  {
    forEachBatch([&](const auto& material, const auto& batch) {
      using M = std::remove_cvref_t<decltype(material)>;
      integrateForce<dim, M>(
        batch, weight, f.data(),
        [&](const auto& cell, const auto& point) {
          return material.stress(displacementGradient<dim>(cell, point, u.data()));
        },
        [&](const auto& cell) { return hourglassState<dim, M>(cell, u.data()); });
    });
  }

  //! K_ab += weight int (dP/dF)(H)[grad N_a, grad N_b]
  template<int dim>
  void SolidElements<dim>::addTangent(ConstSpan u, double weight, Matrix& K) const
  {
    forEachBatch([&](const auto& material, const auto& batch) {
      using M = std::remove_cvref_t<decltype(material)>;
      integrateTangent<dim, M>(
        batch, weight, K.block,
        [&](const auto& cell, const auto& point) {
          return material.tangent(displacementGradient<dim>(cell, point, u.data()));
        },
        1, [&](const auto& cell) { return hourglassState<dim, M>(cell, u.data()); });
    });
  }

  //! f_a += weight int P((H0 + H1)/2) grad N_a
  template<int dim>
  void SolidElements<dim>::addMidpointForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const
  {
    forEachBatch([&](const auto& material, const auto& batch) {
      using M = std::remove_cvref_t<decltype(material)>;
      integrateForce<dim, M>(
        batch, weight, f.data(),
        [&](const auto& cell, const auto& point) {
          return material.stress(mean(displacementGradient<dim>(cell, point, u0.data()),
                                      displacementGradient<dim>(cell, point, u1.data())));
        },
        [&](const auto& cell) { return midpointHourglass<dim, M>(cell, u0.data(), u1.data()); });
    });
  }

  //! f_a += weight int P(H0, H1) grad N_a, where P(H0, H1) : (H1 - H0) = W(H1) - W(H0)
  template<int dim>
  void SolidElements<dim>::addAveragedForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const
  {
    forEachBatch([&](const auto& material, const auto& batch) {
      using M = std::remove_cvref_t<decltype(material)>;
      integrateForce<dim, M>(
        batch, weight, f.data(),
        [&](const auto& cell, const auto& point) {
          return material.averagedStress(displacementGradient<dim>(cell, point, u0.data()),
                                         displacementGradient<dim>(cell, point, u1.data()));
        },
        [&](const auto& cell) { return averagedHourglass<dim, M>(cell, u0.data(), u1.data()); });
    });
  }

  //! K_ab += weight int S[grad N_a, grad N_b] with the symmetric surrogate S of dP(H0, H1)/dH1
  template<int dim>
  void SolidElements<dim>::addAveragedTangent(ConstSpan u0, ConstSpan u1, double weight,
                                              Matrix& K) const
  {
    forEachBatch([&](const auto& material, const auto& batch) {
      using M = std::remove_cvref_t<decltype(material)>;
      integrateTangent<dim, M>(
        batch, weight, K.block,
        [&](const auto& cell, const auto& point) {
          return material.averagedTangent(displacementGradient<dim>(cell, point, u0.data()),
                                          displacementGradient<dim>(cell, point, u1.data()));
        },
        0.5,
        [&](const auto& cell) { return averagedHourglass<dim, M>(cell, u0.data(), u1.data()); });
    });
  }

  //! det F = 1 + volumeChange(H) must be positive at all integration points; NaN counts as inverted
  template<int dim>
  std::optional<std::size_t> SolidElements<dim>::invertedCell(ConstSpan u) const
  {
    std::optional<std::size_t> found;
    std::size_t number = 0;
    forEachBatch([&](const auto&, const auto& batch) {
      for (const auto& cell : batch.cells) {
        for (const auto& point : cell.point)
          if (!found && !(volumeChange(displacementGradient<dim>(cell, point, u.data())) > -1))
            found = number;
        ++number;
      }
    });
    return found;
  }

  // sigma = P F^T / det F
  template<int dim>
  std::vector<Tensor<3>> SolidElements<dim>::stress(ConstSpan u) const
  {
    std::vector<Tensor<3>> result;
    forEachBatch([&](const auto& material, const auto& batch) {
      for (const auto& cell : batch.cells) {
        Tensor<3> sum(0.0);
        double volume = 0;
        for (const auto& point : cell.point) {
          const Tensor<dim> H = displacementGradient<dim>(cell, point, u.data());
          sum.axpy(point.weight / (1 + volumeChange(H)),
                   productTransposed(stressInSpace(material, H), identityPlus(inSpace(H))));
          volume += point.weight;
        }
        result.push_back(sum /= volume);
      }
    });
    return result;
  }

  template class SolidElements<2>;
  template class SolidElements<3>;

} // namespace Dune::Impact
