// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_SOLID_HH
#define DUNE_IMPACT_BODY_SOLID_HH

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dune/impact/body/elements.hh>
#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/lumpedbody.hh>
#include <dune/impact/body/massfactor.hh>

/** \file
 * \ingroup impact_body
 * \brief An elastic body in two or three dimensions
 */

namespace Dune::Impact {

  template<int dim>
  class ElementForces;

  //! Components of the nodes of a patch that do not move
  struct Support
  {
    std::string patch; //!< name or number
    std::array<bool, 3> component = {true, true, true};
  };

  /** \brief A mesh of P1, Q1 or P2 elements with a stored-energy density
   *
   * The configuration is the displacement u of the nodes from the mesh, dim numbers per node.
   * With the shape functions N_a and the mass M_ab = int density N_a N_b, or its row sums
   * m_a = int density N_a on the diagonal if it is lumped,
   *
   *     T = 1/2 v . M v,   V = W(u) - sum m_a g . (X_a + u_a),   p = M v.
   *
   * In both cases the momentum is that of the field of velocities, P = sum p_a. The same holds of
   * the angular momentum sum x_a x p_a with the consistent mass. With P2 the row sums are not
   * positive: the lumped mass is that of diagonalMass(), in T and in V.
   *
   * Supports hold components of nodes where they are at the start. Held components have no
   * velocity and no entry in p. The momentum of the whole body does contain the share that the
   * consistent mass gives to held nodes, so that it is mass times velocity of the centre of mass.
   *
   * Points of the body are its nodes. In two dimensions all is per unit thickness and the strain
   * is plane.
   *
   * With the lumped mass, which explicit methods need, forces are computed without a matrix and on
   * several threads. There a cell that has turned inside out ends the run: addForce() and
   * driftKick() throw RunError with its place. The linear material does not mind. A material of
   * another module has no fast kernel; its forces are those of SolidElements.
   */
  template<int dim>
  class Solid
    : public LumpedBody
    , public ImplicitBody<dim>
  {
  public:
    using Matrix = typename ImplicitBody<dim>::Matrix;

    enum class Mass { consistent, lumped };

    //! What a solid is made of
    struct Settings
    {
      std::string name;
      SolidMesh<dim> mesh;
      AnyMaterial<dim> material;
      CubeElement cubes = CubeElement::q1;
      double density = 1;
      Mass mass = Mass::consistent;
      std::vector<Support> supports = {};
      //! F at the start: x = c + F (X - c) with the centre of mass c
      std::optional<Tensor<dim>> deformation = {};
      InitialMotion motion = {};
      Vec3 gravity = {0, 0, 0};
      int threads = 0; //!< of the forces with the lumped mass; 0: OMP_NUM_THREADS, or one per core
    };

    //! Throws InputError for a support on a patch that the mesh does not have
    explicit Solid(Settings settings);
    ~Solid() override;

    const SolidElements<dim>& elements() const { return elements_; }
    bool lumped() const { return !factor_; }
    bool carriesMass(std::size_t node) const override
    {
      return !lumped() || LumpedBody::carriesMass(node);
    }

    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override;
    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                   Span p1) const override;
    void velocity(ConstSpan q, ConstSpan p, Span v) const override;
    void momentum(ConstSpan q, ConstSpan v, Span p) const override;
    void addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const override;
    double kinetic(ConstSpan q, ConstSpan p) const override;
    Momenta momenta(ConstSpan q, ConstSpan p) const override;
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;
    bool matrixFree() const override { return lumped(); }
    void addStiffnessProduct(double t, ConstSpan q, ConstSpan x, Span y) const override;

    /** \brief Nodes of a patch by name or number, of a node by its number if no patch has it
     *
     * The empty name stands for all nodes on the boundary. Nodes are in increasing order.
     */
    std::vector<std::size_t> patch(const std::string& place) const override;
    std::vector<std::string> patchNames() const override;

    //! Fields: displacement, velocity; Cauchy stress and von Mises stress per cell
    void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const override;

    const SolidMesh<dim>& mesh() const override { return mesh_; }
    const std::shared_ptr<const SparsityPattern>& pattern() const override
    {
      return elements_.pattern();
    }
    const std::vector<std::uint8_t>& fixed() const override { return fixedComponents(); }
    void initialVelocity(Span v) const override;
    void addMassProduct(double factor, ConstSpan v, Span p) const override;
    void addMass(double factor, Matrix& A) const override;
    void addGravity(double factor, Span f) const override;
    double storedEnergy(ConstSpan u) const override { return elements_.energy(u); }
    void addMidpointForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const override
    {
      elements_.addMidpointForce(u0, u1, weight, f);
    }
    void addMidpointTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const override;
    void addAveragedForce(ConstSpan u0, ConstSpan u1, double weight, Span f) const override
    {
      elements_.addAveragedForce(u0, u1, weight, f);
    }
    void addAveragedTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const override
    {
      elements_.addAveragedTangent(u0, u1, weight, K);
    }

  protected:
    double elastic(ConstSpan q) const override { return elements_.energy(q); }
    double intervalElastic(ConstSpan q0, ConstSpan q1) const override;
    void initialDisplacement(Span q) const override;

  private:
    void addSupports(const std::vector<Support>& supports);
    void addCells(VisualizationData& visual) const;
    void kickNode(std::size_t node, const double* force, double weight, Span p) const;
    [[noreturn]] void refuseInverted(ConstSpan q) const;

    template<class Out>
    void forEachForce(ConstSpan q, Out&& out) const;

    SolidMesh<dim> mesh_;
    SolidElements<dim> elements_;
    //! only with the lumped mass and a material that has a kernel
    std::unique_ptr<const ElementForces<dim>> forces_;
    std::optional<Tensor<dim>> deformation_;
    std::vector<std::size_t> fixedDofs_;
    AssemblyMatrix<double> mass_;      //!< consistent mass; no entries if it is lumped
    std::optional<MassFactor> factor_; //!< only for the consistent mass
  };

  extern template class Solid<2>;
  extern template class Solid<3>;

} // namespace Dune::Impact

#endif
