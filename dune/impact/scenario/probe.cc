// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <map>

#include <fmt/format.h>

#include <dune/impact/body/framebody.hh>
#include <dune/impact/scenario/probe.hh>

namespace Dune::Impact {

  Probe::Probe(const Section& section, const Scene& scene)
    : name_(section.label())
    , dimension_(scene.dimension)
    , body_(scene.body(section, "body"))
  {
    static const std::map<std::string, Quantity> quantities = {
      {"position", Quantity::position},
      {"displacement", Quantity::displacement},
      {"velocity", Quantity::velocity},
      {"force", Quantity::force},
      {"rotation", Quantity::rotation},
      {"reaction", Quantity::reaction},
      {"reaction-moment", Quantity::reactionMoment}};
    const std::string word = section.word("quantity");
    quantity_ = quantities.at(word);
    // the contact force is that on the whole body
    if (quantity_ != Quantity::force && section.place("at").word != "centre-of-mass")
      point_ = scene.point(section, "at", body_, "");
    const State initial = scene.system.initialState();
    initialCentre_ =
      scene.system.body(body_).centreOfMass(scene.system.configurationSlice(body_, initial.q));
    if (quantity_ != Quantity::rotation && quantity_ != Quantity::reaction &&
        quantity_ != Quantity::reactionMoment)
      return;
    const auto* frames = dynamic_cast<const FrameBody*>(&scene.system.body(body_));
    if (!frames)
      section.fail("quantity", fmt::format("{} needs a beam or a rigid body, which {} is not", word,
                                           scene.system.body(body_).name()));
    if (quantity_ == Quantity::rotation && !point_)
      section.fail("at", "must be a node of the body for a rotation");
    if (point_)
      initialFrame_ = frames->pointFrame(point_->slice(initial.q), point_->point);
  }

  //! Rotation vector of R R_0^T
  Vec3 Probe::rotation(ConstSpan q) const
  {
    const Matrix3 R = dynamic_cast<const FrameBody&>(*point_->body)
                        .pointFrame(point_->slice(q), point_->point)
                        .rotation;
    const Vector3 w = RotationExponential::inverse(R * initialFrame_.rotation.transpose());
    return {w[0], w[1], w[2]};
  }

  //! Sum of the forces f and moments m of joints at the point. Without a point all joints of the
  //! body count, and moments are about the origin: m + x x f.
  Vec3 Probe::reaction(const System& system, ConstSpan q, const StepReport& report) const
  {
    Vec3 force(0), moment(0);
    for (const Reaction& reaction : report.reactions)
      if (reaction.body == body_ && (!point_ || reaction.point == point_->point)) {
        force += reaction.force;
        moment += reaction.moment;
        if (!point_)
          moment +=
            cross(system.body(body_).position(system.configurationSlice(body_, q), reaction.point),
                  reaction.force);
      }
    return quantity_ == Quantity::reaction ? force : moment;
  }

  void Probe::addColumns(std::vector<std::string>& columns) const
  {
    for (int c = 0; c < dimension_; ++c)
      columns.push_back(name_ + "." + "xyz"[c]);
  }

  /* A point without mass has no momentum: its velocity is the difference quotient of the interval,
   * and that of the body at the start. */
  Vec3 Probe::velocity(const System& system, ConstSpan q,
                       const RecordedMomenta& recordedMomenta) const
  {
    const bool massive = point_ && point_->body->carriesMass(point_->point);
    if (point_ && !massive && recordedMomenta.step > 0)
      return (point_->displacement(q) - point_->displacement(recordedMomenta.q)) /
             recordedMomenta.step;
    if (!massive) {
      const Body& body = system.body(body_);
      const ConstSpan q = system.configurationSlice(body_, recordedMomenta.q),
                      p = system.velocitySlice(body_, recordedMomenta.p);
      if (!recordedMomenta.velocities)
        return body.momenta(q, p).linear / body.mass();
      std::vector<double> momentum(p.size());
      body.momentum(q, p, momentum);
      return body.momenta(q, momentum).linear / body.mass();
    }
    Vec3 result(0);
    SparseVector functional, response;
    for (int c = 0; c < dimension_; ++c) {
      Vec3 unit(0);
      unit[c] = 1;
      functional.clear();
      response.clear();
      point_->addFunctional(recordedMomenta.q, unit, functional);
      if (!recordedMomenta.velocities)
        system.addVelocity(recordedMomenta.q, functional, response);
      result[c] = dot(recordedMomenta.velocities ? functional : response, recordedMomenta.p);
    }
    return result;
  }

  Vec3 Probe::value(const System& system, ConstSpan q, const RecordedMomenta& recordedMomenta,
                    const StepReport& report) const
  {
    switch (quantity_) {
    case Quantity::velocity:
      return velocity(system, q, recordedMomenta);
    case Quantity::force:
      return report.weight > 0 ? report.bodyImpulse[body_] / report.weight : Vec3(0);
    case Quantity::rotation:
      return rotation(q);
    case Quantity::reaction:
    case Quantity::reactionMoment:
      return reaction(system, q, report);
    case Quantity::displacement:
      if (point_)
        return point_->displacement(q);
      return system.body(body_).centreOfMass(system.configurationSlice(body_, q)) - initialCentre_;
    default:
      return point_ ? point_->position(q)
                    : system.body(body_).centreOfMass(system.configurationSlice(body_, q));
    }
  }

  void Probe::addValues(const System& system, ConstSpan q, const RecordedMomenta& recordedMomenta,
                        const StepReport& report, std::vector<double>& values) const
  {
    const Vec3 v = value(system, q, recordedMomenta, report);
    values.insert(values.end(), v.begin(), v.begin() + dimension_);
  }

} // namespace Dune::Impact
