// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_GAPASSEMBLER_HH
#define DUNE_IMPACT_CONTACT_MORTAR_GAPASSEMBLER_HH

#include <algorithm>
#include <span>
#include <vector>

#include <dune/impact/contact/mortar/mortargap.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief How weighted gaps of the faces of nodes are summed up from facets
 */

namespace Dune::Impact {

  /** \brief A gap in the making
   *
   * Sums by nodes of the own side are in arrays over the pattern of the node, those by mortar nodes
   * in a list that a table leads to. All memory is kept.
   */
  template<int dim>
  class MortarGap<dim>::Row
  {
  public:
    bool isGap = false;
    double value, weight; //!< c_p and D_p
    Vector direction;     //!< of the sum of the derivatives by mortar nodes, a unit vector
    double slope;         //!< length of that sum over the weight
    std::vector<typename WeightedGaps<dim>::Derivative> derivative;
    std::vector<typename WeightedGaps<dim>::MortarNode> mortar; //!< with m_pj
    std::vector<NodeWeight> shares;                             //!< q_pa

    //! Sums of a row; one object serves one row after the other
    class Sums
    {
    public:
      void clear(std::size_t pattern, std::size_t normals, std::size_t mortarNodes)
      {
        own_.assign(pattern, Vector(0));
        isCorner_.assign(pattern, false);
        area = 0;
        byNormal_.assign(normals, Vector(0));
        for (const auto& entry : mortar_)
          place_[entry.node] = none;
        mortar_.clear();
        place_.resize(std::max(place_.size(), mortarNodes), none);
      }

      std::vector<Vector> derivative; //!< what one facet gives, by its columns
      double area;                    //!< of the facets of the node

      //! What belongs to a mortar node
      struct MortarEntry
      {
        Index node;
        double weight; //!< D_p m_pj
        double share;  //!< int N_j over the facets of the node
        Vector derivative;
      };

      Vector& own(std::size_t i) { return own_[i]; }
      Vector& byNormal(std::size_t i) { return byNormal_[i]; }
      char& isCorner(std::size_t i) { return isCorner_[i]; }
      MortarEntry& mortar(Index node)
      {
        Index& place = place_[node];
        if (place == none) {
          place = Index(mortar_.size());
          mortar_.push_back({node, 0, 0, Vector(0)});
        }
        return mortar_[place];
      }

      //! After the last change of them, by nodes
      std::span<const MortarEntry> sortedMortar()
      {
        for (const auto& entry : mortar_)
          place_[entry.node] = none;
        std::sort(mortar_.begin(), mortar_.end(),
                  [](const auto& a, const auto& b) { return a.node < b.node; });
        for (std::size_t i = 0; i < mortar_.size(); ++i)
          place_[mortar_[i].node] = Index(i);
        return mortar_;
      }

    private:
      static constexpr Index none = -1;
      std::vector<Vector> own_, byNormal_;
      std::vector<char> isCorner_; //!< of a facet of the node
      std::vector<MortarEntry> mortar_;
      std::vector<Index> place_;
    };

    //! Corners and area of a facet of the node, whether it sees something or not
    void addFacet(const MortarGap& gap, const Evaluation& at, Index f, Index p,
                  std::span<const Index, dim> places, Sums& sums)
    {
      std::array<Vector, dim> a;
      for (int i = 0; i < dim; ++i) {
        a[i] = at.x[gap.flat_.facets[f].node[i]];
        sums.isCorner(gap.pattern_.place(p, places[i])) = true;
      }
      sums.area += gap.flat_.weight() * areaVector<dim>(std::span<const Vector, dim>(a)).two_norm();
    }

