// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <cholmod.h>

#include <Eigen/SparseCholesky>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/solver/multigrid/factorbackend.hh>

// Of OpenBLAS, where the BLAS in use is that one
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace Dune::Impact {

  namespace {

    constexpr double pivotThreshold = 1e-13; // see SparseFactor

    //! L D L^T without square roots: powers of two change D only
    class EigenFactor : public FactorBackend
    {
      //! Shows how many entries the columns of L have
      struct Factor : Eigen::SimplicialLDLT<Matrix>
      {
        double operations() const
        {
          double sum = 0;
          for (Eigen::Index j = 0; j < m_nonZerosPerCol.size(); ++j)
            sum += double(m_nonZerosPerCol[j]) * double(m_nonZerosPerCol[j] + 2);
          return sum;
        }
      };

    public:
      void analyse(const Matrix& lower, int) override { factor_.analyzePattern(lower); }
      double operations() const override { return factor_.operations(); }

      void factorise(const Matrix& lower, const std::vector<char>&) override
      {
        factor_.factorize(lower);
        valid_ = factor_.info() == Eigen::Success;
        positive_ = valid_ && pivotsPositive(lower);
      }

      void solve(Eigen::VectorXd& x) const override { x = factor_.solve(x).eval(); }

    private:
      //! D_i > pivotThreshold A_ii for all pivots: smaller ones may be round-off of zero
      bool pivotsPositive(const Matrix& lower) const
      {
        const auto pivots = factor_.vectorD();
        const auto& place = factor_.permutationP().indices();
        const auto diagonal = lower.diagonal();
        for (Eigen::Index i = 0; i < pivots.size(); ++i)
          if (!(pivots[place[i]] > pivotThreshold * diagonal.coeff(i)))
            return false;
        return true;
      }

      Factor factor_;
    };

    /** \brief L L^T of dense blocks
     *
     * Square roots of a matrix times two would have other bits, so the largest diagonal entry is
     * brought to [1, 2) by a power of two first: the matrix to factorise is the same in all units.
     * The factor ends at the first pivot that is not positive. How many negative ones there are,
     * the inertia, cannot be told, and such a factor solves nothing: valid() is positive().
     */
    class CholmodFactor : public FactorBackend
    {
    public:
      CholmodFactor()
      {
        cholmod_start(&common_);
        common_.print = 0;
        common_.supernodal = CHOLMOD_SUPERNODAL;
        if (openblas_set_num_threads) // sums in an order of their own on several threads
          openblas_set_num_threads(1);
      }

      ~CholmodFactor() override
      {
        cholmod_free_factor(&factor_, &common_);
        cholmod_finish(&common_);
      }

      CholmodFactor(const CholmodFactor&) = delete;
      CholmodFactor& operator=(const CholmodFactor&) = delete;

      void analyse(const Matrix& lower, int block) override;
      double operations() const override { return operations_; }
      void factorise(const Matrix& lower, const std::vector<char>& free) override;
      void solve(Eigen::VectorXd& x) const override;

    private:
      bool pivotsPositive() const;
      std::vector<int> orderNodes(const Matrix& lower, int block);

      mutable cholmod_common common_;
      cholmod_factor* factor_ = nullptr;
      Matrix scaled_;
      double scale_ = 1; // of scaled_ in units of the matrix
      double operations_ = 0;
    };

    //! The lower triangle as CHOLMOD sees it, without a copy
    cholmod_sparse view(const FactorBackend::Matrix& lower)
    {
      cholmod_sparse A{};
      A.nrow = A.ncol = std::size_t(lower.cols());
      A.nzmax = std::size_t(lower.nonZeros());
      A.p = const_cast<int*>(lower.outerIndexPtr());
      A.i = const_cast<int*>(lower.innerIndexPtr());
      A.x = const_cast<double*>(lower.valuePtr());
      A.stype = -1;
      A.itype = CHOLMOD_INT;
      A.xtype = CHOLMOD_REAL;
      A.dtype = CHOLMOD_DOUBLE;
      A.sorted = A.packed = 1;
      return A;
    }

    //! An ordering of the nodes, found on their graph, which is smaller than that of the unknowns
    std::vector<int> CholmodFactor::orderNodes(const Matrix& lower, int block)
    {
      const Eigen::Index n = lower.cols() / block;
      std::vector<Eigen::Triplet<double>> entries;
      for (Eigen::Index j = 0; j < n; ++j)
        for (Matrix::InnerIterator entry(lower, j * block); entry; ++entry)
          if (entry.row() % block == 0)
            entries.emplace_back(entry.row() / block, j, 1.0);
      Matrix graph(n, n);
      graph.setFromTriplets(entries.begin(), entries.end());
      cholmod_sparse A = view(graph);
      cholmod_factor* nodes = cholmod_analyze(&A, &common_);
      if (!nodes)
        throw RunError("CHOLMOD found no ordering");
      const int* permutation = static_cast<const int*>(nodes->Perm);
      std::vector<int> order;
      order.reserve(lower.cols());
      for (Eigen::Index k = 0; k < n; ++k)
        for (int c = 0; c < block; ++c)
          order.push_back(permutation[k] * block + c);
      cholmod_free_factor(&nodes, &common_);
      return order;
    }

    void CholmodFactor::analyse(const Matrix& lower, int block)
    {
      cholmod_free_factor(&factor_, &common_);
      std::vector<int> order = orderNodes(lower, block);
      const int methods = common_.nmethods, ordering = common_.method[0].ordering;
      common_.nmethods = 1;
      common_.method[0].ordering = CHOLMOD_GIVEN;
      cholmod_sparse A = view(lower);
      factor_ = cholmod_analyze_p(&A, order.data(), nullptr, 0, &common_);
      common_.nmethods = methods;
      common_.method[0].ordering = ordering;
      if (!factor_)
        throw RunError("CHOLMOD found no ordering");
      operations_ = common_.fl;
    }

    void CholmodFactor::factorise(const Matrix& lower, const std::vector<char>& free)
    {
      double largest = 0;
      scaled_ = lower;
      for (Eigen::Index i = 0; i < lower.cols(); ++i)
        if (free[i])
          largest = std::max(largest, std::abs(lower.valuePtr()[lower.outerIndexPtr()[i]]));
      scale_ = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
      scaled_.coeffs() *= scale_;
      cholmod_sparse A = view(scaled_);
      cholmod_factorize(&A, factor_, &common_);
      if (common_.status < 0)
        throw RunError("a factor of " + std::to_string(lower.cols()) +
                       " unknowns does not fit into memory");
      valid_ = positive_ = common_.status == CHOLMOD_OK && pivotsPositive();
    }

    //! L_jj^2 > pivotThreshold A_jj, column by column of the dense blocks
    bool CholmodFactor::pivotsPositive() const
    {
      const int *super = static_cast<const int*>(factor_->super),
                *rows = static_cast<const int*>(factor_->pi),
                *begin = static_cast<const int*>(factor_->px),
                *permutation = static_cast<const int*>(factor_->Perm);
      const double* x = static_cast<const double*>(factor_->x);
      for (std::size_t s = 0; s < factor_->nsuper; ++s) {
        const std::size_t height = rows[s + 1] - rows[s];
        for (int j = super[s]; j < super[s + 1]; ++j) {
          const double pivot = x[begin[s] + std::size_t(j - super[s]) * (height + 1)];
          const double diagonal = scaled_.valuePtr()[scaled_.outerIndexPtr()[permutation[j]]];
          if (!(pivot * pivot > pivotThreshold * diagonal))
            return false;
        }
      }
      return true;
    }

    void CholmodFactor::solve(Eigen::VectorXd& x) const
    {
      cholmod_dense b{};
      b.nrow = b.nzmax = b.d = std::size_t(x.size());
      b.ncol = 1;
      b.x = x.data();
      b.xtype = CHOLMOD_REAL;
      b.dtype = CHOLMOD_DOUBLE;
      cholmod_dense* y = cholmod_solve(CHOLMOD_A, factor_, &b, &common_);
      if (!y)
        throw RunError("CHOLMOD could not solve with its factor");
      for (Eigen::Index i = 0; i < x.size(); ++i)
        x[i] = scale_ * static_cast<const double*>(y->x)[i];
      cholmod_free_dense(&y, &common_);
    }

  } // namespace

  std::unique_ptr<FactorBackend> FactorBackend::make(FactorLibrary library)
  {
    if (library == FactorLibrary::cholmod)
      return std::make_unique<CholmodFactor>();
    return std::make_unique<EigenFactor>();
  }

} // namespace Dune::Impact
