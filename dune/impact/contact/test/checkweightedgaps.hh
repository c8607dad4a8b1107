// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_TEST_CHECKWEIGHTEDGAPS_HH
#define DUNE_IMPACT_CONTACT_TEST_CHECKWEIGHTEDGAPS_HH

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_contact
 * \brief Does a geometry of surfaces keep the promises of its interface?
 *
 * \code
 * test.subTest(checkWeightedGaps(geometry, u, {.length = 0.01 * h}));
 * \endcode
 * The configuration should be a general one in which some nodes have gaps, and keep them under
 * small displacements.
 */

namespace Dune::Impact {

  //! What checkWeightedGaps() must know of the geometry
  struct CheckWeightedGapsOptions
  {
    //! displacements of a hundredth of this neither make nor end gaps, and cross no kink of their
    //! derivatives
    double length = 1;
    double time = 0; //!< instant of the check
    //! both sides are flat and touch: the simplified derivative is the exact one
    bool flat = false;
    bool curvature = true; //!< the gaps have second derivatives
  };

  namespace Test {

    //! Carries out checkWeightedGaps()
    template<int dim>
    class WeightedGapsCheck
    {
    public:
      using Vector = FieldVector<double, dim>;

      WeightedGapsCheck(const WeightedGapGeometry<dim>& geometry, ConstSpan u,
                        const CheckWeightedGapsOptions& options)
        : geometry_(geometry)
        , u_(u.begin(), u.end())
        , options_(options)
        , gaps_(gaps(u_))
      {
        for (const auto* surface : {&geometry.surface(), geometry.mortarSurface()})
          if (surface)
            for (std::size_t i = 0; i < surface->node.size(); ++i) {
              reference_[surface->node[i]] = surface->reference[i];
              extent_ = std::max(extent_, surface->position(i, u_).two_norm());
            }
      }

      TestSuite run()
      {
        suite_.require(gaps_.size() > 0, "some node has a gap");
        order();
        for (std::size_t p = 0; p < gaps_.size(); ++p) {
          rowIsSparse(p);
          if (geometry_.mortarSurface()) {
            weightsSumToOne(p);
            equilibrium(p);
          }
          if (options_.flat)
            simplifiedIsExact(p);
        }
        for (int repeat = 0; repeat < 3; ++repeat) {
          derivative();
          if (options_.curvature)
            curvature();
        }
        if (geometry_.mortarSurface())
          rigidMotion();
        return suite_;
      }

    private:
      WeightedGaps<dim> gaps(const Numbers& u, std::size_t offset = 0) const
      {
        WeightedGaps<dim> gaps;
        geometry_.addGaps(options_.time, u, offset, gaps);
        return gaps;
      }

      Numbers moved(const Numbers& d, double factor) const
      {
        Numbers u = u_;
        for (std::size_t i = 0; i < u.size(); ++i)
          u[i] += factor * d[i];
        return u;
      }

      //! Value of a row
      static double apply(std::span<const typename WeightedGaps<dim>::Derivative> row,
                          const Numbers& d)
      {
        double sum = 0;
        for (const auto& [node, value] : row)
          for (int c = 0; c < dim; ++c)
            sum += value[c] * d[node * dim + c];
        return sum;
      }

      double rowSize(std::size_t p) const
      {
        double size = 0;
        for (const auto& entry : gaps_.derivative(p))
          size += entry.value.two_norm();
        return size;
      }

      bool sameNodes(const WeightedGaps<dim>& gaps) const
      {
        bool same = gaps.size() == gaps_.size();
        for (std::size_t p = 0; same && p < gaps.size(); ++p)
          same = gaps[p].multiplier == gaps_[p].multiplier;
        return same;
      }

      //! Slots increase and begin at the offset; the answer repeats bit for bit
      void order()
      {
        constexpr std::size_t offset = 1000;
        const WeightedGaps<dim> again = gaps(u_, offset);
        suite_.require(again.size() == gaps_.size(), "the same number of gaps again");
        for (std::size_t p = 0; p < gaps_.size(); ++p) {
          const auto& gap = gaps_[p];
          suite_.check(p == 0 || gaps_[p - 1].multiplier < gap.multiplier, "multipliers increase");
          suite_.require(gap.multiplier < geometry_.multipliers(),
                         "multipliers are below their number")
            << gap.multiplier;
          suite_.require(geometry_.multiplierNode(gap.multiplier) < geometry_.surface().node.size(),
                         "multipliers belong to nodes")
            << gap.multiplier;
          suite_.check(gap.node ==
                         geometry_.surface().node[geometry_.multiplierNode(gap.multiplier)],
                       "gaps belong to the nodes of their multipliers")
            << gap.multiplier;
          suite_.check(gap.weight > 0, "weights are positive") << gap.weight;
          suite_.check(std::abs(gap.normal.two_norm() - 1) < 8 * epsilon, "normals have length one")
            << gap.normal;
          suite_.check(std::abs(gap.direction.two_norm() - 1) < 8 * epsilon && gap.slope > 0,
                       "so have directions")
            << gap.direction;
          suite_.check(again[p].multiplier == gap.multiplier + offset &&
                         again[p].value == gap.value && again[p].weight == gap.weight,
                       "gaps repeat bit for bit");
        }
      }

