// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_SURFACELOAD_HH
#define DUNE_IMPACT_BODY_SURFACELOAD_HH

#include <array>
#include <optional>
#include <vector>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_body
 * \brief Forces on a patch of a solid
 */

namespace Dune::Impact {

  //! The facets of one patch and their nodes, with the numbers of the nodes in the whole mesh
  template<int dim>
  struct PatchSurface
  {
    PatchSurface(const SolidMesh<dim>& mesh, int patch);

    SolidMesh<dim> mesh; //!< nodes and facets only; all facets belong to patch 0
    std::vector<Index> node;
  };

  /** \brief A traction or a pressure on a patch as a function of time
   *
   * The total force R(t) acts as the uniform traction R/area of the reference surface. The
   * pressure acts against the outward normal: of the reference surface for a dead load, of the
   * current one for a load that follows. Both are consistent nodal forces, int N_a t da.
   */
  template<int dim>
  class SurfaceLoad : public Interaction
  {
  public:
    //! Where the arrays of the body begin in those of the system
    struct Offsets
    {
      std::size_t configuration = 0;
      std::size_t velocity = 0;
    };

    //! Total force
    SurfaceLoad(const SolidMesh<dim>& mesh, int patch, Offsets offsets,
                const std::array<Expression, 3>& force);

    //! Pressure
    SurfaceLoad(const SolidMesh<dim>& mesh, int patch, Offsets offsets, const Expression& pressure,
                bool follower);

    void addForce(double t, ConstSpan q, SparseVector& force) const override;
    Potentials potentials(double, ConstSpan) const override { return {}; }
    void addStiffness(double t, ConstSpan q, Triplets& entries) const override;
    bool external() const override { return true; }
    bool dependsOnConfiguration() const override { return follower_; }

    bool follower() const { return follower_; }

  private:
    //! Displacements of the nodes of the surface
    std::vector<double> displacements(ConstSpan q) const;
    void append(double factor, ConstSpan nodal, SparseVector& force) const;

    PatchSurface<dim> surface_;
    Offsets offsets_;
    std::optional<std::array<Expression, 3>> force_;
    Expression pressure_;
    bool follower_ = false;
    //! of a unit force in every direction, or of a unit pressure on the reference surface
    std::vector<double> nodal_;
  };

  extern template class SurfaceLoad<2>;
  extern template class SurfaceLoad<3>;

} // namespace Dune::Impact

#endif
