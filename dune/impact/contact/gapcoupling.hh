// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_GAPCOUPLING_HH
#define DUNE_IMPACT_CONTACT_GAPCOUPLING_HH

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dune/common/fvector.hh>

#include <dune/impact/common/types.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \brief Weighted gaps: contact of surfaces for implicit methods
 */

namespace Dune::Impact {

  /** \brief Weighted gaps c_p of one configuration, each with its derivative
   *
   * Gap p belongs to a node of the non-mortar side. c_p is a distance times an area (a length in
   * two dimensions), weight_p the area, so that c_p / weight_p is a distance and a multiplier of
   * c_p is a pressure. The simplified derivative acts on that node only: -weight_p n_p.
   */
  template<int dim>
  class GapSet
  {
  public:
    using Vector = FieldVector<double, dim>;

    struct Gap
    {
      std::size_t slot;  //!< number that stays the same, for multipliers
      std::size_t node;  //!< of the system
      double value;      //!< c_p
      double weight;
      Vector normal;     //!< n_p, outwards of the non-mortar side
    };

    struct Derivative
    {
      std::size_t node;
      Vector value;
    };

    void clear()
    {
      gaps_.clear();
      entries_.clear();
      ends_.clear();
    }

    //! Add a gap whose derivative has the entries
    void add(const Gap& gap, std::span<const Derivative> entries)
    {
      gaps_.push_back(gap);
      entries_.insert(entries_.end(), entries.begin(), entries.end());
      ends_.push_back(entries_.size());
    }

    std::size_t size() const { return gaps_.size(); }
    const Gap& operator[](std::size_t p) const { return gaps_[p]; }

    std::span<const Derivative> derivative(std::size_t p) const
    {
      const std::size_t begin = p == 0 ? 0 : ends_[p - 1];
      return std::span(entries_).subspan(begin, ends_[p] - begin);
    }

  private:
    std::vector<Gap> gaps_;
    std::vector<Derivative> entries_;
    std::vector<std::size_t> ends_;
  };

  //! Where surfaces of bodies of nodes can touch; geometry only
  template<int dim>
  class GapCoupling
  {
  public:
    virtual ~GapCoupling() = default;

    //! Number of slots
    virtual std::size_t slots() const = 0;

    //! Body of the non-mortar side
    virtual std::size_t firstBody() const = 0;

    //! Append the gaps at the displacements u of all nodes of the system; slots begin at the offset
    virtual void addGaps(double t, ConstSpan u, std::size_t slotOffset, GapSet<dim>& gaps) const = 0;
  };

  //! A contact of surfaces: name and geometry
  template<int dim>
  struct SurfaceContact
  {
    std::string name;
    std::unique_ptr<GapCoupling<dim>> coupling;
  };

  //! A node of a surface, with the area of the surface that belongs to it
  template<int dim>
  struct SurfaceNode
  {
    std::size_t node; //!< of the system
    FieldVector<double, dim> reference;
    double area;      //!< int N_p over the reference surface
  };

  //! Nodes against an obstacle: c_p = area_p times the signed distance of the node
  template<int dim>
  class NodalObstacleGap : public GapCoupling<dim>
  {
  public:
    NodalObstacleGap(std::size_t body, std::vector<SurfaceNode<dim>> nodes, std::shared_ptr<const Obstacle> obstacle)
      : body_(body), nodes_(std::move(nodes)), obstacle_(std::move(obstacle))
    {}

    std::size_t slots() const override { return nodes_.size(); }
    std::size_t firstBody() const override { return body_; }
    void addGaps(double t, ConstSpan u, std::size_t slotOffset, GapSet<dim>& gaps) const override;

  private:
    std::size_t body_;
    std::vector<SurfaceNode<dim>> nodes_;
    std::shared_ptr<const Obstacle> obstacle_;
  };

  extern template class NodalObstacleGap<2>;
  extern template class NodalObstacleGap<3>;

} // namespace Dune::Impact

#endif