      void rowIsSparse(std::size_t p)
      {
        std::map<std::size_t, int> count;
        for (const auto& entry : gaps_.derivative(p)) {
          suite_.check(++count[entry.node] == 1, "each node once in a row") << entry.node;
          suite_.check(reference_.count(entry.node) == 1, "rows have nodes of the surfaces")
            << entry.node;
        }
      }

      //! sum_j m_pj = 1
      void weightsSumToOne(std::size_t p)
      {
        double sum = 0, size = 0;
        for (const auto& [node, weight] : gaps_.mortar(p)) {
          sum += weight;
          size += std::abs(weight);
        }
        suite_.check(std::abs(sum - 1) <= 256 * epsilon * size, "mortar weights sum up to one")
          << "gap " << p << ": " << sum - 1;
      }

      //! A row vanishes on translations and rotations
      void equilibrium(std::size_t p)
      {
        Vector force(0);
        FieldMatrix<double, dim, dim> moment(0);
        for (const auto& [node, value] : gaps_.derivative(p)) {
          Vector x = reference_.at(node);
          for (int c = 0; c < dim; ++c)
            x[c] += u_[node * dim + c];
          force += value;
          for (int i = 0; i < dim; ++i)
            moment[i].axpy(x[i], value);
        }
        const double tolerance = 1024 * epsilon * rowSize(p);
        suite_.check(force.two_norm() <= tolerance, "forces sum up to zero")
          << "gap " << p << ": " << force.two_norm() / rowSize(p);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < i; ++j)
            suite_.check(std::abs(moment[i][j] - moment[j][i]) <= tolerance * extent_,
                         "forces have no moment")
              << "gap " << p << ": "
              << std::abs(moment[i][j] - moment[j][i]) / (rowSize(p) * extent_);
      }

      //! dc_p = -weight n_p . (d_p - sum_j m_pj d_j)
      void simplifiedIsExact(std::size_t p)
      {
        const auto& gap = gaps_[p];
        std::map<std::size_t, Vector> row;
        for (const auto& [node, value] : gaps_.derivative(p))
          row[node] = value;
        const auto subtract = [&](std::size_t node, double factor) {
          row.try_emplace(node, Vector(0)).first->second.axpy(-factor * gap.slope, gap.direction);
        };
        subtract(gap.node, -gap.weight);
        for (const auto& [node, weight] : gaps_.mortar(p))
          subtract(node, gap.weight * weight);
        for (const auto& [node, difference] : row)
          suite_.check(difference.two_norm() <= 512 * epsilon * rowSize(p),
                       "the simplified derivative is exact on flat pairs")
            << "gap " << p << " node " << node << ": " << difference.two_norm() / rowSize(p);
      }

      //! A random displacement of the nodes of both surfaces
      Numbers direction()
      {
        const Numbers random = randomNumbers(u_.size(), options_.length, random_);
        Numbers d(u_.size(), 0);
        for (const auto& [node, x] : reference_)
          for (int c = 0; c < dim; ++c)
            d[node * dim + c] = random[node * dim + c];
        return d;
      }

      void derivative()
      {
        const Numbers d = direction();
        for (double factor : {-1e-3, 1e-3})
          suite_.require(sameNodes(gaps(moved(d, factor))), "gaps stay under small displacements");
        std::map<double, WeightedGaps<dim>> cache; // all gaps are taken at the same few places
        const auto valueAt = [&](double x, std::size_t p) {
          const auto [place, isNew] = cache.try_emplace(x);
          if (isNew)
            place->second = gaps(moved(d, x));
          return place->second[p].value;
        };
        for (std::size_t p = 0; p < gaps_.size(); ++p) {
          const Difference slope([&](double x) { return valueAt(x, p); });
          const double exact = apply(gaps_.derivative(p), d);
          const double rounding = 1e5 * epsilon * extent_ * rowSize(p);
          suite_.check(std::abs(exact - slope.value) <=
                         1e-9 * rowSize(p) * options_.length + slope.rounding + rounding,
                       "rows are derivatives of gaps")
            << "gap " << p << ": " << exact << " instead of " << slope.value;
        }
      }

