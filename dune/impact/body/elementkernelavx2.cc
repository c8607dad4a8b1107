// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception

/* Compiled for AVX2 with fused multiply-add; nothing else may be in this file, since the
 * machine it runs on need not have them. */
#include <dune/impact/body/elementkernel.impl.hh>

namespace Dune::Impact {

  template<int dim, int N, int Q>
  double ElementKernel<dim, N, Q>::avx2(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                                        const KernelInput& input)
  {
    return dispatch<dim, N, Q>(batches, count, input);
  }

  template double ElementKernel<2, 3, 1>::avx2(const LaneBatch<2, 3, 1>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<2, 4, 4>::avx2(const LaneBatch<2, 4, 4>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<2, 4, 1>::avx2(const LaneBatch<2, 4, 1>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<2, 6, 3>::avx2(const LaneBatch<2, 6, 3>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<3, 4, 1>::avx2(const LaneBatch<3, 4, 1>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<3, 8, 8>::avx2(const LaneBatch<3, 8, 8>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<3, 8, 1>::avx2(const LaneBatch<3, 8, 1>*, std::size_t,
                                               const KernelInput&);
  template double ElementKernel<3, 10, 4>::avx2(const LaneBatch<3, 10, 4>*, std::size_t,
                                                const KernelInput&);

} // namespace Dune::Impact
