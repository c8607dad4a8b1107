// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BAR_HH
#define DUNE_IMPACT_BODY_BAR_HH

#include <array>

#include <dune/impact/body/lumpedbody.hh>

/** \file
 * \ingroup impact_body
 * \brief Elastic bar: P1 elements on a one-dimensional grid
 */

namespace Dune::Impact {

  /** \brief A linear elastic bar that carries axial force only
   *
   * Element e between the nodes i and i+1 stores 1/2 k_e s_e^2 with k_e = E A / l_e and the
   * stretch s_e. In one dimension s_e = u_{i+1} - u_i; in two and three dimensions
   * s_e = |x_{i+1} - x_i| - l_e, which does not change under rotations. A bar in two or three
   * dimensions has no bending stiffness and is meant for stretched or short-time motion.
   *
   * Mass is lumped. An end can be without mass: it then follows statically, contact with it has
   * no impact, and its force is continuous. Either the end node gives its mass to its neighbour
   * (masslessShifted), or the last element of length l is split: the mass stays on a node at the
   * distance tipFraction l from the end, and the end is a node more, without mass (masslessSplit).
   */
  class Bar : public LumpedBody
  {
  public:
    enum class Tip { massive, masslessShifted, masslessSplit };
    enum End : std::size_t { left = 0, right = 1 };

    //! What a bar is made of
    struct Settings
    {
      std::string name;
      int dimension = 1;
      double length = 1;
      std::size_t elements = 1;
      double area = 1;
      double young = 1;
      double density = 1;
      Vec3 position = {0, 0, 0}; //!< of the left end
      Vec3 axis = {1, 0, 0};     //!< from left to right
      std::array<Tip, 2> tip = {Tip::massive, Tip::massive};
      double tipFraction = 0.25; //!< of the last element, for masslessSplit
      InitialMotion motion = {};
      Vec3 gravity = {0, 0, 0};
    };

    explicit Bar(const Settings& settings);

    //! Node of an end, and its neighbour
    std::size_t endNode(End end) const { return end == left ? 0 : nodes() - 1; }
    std::size_t endNeighbour(End end) const { return end == left ? 1 : nodes() - 2; }
    bool massless(End end) const { return tip_[end] != Tip::massive; }

    //! Stiffness of the element at an end
    double endStiffness(End end) const
    {
      return end == left ? stiffness_.front() : stiffness_.back();
    }

    //! Half the sectional extent, as for a circular section: how far beside the axis an end still
    //! touches
    double sectionRadius() const { return sectionRadius_; }

    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                   Span p1) const override;
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;
    std::vector<std::size_t> patch(const std::string& place) const override;
    std::vector<std::string> patchNames() const override;
    bool hasMasslessPoints() const override { return massless(left) || massless(right); }
    void placeMasslessNodes(Span q) const override;
    void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const override;

  protected:
    double elastic(ConstSpan q) const override;
    double intervalElastic(ConstSpan q0, ConstSpan q1) const override;

  private:
    struct Stretch
    {
      double value;   //!< s_e
      Vec3 direction; //!< unit vector from node e to node e+1
      double length;  //!< current length
    };

    Stretch stretch(ConstSpan q, std::size_t element) const;
    void addForceLinear(ConstSpan q, double weight, Span p) const;

    std::array<Tip, 2> tip_;
    double area_;
    double sectionRadius_;
    std::vector<double> length_;    //!< per element
    std::vector<double> stiffness_; //!< per element
  };

} // namespace Dune::Impact

#endif