    /** \brief Add what a facet gives to the node p, which is its corner `self`; places are those of
     * its corners in the ring of p, and of their normals among those of p
     *
     * With the moments q_k of the facet and its part c(q) of c_p: dc = sum_k dc/dq_k dq_k by the
     * columns of the facet, which are its corners, their normals and mortar nodes, and D_p m_pj =
     * sum_i A_pi R_ij.
     */
    void add(const MortarGap& gap, const NearFacet& near, Index p, int self,
             std::span<const Index, dim> places, std::span<const Index, dim> normalPlaces,
             Sums& sums)
    {
      const auto& moments = near.result.moments;
      const FacetGaps<dim>& gaps = *near.gaps;
      const double layer = gap.flat_.weight();
      const std::size_t nodes = moments.mortar.size();
      value += layer * gaps.value(self);
      weight += layer * moments.value[FacetMoments<dim>::D(self)];
      // of the facet as a whole: the parts of its moments may be large and cancel
      auto& derivative = sums.derivative;
      derivative.assign(moments.columns(), Vector(0));
      for (int k = 0; k < moments.moments(); ++k) {
        const double factor = layer * gaps.derivative(self, k);
        const double* from = &moments.row(k)[0][0];
        double* to = &derivative[0][0];
        for (std::size_t i = 0; i < dim * derivative.size(); ++i)
          to[i] += factor * from[i];
      }
      for (int i = 0; i < dim; ++i) {
        sums.own(gap.pattern_.place(p, places[i])) += derivative[i];
        sums.byNormal(normalPlaces[i]) += derivative[dim + i];
      }
      for (std::size_t j = 0; j < nodes; ++j) {
        auto& entry = sums.mortar(moments.mortar[j]);
        entry.derivative += derivative[2 * dim + j];
        double part = 0, share = 0;
        for (int i = 0; i < dim; ++i) {
          part += layer * gaps.basis(self, i) * moments.R[i * nodes + j];
          share += layer * moments.R[i * nodes + j];
        }
        entry.weight += part;
        entry.share += share;
      }
    }

    //! Derivatives by normals become derivatives by positions: each normal once, after the facets
    void finish(const MortarGap& gap, const Evaluation& at, Index p, Sums& sums)
    {
      const auto normals = gap.pattern_.normals(p);
      for (std::size_t k = 0; k < normals.size(); ++k)
        if (const Vector byNormal = sums.byNormal(k); byNormal.infinity_norm() > 0) {
          const auto places = gap.pattern_.places(p, normals[k].ringPlace);
          const Matrix* matrix = at.normal[normals[k].normal].derivative.data();
          for (Index place : places)
            (matrix++)->umtv(byNormal, sums.own(place));
        }
      derivative.clear();
      mortar.clear();
      shares.clear();
      const auto nodes = gap.pattern_.nodes(p);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (sums.own(i) != Vector(0.0))
          derivative.push_back({gap.surface_.node[nodes[i]], sums.own(i)});
        if (sums.isCorner(i))
          shares.push_back({gap.surface_.node[nodes[i]], 1.0});
      }
      direction = 0;
      for (const auto& entry : sums.sortedMortar()) {
        derivative.push_back({gap.mortar_.node[entry.node], entry.derivative});
        mortar.push_back({gap.mortar_.node[entry.node], entry.weight / weight});
        shares.push_back({gap.mortar_.node[entry.node], entry.share / sums.area});
        direction += entry.derivative;
      }
      sortDerivative();
      const double length = direction.two_norm();
      direction /= length;
      slope = length / weight;
    }

  private:
    //! By nodes, each once: both sides are sorted, and mostly one comes after the other
    void sortDerivative()
    {
      const auto before = [](const auto& a, const auto& b) { return a.node < b.node; };
      if (!std::is_sorted(derivative.begin(), derivative.end(), before))
        std::stable_sort(derivative.begin(), derivative.end(), before);
      std::size_t count = 0;
      for (const auto& entry : derivative)
        if (count > 0 && derivative[count - 1].node == entry.node)
          derivative[count - 1].value += entry.value;
        else
          derivative[count++] = entry;
      derivative.resize(count);
    }
  };

} // namespace Dune::Impact

#endif