      //! G(u + s d)^T mu, all dofs
      Numbers force(const Numbers& u, const Numbers& mu) const
      {
        Numbers f(u_.size(), 0);
        const auto gaps = this->gaps(u);
        for (std::size_t p = 0; p < gaps.size(); ++p)
          for (const auto& [node, value] : gaps.derivative(p))
            for (int c = 0; c < dim; ++c)
              f[node * dim + c] += mu[gaps[p].multiplier] * value[c];
        return f;
      }

      void curvature()
      {
        const Numbers d = direction(), e = direction();
        Numbers mu = randomNumbers(geometry_.multipliers(), 1, random_);
        mu[gaps_[0].multiplier] = 0;
        std::vector<MatrixBlock<dim>> blocks;
        geometry_.addCurvature(options_.time, u_, mu, blocks);
        double value = 0, transposed = 0, size = 0;
        for (const auto& block : blocks)
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j) {
              const std::size_t row = block.row * dim + i, column = block.column * dim + j;
              value += d[row] * block.value[i][j] * e[column];
              transposed += e[row] * block.value[i][j] * d[column];
              size += std::abs(d[row] * block.value[i][j] * e[column]);
            }
        suite_.check(std::abs(value - transposed) <= 64 * epsilon * size,
                     "second derivatives are symmetric")
          << value - transposed << " of " << size;
        const Difference slope(
          [&](double x) { return dot(ConstSpan(force(moved(e, x), mu)), ConstSpan(d)); });
        double forces = 0;
        for (std::size_t p = 0; p < gaps_.size(); ++p)
          forces += std::abs(mu[gaps_[p].multiplier]) * rowSize(p);
        const double rounding = 1e5 * epsilon * forces * options_.length;
        suite_.check(std::abs(value - slope.value) <= 1e-8 * size + slope.rounding + rounding,
                     "curvature is the derivative of the rows")
          << value << " instead of " << slope.value << " +- " << slope.rounding + rounding
          << ", size " << size;
        mu.assign(mu.size(), 0);
        blocks.clear();
        geometry_.addCurvature(options_.time, u_, mu, blocks);
        for (const auto& block : blocks)
          suite_.check(block.value.infinity_norm() == 0, "no curvature without multipliers");
      }

      //! Gaps do not change if both sides are turned and moved together
      void rigidMotion()
      {
        Numbers u = u_;
        const double angle = 0.7, shift = 0.3 * extent_;
        for (const auto& [node, X] : reference_) {
          Vector x = X;
          for (int c = 0; c < dim; ++c)
            x[c] += u_[node * dim + c];
          for (int axis = 0; axis + 1 < dim; ++axis) {
            const double a = x[axis], b = x[axis + 1];
            x[axis] = std::cos(angle) * a - std::sin(angle) * b;
            x[axis + 1] = std::sin(angle) * a + std::cos(angle) * b;
          }
          for (int c = 0; c < dim; ++c)
            u[node * dim + c] = x[c] + (c + 1) * shift - X[c];
        }
        const WeightedGaps<dim> turned = gaps(u);
        suite_.require(sameNodes(turned), "the same nodes have gaps after a rigid motion");
        for (std::size_t p = 0; p < turned.size(); ++p)
          suite_.check(std::abs(turned[p].value - gaps_[p].value) <=
                         256 * epsilon * extent_ * rowSize(p),
                       "gaps do not change under rigid motions")
            << "gap " << p << ": " << turned[p].value - gaps_[p].value;
      }

      const WeightedGapGeometry<dim>& geometry_;
      Numbers u_;
      CheckWeightedGapsOptions options_;
      WeightedGaps<dim> gaps_;
      std::map<std::size_t, Vector> reference_; //!< of the nodes of both surfaces
      double extent_ = 0;
      std::mt19937 random_{3};
      TestSuite suite_{"checkWeightedGaps"};
    };

  } // namespace Test

  /** \brief Check a geometry of surfaces at the displacements u of all nodes of the system
   *
   * Slots and rows are in order; rows are the derivatives of gaps and curvature that of rows.
   * Between bodies weights of mortar nodes sum up to one, gaps do not change under rigid motions,
   * and rows, seen as forces, are in equilibrium.
   */
  template<int dim>
  TestSuite checkWeightedGaps(const WeightedGapGeometry<dim>& geometry, ConstSpan u,
                              const CheckWeightedGapsOptions& options = {})
  {
    return Test::WeightedGapsCheck<dim>(geometry, u, options).run();
  }

} // namespace Dune::Impact

#endif
