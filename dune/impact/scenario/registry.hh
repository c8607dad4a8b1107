// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_REGISTRY_HH
#define DUNE_IMPACT_SCENARIO_REGISTRY_HH

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/material/materials.hh>
#include <dune/impact/scenario/keys.hh>
#include <dune/impact/scenario/scene.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_scenario
 * \brief The types of bodies, methods and other sections that scenario files can name
 *
 * A type is one file in `types/`: its name, its table of keys and the function that builds it.
 * The reader, `help`, `check`, the page on scenarios and the table of valid pairings all come
 * from here. A program that links the library can add types of its own.
 */

namespace Dune::Impact {

  //! A type of body
  struct BodyType
  {
    std::string name;
    std::string summary;
    std::vector<Key> keys;
    std::function<void(const Section&, Scene&)> build;
  };

  /** \brief A stored energy that solids can have
   *
   * `when` of its keys is filled in. Both functions read from the section of the body; one that
   * is empty means that there is no such material in this dimension.
   */
  struct MaterialType
  {
    std::string name;
    std::vector<Key> keys = {}; //!< besides those of all solids, young and poisson among them
    std::function<AnyMaterial<2>(const Section&)> plane = {};
    std::function<AnyMaterial<3>(const Section&)> space = {};
  };

  //! Young's modulus and Poisson's ratio of a section of a solid as Lame's constants
  Lame readLame(const Section& section);

  //! What a method is built from
  struct MethodInput
  {
    const Section& section; //!< [time]
    const Section& solver;  //!< [solver]
    const Scene& scene;
    double step;
    double criticalStep;
    double gapTolerance;
    StopToken stop = {}; //!< for the settings of the method and its solvers
  };

  //! A time stepping method
  struct MethodType
  {
    std::string name;
    std::string summary;
    std::vector<Key> keys;
    std::vector<std::string> bodies;  //!< types of bodies it can handle
    bool conditionallyStable = false; //!< its step must be below the critical step
    bool prescribedDofs = false;      //!< it can handle motions of bodies
    bool penaltyContact = false;      //!< it can handle law = penalty
    bool restitutionLaws = false;     //!< it can handle ContactLaw::restitutionLaw
    bool joints = false;              //!< it can handle joints and moved frames
    bool impacts = true;              //!< it has impacts, so that restitution has a meaning
    bool inertia = true;              //!< without it velocities at the start have no meaning
    //! types of bodies whose contacts can have friction
    std::vector<std::string> friction = {};
    std::function<std::unique_ptr<Stepper>(const MethodInput&)> build;
  };

  //! Another kind of named section, built after all bodies: springs, contacts, loads, motions
  struct SectionType
  {
    std::string name;
    std::string summary;
    std::vector<Key> keys;
    std::function<void(const Section&, Scene&)> build;
  };

  //! All types
  class Registry
  {
  public:
    void add(BodyType type) { bodies_.push_back(std::move(type)); }
    void add(MethodType type) { methods_.push_back(std::move(type)); }
    void add(SectionType type) { sections_.push_back(std::move(type)); }

    const BodyType& body(const std::string& name) const;
    const MethodType& method(const std::string& name) const;

    //! In the order in which they are to be built
    const std::vector<SectionType>& sections() const { return sections_; }
    const std::vector<MethodType>& methods() const { return methods_; }

    //! The keys of all sections
    KeyTable table() const;

    //! The table of methods and the bodies they can handle, as Markdown
    void printPairings(std::ostream& out) const;

  private:
    std::vector<BodyType> bodies_;
    std::vector<MethodType> methods_;
    std::vector<SectionType> sections_;
  };

  //! All types of this module; solids can have materials of other modules too
  Registry makeRegistry(const std::vector<MaterialType>& materials = {});

  // One function per file in types/
  void registerParticle(Registry& registry);
  void registerRigid(Registry& registry);
  void registerBar(Registry& registry);
  void registerSolid(Registry& registry, std::vector<MaterialType> others);
  void registerObstacles(Registry& registry);
  void registerSpring(Registry& registry);
  void registerContact(Registry& registry);
  void registerLoad(Registry& registry);
  void registerMotion(Registry& registry);
  void registerCDLagrange(Registry& registry);
  void registerMoreauJean(Registry& registry);
  void registerImplicit(Registry& registry);
  void registerBeam(Registry& registry);
  void registerMultisymplectic(Registry& registry);
  void registerEnergyMomentum(Registry& registry);
  void registerJoint(Registry& registry);
  void registerNsga(Registry& registry);

} // namespace Dune::Impact

#endif
