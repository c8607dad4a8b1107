// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/body/rigidmotions.hh>
#include <dune/impact/scenario/unheld.hh>

namespace Dune::Impact {

  namespace {

    //! Bodies that are connected, and those that something else than supports and joints may hold
    class Groups
    {
    public:
      explicit Groups(const Scene& scene) : label_(scene.system.bodyCount())
      {
        std::iota(label_.begin(), label_.end(), std::size_t(0));
        mayHold_.assign(label_.size(), false);
        for (const Contact& contact : scene.contacts)
          if (contact.first.body && contact.second.body)
            join(*contact.first.body, *contact.second.body);
          else if (contact.first.body)
            mayHold_[*contact.first.body] = true;
        const State initial = scene.system.initialState();
        for (const auto& interaction : scene.system.interactions())
          if (!interaction->external())
            addStiffness(scene.system, *interaction, initial.q);
        for (const auto& joint : scene.system.constraints()) {
          Triplets entries;
          joint->addPoints(0, initial.q, 0, entries);
          const std::set<std::size_t> bodies = owners(scene.system, entries);
          for (const std::size_t body : bodies)
            join(*bodies.begin(), body);
        }
      }

      //! Groups that nothing but supports, motions and joints can hold
      std::vector<std::vector<std::size_t>> alone() const
      {
        std::vector<std::vector<std::size_t>> result;
        for (std::size_t first = 0; first < label_.size(); ++first) {
          std::vector<std::size_t> group;
          bool held = false;
          for (std::size_t body = 0; body < label_.size(); ++body)
            if (label_[body] == first) {
              group.push_back(body);
              held = held || mayHold_[body];
            }
          if (!group.empty() && !held)
            result.push_back(std::move(group));
        }
        return result;
      }

    private:
      void join(std::size_t a, std::size_t b)
      {
        const std::size_t from = std::max(label_[a], label_[b]),
                          to = std::min(label_[a], label_[b]);
        std::ranges::replace(label_, from, to);
      }

      static std::set<std::size_t> owners(const System& system, const Triplets& entries)
      {
        std::set<std::size_t> bodies;
        for (const auto& entry : entries)
          bodies.insert(system.owner(std::size_t(entry.col())));
        return bodies;
      }

      //! A spring between bodies connects them, one to a fixed point may hold its body
      void addStiffness(const System& system, const Interaction& interaction, ConstSpan q)
      {
        Triplets entries;
        interaction.addStiffness(0, q, entries);
        const std::set<std::size_t> bodies = owners(system, entries);
        for (const std::size_t body : bodies)
          join(*bodies.begin(), body);
        if (bodies.size() == 1)
          mayHold_[*bodies.begin()] = true;
      }

      std::vector<std::size_t> label_;
      std::vector<char> mayHold_;
    };

    //! Does the force do work in one of the motions, beyond round-off?
    bool doesWork(const std::vector<double>& force, const Eigen::MatrixXd& motions)
    {
      constexpr double roundOff = 1e-9;
      const Eigen::Map<const Eigen::VectorXd> f(force.data(), Eigen::Index(force.size()));
      const Eigen::VectorXd work = motions.transpose() * f,
                            size = motions.cwiseAbs().transpose() * f.cwiseAbs();
      for (Eigen::Index k = 0; k < work.size(); ++k)
        if (std::abs(work[k]) > roundOff * size[k])
          return true;
      return false;
    }

  } // namespace

  std::string unheldBodies(const Scene& scene, std::span<const double> times)
  {
    const State initial = scene.system.initialState();
    for (const auto& group : Groups(scene).alone()) {
      const Eigen::MatrixXd motions = freeRigidMotions(scene.system, group, initial.q);
      if (motions.cols() == 0)
        continue;
      for (const double t : times) {
        std::vector<double> force(scene.system.velocitySize(), 0);
        scene.system.addForce(t, initial.q, 1, force);
        if (!doesWork(force, motions))
          continue;
        std::vector<std::string> names;
        for (const std::size_t body : group)
          names.push_back("body." + scene.system.body(body).name());
        return fmt::format(
          "{}: there is no equilibrium, nothing holds {} against {} of {} rigid motions, in which "
          "weight or loads do work; a support, a motion, a joint or a contact must",
          fmt::join(names, ", "), group.size() == 1 ? "it" : "them", motions.cols(),
          scene.dimension == 2 ? 3 : 6);
      }
    }
    return "";
  }

} // namespace Dune::Impact
