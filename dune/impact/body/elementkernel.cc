// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/body/elementkernel.impl.hh>

namespace Dune::Impact {

  template<int dim, int N, int Q>
  double ElementKernel<dim, N, Q>::plain(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                                         const KernelInput& input)
  {
    return dispatch<dim, N, Q>(batches, count, input);
  }

  template<int dim, int N, int Q>
  typename ElementKernel<dim, N, Q>::Function ElementKernel<dim, N, Q>::best()
  {
#ifdef DUNE_IMPACT_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      return &avx2;
#endif
    return &plain;
  }

  template struct ElementKernel<2, 3, 1>;
  template struct ElementKernel<2, 4, 4>;
  template struct ElementKernel<2, 4, 1>;
  template struct ElementKernel<2, 6, 3>;
  template struct ElementKernel<3, 4, 1>;
  template struct ElementKernel<3, 8, 8>;
  template struct ElementKernel<3, 8, 1>;
  template struct ElementKernel<3, 10, 4>;

} // namespace Dune::Impact
