// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_ELEMENTKERNEL_HH
#define DUNE_IMPACT_BODY_ELEMENTKERNEL_HH

#include <cstddef>
#include <cstdint>

/** \file
 * \ingroup impact_body
 * \brief Internal forces of four cells at a time
 *
 * The functions are compiled twice, for the plain instruction set and for AVX2, so this header
 * includes nothing that could be shared between both.
 */

namespace Dune::Impact {

  //! One number of each of four cells
  using Lane = double __attribute__((vector_size(32), aligned(32)));

  //! Which stored energy; the formulas are those of materials.hh
  enum class KernelMaterial { stVenantKirchhoff, neoHooke, linear };

  //! Product of the signs of two local coordinates at a corner of a cube, or of three in the last
  //! pattern of three dimensions
  template<int dim>
  constexpr int hourglassSign(int pattern, int corner)
  {
    constexpr int directions[] = {dim == 2 ? 3 : 6, 5, 3, 7}; // sets of bits
    int s = 1;
    for (int k = 0; k < dim; ++k)
      if (directions[pattern] >> k & 1)
        s *= corner >> k & 1 ? 1 : -1;
    return s;
  }

  //! What cells with an hourglass energy have besides, see Hourglass: nothing for others
  template<int dim, int N, int Q>
  struct LaneHourglass
  {
    static constexpr bool hourglass = false;
  };

  //! Moments and hourglass stiffness of cubes with one integration point
  template<int dim, int N>
    requires(N == 1 << dim)
  struct LaneHourglass<dim, N, 1>
  {
    static constexpr bool hourglass = true; //!< cells have an hourglass energy
    static constexpr int patterns = dim == 2 ? 1 : 4;
    static constexpr int modes = patterns * dim;

    Lane moment[patterns][dim];
    Lane stiffness[modes * (modes + 1) / 2]; //!< upper triangle, row by row
  };

  //! Four cells with N nodes and Q integration points, structure of arrays
  template<int dim, int N, int Q>
  struct alignas(32) LaneBatch : LaneHourglass<dim, N, Q>
  {
    Lane weight[Q]; //!< volume that the point stands for; zero in lanes without a cell
    //! of the shape functions of nodes 1 ... N-1; that of node 0 is minus their sum
    Lane gradient[Q][N - 1][dim];
    std::uint32_t node[N][4]; //!< numbers within the chunk
  };

  /** \brief What a chunk of batches works on
   *
   * Nodes have four numbers each, the last ones unused, aligned to 32 bytes.
   */
  struct KernelInput
  {
    KernelMaterial material;
    double lambda, mu;
    const double* displacement;
    const double* direction; //!< of the linearised force; null for the force itself
    double* force;           //!< receives the sum
  };

  /** \brief f_a += sum of weight * P grad N_a, or the derivative of that in a direction
   *
   * P is the first Piola stress of the displacement gradient H = sum (u_a - u_0) (x) grad N_a.
   * Translations drop out exactly, and the forces of a cell add up to zero but for rounding.
   *
   * \return the smallest det F of all points; 1 for the linear material, which has no use for it
   */
  template<int dim, int N, int Q>
  struct ElementKernel
  {
    using Function = double (*)(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                                const KernelInput& input);

    static double plain(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                        const KernelInput& input);
    static double avx2(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                       const KernelInput& input);

    //! The faster one that this machine can run
    static Function best();
  };

} // namespace Dune::Impact

#endif
