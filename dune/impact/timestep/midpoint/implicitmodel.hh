// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITMODEL_HH
#define DUNE_IMPACT_TIMESTEP_MIDPOINT_IMPLICITMODEL_HH

#include <algorithm>
#include <string>
#include <vector>

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>
#include <dune/impact/solver/multigrid/boxmultigrid.hh>

/** \file
 * \ingroup impact_timestep_midpoint
 * \brief Bodies and contacts as an implicit method sees them
 */

namespace Dune::Impact {

  //! A body, and where it is in the arrays of the system
  template<int dim>
  struct ImplicitMember
  {
    const ImplicitBody<dim>* body;
    std::size_t node; //!< first node
    //! of the blocks of its pattern in the matrix of the system
    std::vector<std::size_t> place;

    std::size_t nodes() const { return body->mesh().nodes.size(); }
    bool has(std::size_t i) const { return i >= node && i < node + nodes(); }
    ConstSpan slice(ConstSpan x) const { return x.subspan(node * dim, nodes() * dim); }
    Span slice(Span x) const { return x.subspan(node * dim, nodes() * dim); }
  };

  //! A rigid body: two nodes behind those of the solids, its centre and its turn
  struct ImplicitRigid
  {
    const RigidBody* body;
    std::size_t member;        //!< of its section
    std::size_t node;          //!< of the centre; the turn is the next one
    std::size_t configuration; //!< where its ten numbers begin
    double length;             //!< radius of gyration, which makes a length of the turn
  };

  //! Sum of the diagonal of the matrix of a body
  template<int dim>
  double trace(const typename ImplicitBody<dim>::Matrix& A)
  {
    double sum = 0;
    for (std::size_t i = 0; i < A.pattern->rows(); ++i)
      for (int c = 0; c < dim; ++c)
        sum += A.block[A.pattern->find(i, i)][c][c];
    return sum;
  }

  /** \brief What does not change from step to step
   *
   * System and contacts must outlive the model. Bodies are ImplicitBody<dim>, in three dimensions
   * followed by RigidBody. The nodes of the model are those of the solids and two for each rigid
   * body, its centre and its turn, so that velocities have the order of the system.
   */
  template<int dim>
  struct ImplicitModel
  {
    //! ContactRefused for contacts without weighted gaps, in the name of a method
    ImplicitModel(const System& system, const std::vector<Contact>& contacts,
                  const std::string& method = "an implicit method");

    /** \brief Prolongations for the multigrid, from the finest level on
     *
     * Bodies whose coarsest level has more nodes than a factor should have get algebraic levels
     * below it. If all bodies are small and have no levels there is none: one factor for all.
     */
    typename BoxMultigrid<dim>::Transfers transfers(
      std::size_t factorNodes = defaultFactorNodes) const;

    //! Nodes up to which a factor costs less than the cycles that levels would need
    static constexpr std::size_t defaultFactorNodes = dim == 2 ? 2000 : 300;

    //! Number of contacts, their names and geometries
    std::size_t contactCount() const { return geometries_.size(); }
    const std::string& contactName(std::size_t k) const { return contactNames_[k]; }
    const WeightedGapGeometry<dim>& geometry(std::size_t k) const { return *geometries_[k]; }

    //! Coefficient of friction of a contact, and whether one has friction
    double friction(std::size_t k) const { return friction_[k]; }
    bool hasFriction() const
    {
      return std::ranges::any_of(friction_, [](double beta) { return beta > 0; });
    }

    //! Motion of the obstacle of a contact in a step h that ends at a time
    FieldVector<double, dim> obstacleIncrement(std::size_t k, double end, double h) const
    {
      return geometry(k).obstacleDisplacement(end) - geometry(k).obstacleDisplacement(end - h);
    }

    //! A matrix of the pattern of the system, with zero blocks
    BlockMatrix<dim> makeMatrix() const { return {rowBegin_, columns_}; }

    //! Gaps of all contacts at the displacements u
    void gaps(double t, ConstSpan u, WeightedGaps<dim>& gaps) const;

    //! Number of the contact that a multiplier belongs to
    std::size_t contactOf(std::size_t multiplier) const;

    bool isFixed(std::size_t i) const { return fixed[i / dim] >> i % dim & 1; }

    //! Number of all nodes, and of those of solids, whose numbers are also displacements
    std::size_t nodeCount() const { return fixed.size(); }
    std::size_t solidNodes() const { return nodeCount() - 2 * rigid.size(); }

    //! Of the nodes of all solids at zero displacement
    std::vector<FieldVector<double, dim>> nodePositions() const
    {
      std::vector<FieldVector<double, dim>> positions;
      for (const auto& member : members)
        positions.insert(positions.end(), member.body->mesh().nodes.begin(),
                         member.body->mesh().nodes.end());
      return positions;
    }

    //! p = M v at a configuration, also at held nodes, which have a share in the mass of their
    //! neighbours
    void momentum(ConstSpan q, ConstSpan v, Span p) const;

    //! Sum of p, and of x cross p, for p = M v
    Momenta momenta(ConstSpan u, ConstSpan p) const;

    const System& system;
    std::vector<ImplicitMember<dim>> members;
    std::vector<ImplicitRigid> rigid;
    std::vector<std::size_t> multiplierBegin; //!< per contact, and the number of all multipliers
    NodeMask fixed;    //!< held components and those with a prescribed motion
    double length = 0; //!< shortest edge of the surfaces
    //! mean of the diagonals of M and W''(0), of the body with the largest
    double mass = 0, stiffness = 0;
    bool followerLoads = false; //!< some load depends on the configuration

  private:
    typename BoxMultigrid<dim>::Transfers transfers(const ImplicitMember<dim>& member,
                                                    std::size_t factorNodes) const;
    void addRigid(const RigidBody& body, std::size_t configuration);
    void buildPattern();
    void measure();

    std::vector<std::string> contactNames_;
    std::vector<double> friction_;
    std::vector<const WeightedGapGeometry<dim>*> geometries_;
    std::vector<std::size_t> rowBegin_; //!< of the pattern of the system
    std::vector<typename BlockMatrix<dim>::Index> columns_;
  };

  extern template struct ImplicitModel<2>;
  extern template struct ImplicitModel<3>;

} // namespace Dune::Impact

#endif
