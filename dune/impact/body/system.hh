// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_SYSTEM_HH
#define DUNE_IMPACT_BODY_SYSTEM_HH

#include <memory>

#include <dune/impact/body/constraint.hh>
#include <dune/impact/body/interaction.hh>
#include <dune/impact/common/state.hh>

/** \file
 * \ingroup impact_body
 * \brief Products of bodies
 */

namespace Dune::Impact {

  //! A dof whose displacement is a given function of time
  struct Motion
  {
    std::size_t configuration; //!< index into q
    std::size_t velocity;      //!< index into p
    Expression displacement;

    double operator()(double t) const { return displacement(t); }

    //! Mean velocity of the interval from t to t1, whose length is h but for rounding
    double rate(double t, double t1, double h) const
    {
      return (displacement(t1) - displacement(t)) / h;
    }
  };

  /** \brief The product of bodies, with springs, loads, massless contacts and prescribed dofs
   *
   * A system is a mechanical system itself: its arrays are the arrays of its bodies one after
   * the other. Steppers know only this class, so that a mixed system is not a special case.
   *
   * Prescribed dofs keep their mass in velocity() and momentum(); it is for the stepper to
   * place them (placeMotions), to give them the momentum of their next interval
   * (setMotionMomenta) and to keep impulses away from them (prescribed).
   */
  class System : public MechanicalSystem
  {
  public:
    //! Add a body; returns its number
    std::size_t add(std::unique_ptr<Body> body);

    void add(std::unique_ptr<Interaction> interaction)
    {
      interactions_.push_back(std::move(interaction));
    }
    void add(std::shared_ptr<const MasslessContact> contact)
    {
      masslessContacts_.push_back(std::move(contact));
    }
    void add(std::unique_ptr<Constraint> constraint)
    {
      constraints_.push_back(std::move(constraint));
    }

    //! Prescribe one component of the displacement of a point
    void prescribe(const PointHandle& point, int component, Expression displacement);

    std::size_t bodyCount() const { return bodies_.size(); }
    const Body& body(std::size_t i) const { return *bodies_[i].body; }
    //! Number of the body that a velocity dof belongs to
    std::size_t owner(std::size_t dof) const;

    PointHandle point(std::size_t body, std::size_t point) const;
    ConstSpan configurationSlice(std::size_t body, ConstSpan q) const;
    ConstSpan velocitySlice(std::size_t body, ConstSpan v) const;

    const std::vector<std::unique_ptr<Interaction>>& interactions() const { return interactions_; }
    const std::vector<std::shared_ptr<const MasslessContact>>& masslessContacts() const
    {
      return masslessContacts_;
    }
    //! Joints; steppers that do not look at them must not be given a system that has some
    const std::vector<std::unique_ptr<Constraint>>& constraints() const { return constraints_; }
    const std::vector<Motion>& motions() const { return motions_; }

    //! True if the dof is prescribed
    bool prescribed(std::size_t dof) const { return !prescribed_.empty() && prescribed_[dof]; }

    //! State at time zero
    State initialState() const;

    //! Put points without mass where they belong
    void placeMasslessNodes(double t, Span q) const;

    //! The same for contacts of massless points that are known to be closed (not zero) or open
    void placeMasslessNodes(double t, Span q, ConstSpan closed) const;

    //! Put prescribed dofs where they are at time t
    void placeMotions(double t, Span q) const;

    //! Give prescribed dofs the momentum of the interval from t to t1, whose length is h but for
    //! rounding
    void setMotionMomenta(double t, double t1, double h, ConstSpan q, Span p) const;

    std::size_t configurationSize() const override { return configurationSize_; }
    std::size_t velocitySize() const override { return velocitySize_; }
    void retract(ConstSpan q, ConstSpan dq, Span q1) const override;
    void difference(ConstSpan q, ConstSpan q1, Span dq) const override;
    bool angular(std::size_t dof) const override;

    //! Free motion to time t1; prescribed dofs and massless points are placed
    void driftTo(double t1, ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const;

    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override;
    void driftVelocity(ConstSpan q, ConstSpan p, double h, Span v) const override;
    void driftMomentum(ConstSpan q, ConstSpan v, double h, Span p) const override;
    void addForce(double t, ConstSpan q, double weight, Span p) const override;
    void driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                   Span p1) const override;
    void velocity(ConstSpan q, ConstSpan p, Span v) const override;
    void momentum(ConstSpan q, ConstSpan v, Span p) const override;
    void addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const override;
    double kinetic(ConstSpan q, ConstSpan p) const override;
    Potentials potentials(double t, ConstSpan q) const override;
    Potentials intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const override;
    Momenta momenta(ConstSpan q, ConstSpan p) const override;
    void addStiffness(double t, ConstSpan q, std::size_t offset, Triplets& entries) const override;

  private:
    struct Member
    {
      std::unique_ptr<Body> body;
      std::size_t q, v; //!< where its slices begin

      ConstSpan configuration(ConstSpan x) const { return x.subspan(q, body->configurationSize()); }
      Span configuration(Span x) const { return x.subspan(q, body->configurationSize()); }
      ConstSpan velocity(ConstSpan x) const { return x.subspan(v, body->velocitySize()); }
      Span velocity(Span x) const { return x.subspan(v, body->velocitySize()); }
    };

    void addInteractions(double t, ConstSpan q, double weight, Span p) const;

    std::vector<Member> bodies_;
    std::vector<std::unique_ptr<Interaction>> interactions_;
    std::vector<std::shared_ptr<const MasslessContact>> masslessContacts_;
    std::vector<std::unique_ptr<Constraint>> constraints_;
    std::vector<Motion> motions_;
    std::vector<char> prescribed_; //!< per velocity dof; empty if none
    bool massless_ = false;        //!< some points are placed by placeMasslessNodes()
    std::size_t configurationSize_ = 0;
    std::size_t velocitySize_ = 0;
  };

} // namespace Dune::Impact

#endif
