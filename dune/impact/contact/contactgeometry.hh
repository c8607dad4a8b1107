// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_CONTACTGEOMETRY_HH
#define DUNE_IMPACT_CONTACT_CONTACTGEOMETRY_HH

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/** \file
 * \ingroup impact_contact
 * \brief What a contact geometry can do
 */

namespace Dune::Impact {

  class ImpulseGeometry;
  template<int dim>
  class WeightedGapGeometry;
  class GapSlipGeometry;
  class MasslessContact;
  class PenaltyGeometry;
  class RccmInterface;

  /** \brief The geometry of a contact, as a set of capabilities
   *
   * Methods of time stepping see contact in different ways. Each way is an interface, and a
   * geometry offers those it can:
   *
   * | capability | what it gives |
   * |---|---|
   * | ImpulseGeometry | contact points of one configuration: gap, axes, functionals of the rates |
   * | WeightedGapGeometry | weighted gaps with first and second derivatives |
   * | GapSlipGeometry | gap and finite slip since an earlier configuration |
   * | MasslessContact | position-level contact of points without mass |
   * | PenaltyGeometry | nodes and what they see, for springs between rigid bodies |
   * | RccmInterface | adhesive bonds with damage |
   *
   * A stepper asks for the capability it needs by capability(), which refuses the pair of method
   * and contact in one sentence. A new geometry implements interfaces and touches no stepper; a new
   * stepper uses interfaces and touches no geometry. Where a geometry could offer a capability in
   * principle and does not, lacks() says why.
   */
  class ContactGeometry
  {
    using Capabilities =
      std::tuple<std::shared_ptr<const ImpulseGeometry>,
                 std::shared_ptr<const WeightedGapGeometry<2>>,
                 std::shared_ptr<const WeightedGapGeometry<3>>,
                 std::shared_ptr<const GapSlipGeometry>, std::shared_ptr<const MasslessContact>,
                 std::shared_ptr<const PenaltyGeometry>, std::shared_ptr<const RccmInterface>>;
    static constexpr std::size_t count = std::tuple_size_v<Capabilities>;

  public:
    ContactGeometry() = default;

    //! The geometry that offers every capability which T implements
    template<class T>
    ContactGeometry(std::shared_ptr<T> object)
    {
      offer(std::move(object));
    }

    template<class T>
    ContactGeometry(std::unique_ptr<T> object)
      : ContactGeometry(std::shared_ptr<T>(std::move(object)))
    {}

    //! Offer every capability which T implements
    template<class T>
    ContactGeometry& offer(std::shared_ptr<T> object)
    {
      static_assert(implements<T>(std::make_index_sequence<count>()),
                    "a contact geometry implements at least one capability");
      if constexpr (requires {
                      object->firstBody();
                      object->secondBody();
                    }) {
        first_ = object->firstBody();
        second_ = object->secondBody();
      }
      offerAll(object, std::make_index_sequence<count>());
      return *this;
    }

    //! Say why the capability C is not offered: the end of a sentence
    template<class C>
    ContactGeometry& lacks(std::string reason)
    {
      reasons_[index<C>()] = std::move(reason);
      return *this;
    }

    //! True if the geometry has the capability C
    template<class C>
    bool offers() const
    {
      return std::get<std::shared_ptr<const C>>(capabilities_) != nullptr;
    }

    //! The capability C, or null if it is not offered
    template<class C>
    const C* find() const
    {
      return std::get<std::shared_ptr<const C>>(capabilities_).get();
    }

    //! The same as a shared object
    template<class C>
    const std::shared_ptr<const C>& share() const
    {
      return std::get<std::shared_ptr<const C>>(capabilities_);
    }

    //! Numbers of the bodies of both sides; the second is missing if it is an obstacle
    std::size_t firstBody() const { return first_; }
    std::optional<std::size_t> secondBody() const { return second_; }

    //! A sentence that refuses a method which needs the capability C of the named contact
    template<class C>
    std::string refusal(const std::string& method, const std::string& contact) const
    {
      return refusal(index<C>(), method, contact);
    }

  private:
    template<class C, std::size_t i = 0>
    static constexpr std::size_t index()
    {
      if constexpr (std::is_same_v<std::tuple_element_t<i, Capabilities>, std::shared_ptr<const C>>)
        return i;
      else
        return index<C, i + 1>();
    }

    template<std::size_t i>
    using Capability =
      std::remove_const_t<typename std::tuple_element_t<i, Capabilities>::element_type>;

    template<class T, std::size_t... i>
    static constexpr bool implements(std::index_sequence<i...>)
    {
      return (std::is_base_of_v<Capability<i>, T> || ...);
    }

    template<class T, std::size_t... i>
    void offerAll(const std::shared_ptr<T>& object, std::index_sequence<i...>)
    {
      const auto one = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
        if constexpr (std::is_base_of_v<Capability<k>, T>)
          std::get<k>(capabilities_) = object;
      };
      (one(std::integral_constant<std::size_t, i>()), ...);
    }

    std::array<bool, count> offered() const;
    std::string refusal(std::size_t needed, const std::string& method,
                        const std::string& contact) const;

    Capabilities capabilities_;
    std::array<std::string, count> reasons_;
    std::size_t first_ = 0;
    std::optional<std::size_t> second_;
  };

} // namespace Dune::Impact

#endif
