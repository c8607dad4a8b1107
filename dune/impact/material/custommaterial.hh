// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_CUSTOMMATERIAL_HH
#define DUNE_IMPACT_MATERIAL_CUSTOMMATERIAL_HH

#include <array>
#include <memory>
#include <utility>

#include <dune/impact/material/material.hh>

/** \file
 * \ingroup impact_material
 * \brief Materials that this module does not know, behind one type
 */

namespace Dune::Impact {

  //! Any tangent, as its blocks K(e_J, e_L) of the unit vectors
  template<int dim>
  struct DenseTangent
  {
    std::array<std::array<Tensor<dim>, dim>, dim> block;

    DenseTangent() = default;

    template<MaterialTangent<dim> Tangent>
    explicit DenseTangent(const Tangent& tangent)
    {
      for (int J = 0; J < dim; ++J)
        for (int L = 0; L < dim; ++L) {
          FieldVector<double, dim> eJ(0.0), eL(0.0);
          eJ[J] = eL[L] = 1;
          block[J][L] = 0.0;
          tangent.addBlock(tangent.direction(eJ), tangent.direction(eL), 1, block[J][L]);
        }
    }

    FieldVector<double, dim> direction(const FieldVector<double, dim>& g) const { return g; }

    //! Add weight * sum a_J b_L K(e_J, e_L)
    void addBlock(const FieldVector<double, dim>& a, const FieldVector<double, dim>& b,
                  double weight, Tensor<dim>& K) const
    {
      for (int J = 0; J < dim; ++J)
        for (int L = 0; L < dim; ++L)
          K.axpy(weight * a[J] * b[L], block[J][L]);
    }
  };

  /** \brief A material of plane strain that knows the stress P_33 which keeps the strain plane
   *
   * Only pictures need it.
   */
  template<class M>
  concept PlaneMaterial =
    Material<M> && M::dimension == 2 && requires(const M& material, const Tensor<2>& H) {
      { material.stressAcross(H) } -> std::same_as<double>;
    };

  /** \brief A material of another module
   *
   * Made from any type that is a Material, and in two dimensions a PlaneMaterial. A call per
   * integration point and a tangent with all its entries make it slower than the materials of
   * this module, by a factor of about two where matrices are assembled.
   */
  template<int dim>
  class CustomMaterial
  {
  public:
    static constexpr int dimension = dim;
    static constexpr bool frameIndifferent = false;    //!< not known here
    static constexpr bool needsPositiveVolume = false; //!< not known here

    template<Material M>
      requires(M::dimension == dim && (dim == 3 || PlaneMaterial<M>))
    explicit CustomMaterial(M material)
      : model_(std::make_shared<const Model<M>>(std::move(material)))
    {}

    double energy(const Tensor<dim>& H) const { return model_->energy(H); }
    Tensor<dim> stress(const Tensor<dim>& H) const { return model_->stress(H); }
    DenseTangent<dim> tangent(const Tensor<dim>& H) const { return model_->tangent(H); }
    Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return model_->averagedStress(H0, H1);
    }
    DenseTangent<dim> averagedTangent(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return model_->averagedTangent(H0, H1);
    }

    //! P_33 of a state of plane strain
    double stressAcross(const Tensor<dim>& H) const { return model_->stressAcross(H); }

  private:
    struct Interface
    {
      virtual ~Interface() = default;
      virtual double energy(const Tensor<dim>& H) const = 0;
      virtual Tensor<dim> stress(const Tensor<dim>& H) const = 0;
      virtual DenseTangent<dim> tangent(const Tensor<dim>& H) const = 0;
      virtual Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const = 0;
      virtual DenseTangent<dim> averagedTangent(const Tensor<dim>& H0,
                                                const Tensor<dim>& H1) const = 0;
      virtual double stressAcross(const Tensor<dim>& H) const = 0;
    };

    template<class M>
    struct Model final : Interface
    {
      explicit Model(M m) : material(std::move(m)) {}

      double energy(const Tensor<dim>& H) const override { return material.energy(H); }
      Tensor<dim> stress(const Tensor<dim>& H) const override { return material.stress(H); }
      DenseTangent<dim> tangent(const Tensor<dim>& H) const override
      {
        return DenseTangent<dim>(material.tangent(H));
      }
      Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const override
      {
        return material.averagedStress(H0, H1);
      }
      DenseTangent<dim> averagedTangent(const Tensor<dim>& H0, const Tensor<dim>& H1) const override
      {
        return DenseTangent<dim>(material.averagedTangent(H0, H1));
      }

      double stressAcross([[maybe_unused]] const Tensor<dim>& H) const override
      {
        if constexpr (dim == 2)
          return material.stressAcross(H);
        else
          return 0;
      }

      M material;
    };

    std::shared_ptr<const Interface> model_;
  };

} // namespace Dune::Impact

#endif
