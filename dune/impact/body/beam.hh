// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BEAM_HH
#define DUNE_IMPACT_BODY_BEAM_HH

#include <array>

#include <dune/impact/body/beamsection.hh>
#include <dune/impact/body/body.hh>
#include <dune/impact/body/framebody.hh>
#include <dune/impact/grid/linemesh.hh>

/** \file
 * \ingroup impact_body
 * \brief Geometrically exact beam with a frame per node
 */

namespace Dune::Impact {

  //! The map tau from the strain of an element to the relative motion of its nodes
  enum class BeamFormulation {
    cayley,     //!< for the multisymplectic method, whose drift has a closed form with it
    exponential //!< sections between the nodes lie on a helix, rotations of an element up to pi
  };

  //! Strain of a straight beam without stress
  inline Vector6 straightStrain()
  {
    return parts({0, 0, 0}, {0, 0, 1});
  }

  /** \brief A beam that bends, twists, shears and stretches without limits
   *
   * Node a has the frame g_a = (Lambda_a, r_a) in SE(3): section axes and position. Its velocity is
   * the twist xi = (omega, gamma) in body axes, the derivative of g_a is g_a hat(xi). With the
   * map tau the strain of the element between the nodes a and a+1 of length ds is
   *
   *     ds eta = x = tau^{-1}(g_a^{-1} g_{a+1}),
   *     V = sum ds/2 (eta - e)^T C (eta - e) - sum m_a g.r_a
   *
   * with the strain e of the unstressed beam, (0,0,0; 0,0,1) if it is straight: the axis of the
   * beam is its third section axis. Arcs and helices without stress have a constant e as well. With
   * sigma = C (eta - e) and the tangent T of tau the element pulls with T^{-T}(x) sigma at the node
   * a and with -T^{-T}(-x) sigma at the node a+1 (covectors in body axes).
   *
   * Masses are lumped: node a carries w_a times inertia and mass per length, with half elements w_a
   * at the ends. The drift uses the Cayley map, whatever the strains use. The momentum of a drift
   * over h is mu = T^{-T}(h xi) J xi, which is solved for xi node by node; the frame becomes g
   * tau(h xi) and the momentum moves along, Ad*_{tau(h xi)} mu = T^{-T}(-h xi) J xi. So the spatial
   * momentum of every node is kept, and the drift is reversible.
   *
   * Configuration of a node: Lambda by rows, then r minus its reference position, which is that of
   * the start. Velocities and momenta: six numbers, angular part first. A clamped end does not
   * move.
   */
  class Beam
    : public Body
    , public FrameBody
  {
  public:
    enum End : std::size_t { left = 0, right = 1 };

    //! What a beam is made of
    struct Settings
    {
      std::string name;
      double length = 1;
      std::size_t elements = 1;
      BeamSection section;
      BeamFormulation formulation = BeamFormulation::cayley;
      Vector6 unstressed = straightStrain(); //!< e
      std::vector<Frame> frames = {};        //!< per node, at the start
      std::vector<Vector6> velocities = {};  //!< per node, at the start; empty: at rest
      std::array<bool, 2> clamped = {false, false};
      Vec3 gravity = {0, 0, 0};
    };

    explicit Beam(const Settings& settings);

    std::size_t nodes() const { return frames_.size(); }
    std::size_t elements() const { return nodes() - 1; }
    Frame frame(ConstSpan q, std::size_t node) const;

    //! Strain eta of an element
    Vector6 strain(ConstSpan q, std::size_t element) const;

    //! x = ds eta: the motion tau(x) leads from the frame of the left node to that of the right one
    Vector6 relativeTwist(ConstSpan q, std::size_t element) const;

    //! Throw RunError if an element turns by almost half a turn: its strain is unique only below
    void checkTurns(ConstSpan q) const;

    const BeamSection& section() const { return section_; }
    BeamFormulation formulation() const { return formulation_; }
    double elementLength(std::size_t element) const { return mesh_.length[element]; }

    //! The inverse of retract(): q1 is q moved along dq
    void difference(ConstSpan q, ConstSpan q1, Span dq) const override;
    bool angular(std::size_t dof) const override { return dof % 6 < 3; }

    std::size_t configurationSize() const override { return 12 * nodes(); }
    std::size_t velocitySize() const override { return 6 * nodes(); }
    void retract(ConstSpan q, ConstSpan dq, Span q1) const override;
    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override;
    void driftVelocity(ConstSpan q, ConstSpan p, double h, Span v) const override;
    void driftMomentum(ConstSpan q, ConstSpan v, double h, Span p) const override;
    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void velocity(ConstSpan q, ConstSpan p, Span v) const override;
    void momentum(ConstSpan q, ConstSpan v, Span p) const override;
    void addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const override;
    double kinetic(ConstSpan q, ConstSpan p) const override;
    Potentials potentials(double t, ConstSpan q) const override;

    //! The mean of both ends: the multisymplectic method has no other
    Potentials intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const override;

    Momenta momenta(ConstSpan q, ConstSpan p) const override;

    //! -(omega x J omega, omega x M gamma) per node
    void addGyroscopicForce(ConstSpan q, ConstSpan v, double weight, Span p) const override;
    void addGyroscopicDamping(ConstSpan q, ConstSpan v, std::size_t offset,
                              Triplets& entries) const override;
    void addRetractTangent(ConstSpan dq, std::size_t offset, Triplets& entries) const override;

    //! -dF along retract(), not symmetric where forces act, because body axes turn
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;

    std::size_t pointCount() const override { return nodes(); }
    Vec3 reference(std::size_t point) const override;
    Vec3 displacement(ConstSpan q, std::size_t point) const override;
    void addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                            std::size_t offset, SparseVector& functional) const override;
    Frame pointFrame(ConstSpan q, std::size_t point) const override { return frame(q, point); }
    void addTurnFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                           std::size_t offset, SparseVector& functional) const override;
    bool bodyAxes() const override { return true; }
    bool held(std::size_t point, int) const override { return fixed(point); }
    std::vector<std::size_t> patch(const std::string& place) const override;
    std::vector<std::string> patchNames() const override;
    double mass() const override { return section_.mass * mesh_.coordinate.back(); }
    Vec3 centreOfMass(ConstSpan q) const override;
    void initialise(Span q, Span p) const override;

    //! The outline of the section swept along the beam, closed at its ends
    void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const override;

  private:
    bool fixed(std::size_t node) const
    {
      return (node == 0 && clamped_[left]) || (node + 1 == nodes() && clamped_[right]);
    }
    Vector6 inertia(std::size_t node) const { return mesh_.share[node] * inertia_; }
    double nodeMass(std::size_t node) const { return mesh_.share[node] * section_.mass; }
    Vector6 driftTwist(const Vector6& p, const Vector6& J, double h) const;
    template<class Map>
    void addElementForces(ConstSpan q, double weight, Span p) const;
    template<class Map>
    void addElementStiffness(ConstSpan q, std::size_t offset, Triplets& entries) const;
    Vector6 excess(const Vector6& x, std::size_t element) const;
    double elastic(ConstSpan q) const;
    void addBlock(std::size_t row, std::size_t column, const Matrix6& block, std::size_t offset,
                  Triplets& entries) const;
    void addSkin(ConstSpan q, VisualizationData& visual) const;

    BeamSection section_;
    BeamFormulation formulation_;
    Vector6 unstressed_;
    LineMesh mesh_;
    Vector6 inertia_; //!< per length: rotary inertia, then three times the mass
    std::vector<Frame> frames_;
    //! per element: difference of the reference positions of its nodes
    std::vector<Vector3> steps_;
    std::vector<Vector6> velocities_;
    std::array<bool, 2> clamped_;
    Vector3 gravity_;
  };

  //! Frames of a beam of constant strain: g_{a+1} = g_a tau(ds strain)
  std::vector<Frame> constantStrainFrames(const Frame& first, const Vector6& strain, double length,
                                          std::size_t elements,
                                          BeamFormulation formulation = BeamFormulation::cayley);

  //! Velocities with which the frames come to others in a time: xi = tau^{-1}(g^{-1} next)/time
  std::vector<Vector6> velocitiesBetween(const std::vector<Frame>& frames,
                                         const std::vector<Frame>& next, double time);

  //! Velocities of a rigid motion about the centre of mass
  std::vector<Vector6> rigidVelocities(const std::vector<Frame>& frames,
                                       const InitialMotion& motion);

} // namespace Dune::Impact

#endif
