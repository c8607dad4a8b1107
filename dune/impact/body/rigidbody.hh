// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_RIGIDBODY_HH
#define DUNE_IMPACT_BODY_RIGIDBODY_HH

#include <memory>
#include <optional>

#include <dune/impact/body/body.hh>
#include <dune/impact/body/framebody.hh>
#include <dune/impact/geometry/rigidmotion.hh>
#include <dune/impact/geometry/rigidshape.hh>

/** \file
 * \ingroup impact_body
 * \brief Rigid bodies
 */

namespace Dune::Impact {

  //! Where a rigid body is: ten numbers of the configuration
  struct RigidPlace
  {
    static constexpr std::size_t size = 10;

    Vector3 centre;
    Quaternion rotation; //!< from body axes to space

    //! From its slice: centre, compensation of its sum, quaternion (w, x, y, z)
    explicit RigidPlace(const double* q)
      : centre(q[0], q[1], q[2])
      , rotation(q[6], q[7], q[8], q[9])
    {}
  };

  /** \brief One rigid body, or several of the same shape and mass
   *
   * The configuration of each is its centre of mass X with the compensation of its summation, and
   * the unit quaternion of its rotation; momenta are the linear momentum and the angular momentum
   * h about the centre of mass, both in space: free motion leaves them as they are. Velocities
   * are that of the centre and the angular velocity, in space, and tangent vectors alike.
   *
   * A body with a pivot turns about a point that is fixed in body and space. Then X is the pivot,
   * the inertia and h are about it, and the three linear dofs have no mass.
   *
   * The points of each body are the nodes of its shape and then, unless it is the only node, the
   * centre of mass.
   */
  class RigidBody
    : public Body
    , public FrameBody
  {
  public:
    static constexpr std::size_t dofs = 6;

    //! How one of the bodies starts
    struct Start
    {
      Vec3 position = {0, 0, 0}; //!< of the centre of mass, or of the pivot
      Quaternion rotation = Quaternion::Identity();
      Vec3 velocity = {0, 0, 0};
      Vec3 spin = {0, 0, 0}; //!< spatial angular velocity
    };

    //! What rigid bodies of one shape are made of
    struct Settings
    {
      std::string name;
      RigidMass mass; //!< inertia in body axes, about the pivot if there is one
      std::shared_ptr<const RigidShape> shape;
      std::vector<Start> bodies = {{}};
      std::optional<Vec3> pivot = {}; //!< fixed point in body axes, from the centre of mass
      Vec3 gravity = {0, 0, 0};
    };

    explicit RigidBody(const Settings& settings);

    std::size_t count() const { return starts_.size(); }
    const RigidShape& shape() const { return *shape_; }
    bool hasPivot() const { return pivot_.has_value(); }
    //! Whether forces turn it: weight turns only a body with a pivot
    bool hasMoment() const { return hasPivot() && hasGravity_; }
    bool hasGravity() const { return hasGravity_; }
    const Vector3& gravity() const { return gravity_; }
    const Vector3& inverseInertia() const { return inverseInertia_; }
    double inverseMass() const { return inverseMass_; } //!< zero with a pivot
    double memberMass() const { return mass_; }
    //! From X to the centre of the shape (the centre of mass) in body axes
    Vector3 shapeOffset() const { return pivot_ ? Vector3(-*pivot_) : Vector3(Vector3::Zero()); }

    RigidPlace place(ConstSpan q, std::size_t member) const
    {
      return RigidPlace(q.data() + member * RigidPlace::size);
    }

    //! Spatial angular velocity of an angular momentum
    Vector3 angularVelocity(const Quaternion& rotation, const Vector3& h) const
    {
      return rotation * inverseInertia_.cwiseProduct(rotation.conjugate() * h);
    }

    /** \brief Move a member over a time h with mean velocity of X and angular momenta h0, h1 at
     * both ends
     *
     * Returns the rotation vector in space; throws RunError if the rotation cannot be found.
     */
    Vector3 move(RotationMap map, const double* q, const Vector3& velocity, const Vector3& h0,
                 const Vector3& h1, double h, double* q1) const;

    std::size_t configurationSize() const override { return count() * RigidPlace::size; }
    std::size_t velocitySize() const override { return count() * dofs; }
    void retract(ConstSpan q, ConstSpan dq, Span q1) const override;
    void difference(ConstSpan q, ConstSpan q1, Span dq) const override;
    bool angular(std::size_t dof) const override { return dof % dofs >= 3; }
    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override;
    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void velocity(ConstSpan q, ConstSpan p, Span v) const override;
    void momentum(ConstSpan q, ConstSpan v, Span p) const override;
    void addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const override;
    double kinetic(ConstSpan q, ConstSpan p) const override;
    Potentials potentials(double t, ConstSpan q) const override;
    Potentials intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const override;
    Momenta momenta(ConstSpan q, ConstSpan p) const override;
    //! -omega x h
    void addGyroscopicForce(ConstSpan q, ConstSpan v, double weight, Span p) const override;
    void addGyroscopicDamping(ConstSpan q, ConstSpan v, std::size_t offset,
                              Triplets& entries) const override;
    void addRetractTangent(ConstSpan dq, std::size_t offset, Triplets& entries) const override;
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;

    std::size_t pointCount() const override { return count() * pointsEach_; }
    std::size_t pointsEach() const { return pointsEach_; }
    std::size_t member(std::size_t point) const override { return point / pointsEach_; }
    Vec3 reference(std::size_t point) const override;
    Vec3 displacement(ConstSpan q, std::size_t point) const override;
    void addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                            std::size_t offset, SparseVector& functional) const override;
    void addPlaceFunctional(ConstSpan q, std::size_t point, const Vec3& place,
                            const Vec3& direction, std::size_t offset,
                            SparseVector& functional) const override;
    Frame pointFrame(ConstSpan q, std::size_t point) const override;
    bool bodyAxes() const override { return false; }
    void addTurnFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                           std::size_t offset, SparseVector& functional) const override;
    double radius(std::size_t point) const override
    {
      return point % pointsEach_ < shape_->nodes().size() ? shape_->radius() : 0;
    }
    std::vector<std::size_t> patch(const std::string& place) const override;
    std::vector<std::string> patchNames() const override { return {"centre-of-mass"}; }
    double mass() const override { return mass_ * double(count()); }
    Vec3 centreOfMass(ConstSpan q) const override;
    void initialise(Span q, Span p) const override;
    void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const override;

  private:
    //! A point in body axes from X
    Vector3 local(std::size_t point) const;
    Vector3 arm(ConstSpan q, std::size_t point) const;
    Vector3 memberCentre(ConstSpan q, std::size_t member) const;
    Matrix3 spatialInertia(ConstSpan q, std::size_t member) const;

    std::shared_ptr<const RigidShape> shape_;
    double mass_, inverseMass_;
    Vector3 inertia_, inverseInertia_;
    std::optional<Vector3> pivot_;
    Vector3 gravity_;
    bool hasGravity_;
    std::vector<Start> starts_;
    std::size_t pointsEach_;
  };

} // namespace Dune::Impact

#endif
