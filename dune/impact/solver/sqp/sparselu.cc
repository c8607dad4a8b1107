// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <Eigen/SparseLU>
#include <Eigen/UmfPackSupport>

#include <dune/impact/solver/sqp/sparselu.hh>

namespace Dune::Impact {

  struct SparseLu::Data
  {
    LuLibrary library;
    bool large = false; // the last factor is that of UMFPACK
    Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> eigen = {};
    Eigen::UmfPackLU<Matrix> umfpack = {};
  };

  SparseLu::SparseLu(LuLibrary library) : data_(std::make_unique<Data>(library))
  {}

  SparseLu::~SparseLu() = default;

  bool SparseLu::compute(const Matrix& matrix)
  {
    data_->large = data_->library == LuLibrary::umfpack ||
                   (data_->library == LuLibrary::automatic && matrix.cols() > largeFactor);
    if (!data_->large) {
      data_->eigen.compute(matrix);
      return data_->eigen.info() == Eigen::Success;
    }
    data_->umfpack.compute(matrix);
    return data_->umfpack.info() == Eigen::Success;
  }

  Eigen::VectorXd SparseLu::solve(const Eigen::VectorXd& b) const
  {
    if (data_->large)
      return data_->umfpack.solve(b);
    return data_->eigen.solve(b);
  }

} // namespace Dune::Impact
