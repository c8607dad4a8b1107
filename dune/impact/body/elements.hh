// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_ELEMENTS_HH
#define DUNE_IMPACT_BODY_ELEMENTS_HH

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include <dune/impact/body/hourglass.hh>
#include <dune/impact/common/assemblymatrix.hh>
#include <dune/impact/common/colouring.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/grid/quadraticsimplex.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/material/materials.hh>

/** \file
 * \ingroup impact_body
 * \brief Elastic energy of a mesh and its derivatives
 */

namespace Dune::Impact {

  //! The pairs of nodes that share a cell
  template<int dim>
  std::shared_ptr<const SparsityPattern> cellPattern(const SolidMesh<dim>& mesh);

  //! Element on cubes: two integration points per direction, or one with an hourglass energy
  enum class CubeElement { q1, q1r };

  /** \brief Cells of one type with all that does not change: gradients, weights, places in the
   * matrix
   *
   * The cells have N nodes and Q integration points. Cubes with one point have the mean gradients
   * there, and an hourglass energy.
   */
  template<int dim, int N, int Q>
  struct CellBatch
  {
    static constexpr int nodes = N;
    static constexpr int points = Q;
    static constexpr bool hourglass = Q == 1 && N == (1 << dim);

    struct Nothing
    {};

    //! An integration point of a cell
    struct Point
    {
      double weight; //!< volume that the point stands for
      std::array<FieldVector<double, dim>, N> gradient;
    };

    //! Nodes, integration points and places in the matrix of a cell
    struct Cell
    {
      std::array<Index, N> node;
      std::array<Point, Q> point;
      std::array<Index, N * N> multiplier; //!< of the block of nodes a and b, at a*N + b
      [[no_unique_address]] std::conditional_t<hourglass, Hourglass<dim>, Nothing> unseen;
    };

    std::vector<Cell> cells;
    ColouredGroups groups; //!< the order of sums
  };

  /** \brief W(u) = sum over the cells of int W(grad u) with P1, Q1 or P2 functions
   *
   * Displacements u and forces have dim numbers per node. Simplices have one integration point,
   * those of second order dim + 1, cubes two per direction, or one and an hourglass energy (see
   * Hourglass). Functions whose name begins with add add a multiple of their result. Cells of large
   * meshes are worked on in groups, those without common nodes by several threads; the order of all
   * sums is fixed, so results do not depend on the number of threads.
   *
   * Where a material needs det F > 0 and a cell has det F <= 0 the energy is infinite, while
   * derivatives are not defined (NaN): ask for the energy or for invertedCell() first.
   */
  template<int dim>
  class SolidElements
  {
  public:
    using Matrix = AssemblyMatrix<Tensor<dim>>;

    SolidElements(const SolidMesh<dim>& mesh, const AnyMaterial<dim>& material,
                  CubeElement cubes = CubeElement::q1);

    const std::shared_ptr<const SparsityPattern>& pattern() const { return pattern_; }
    const AnyMaterial<dim>& material() const { return material_; }

    //! W(u)
    double energy(ConstSpan u) const;

    //! f += weight * dW/du, the force that holds the body in u
    void addForce(ConstSpan u, double weight, Span f) const;

    //! K += weight * d^2W/du^2
    void addTangent(ConstSpan u, double weight, Matrix& K) const;

    //! f += weight * dW/du at the mean of two configurations
    void addMidpointForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const;

    //! f += weight * F(u0, u1) with F(u0, u1) . (u1 - u0) = W(u1) - W(u0)
    void addAveragedForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const;

    //! K += weight * symmetric surrogate of dF(u0, u1)/du1
    void addAveragedTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const;

    //! The first cell, simplices before cubes, with det F <= 0 at an integration point
    std::optional<std::size_t> invertedCell(ConstSpan u) const;

    /** \brief Cauchy stress per cell, the mean over its volume in the reference configuration
     *
     * In two dimensions it contains the stress across the plane that keeps the strain plane.
     */
    std::vector<Tensor<3>> stress(ConstSpan u) const;

  private:
    template<class Cells, class Batch>
    void addCells(const SolidMesh<dim>& mesh, const Cells& cells, Batch& batch);
    void addOnePointCubes(const SolidMesh<dim>& mesh);

    template<class Function>
    void forEachBatch(Function&& f) const;

    AnyMaterial<dim> material_;
    std::shared_ptr<const SparsityPattern> pattern_;
    CellBatch<dim, dim + 1, 1> simplices_;
    CellBatch<dim, quadraticNodes<dim>, dim + 1> quadratic_;
    CellBatch<dim, (1 << dim), (1 << dim)> cubes_;
    CellBatch<dim, (1 << dim), 1> onePointCubes_;
  };

  extern template class SolidElements<2>;
  extern template class SolidElements<3>;

} // namespace Dune::Impact

#endif
