// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/timestep/explicit/criticalstep.hh>

namespace Dune::Impact {

  namespace {

    using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    using Vector = Eigen::VectorXd;

    //! K += k d d^T with the overlap functional d of each massless contact, open ones included
    void addMasslessSprings(const System& system, ConstSpan q, Triplets& entries)
    {
      SparseVector row;
      for (const auto& massless : system.masslessContacts()) {
        row.clear();
        massless->addOverlapFunctional(q, row);
        for (const Entry& a : row)
          for (const Entry& b : row)
            entries.emplace_back(int(a.dof), int(b.dof), massless->stiffness() * a.value * b.value);
      }
    }

    //! Symmetric part: where body axes turn, forces add a skew part
    Matrix symmetric(std::size_t n, const Triplets& entries)
    {
      Matrix K{Eigen::Index(n), Eigen::Index(n)};
      K.setFromTriplets(entries.begin(), entries.end());
      return 0.5 * (K + Matrix(K.transpose()));
    }

    /* Square roots of the inverse masses; zero for massless and prescribed dofs. For the coupled
     * dofs of rigid bodies the sums of the absolute rows: the diagonal matrix of them is larger
     * than M^{-1}. */
    Vector inverseRootMass(const System& system, ConstSpan q)
    {
      const std::size_t n = system.velocitySize();
      Vector root(n);
      SparseVector row;
      for (std::size_t i = 0; i < n; ++i) {
        row.clear();
        if (!system.prescribed(i))
          system.addVelocity(q, std::array{Entry{i, 1}}, row);
        double sum = 0;
        for (const Entry& entry : row)
          sum += std::abs(entry.value);
        root[i] = std::sqrt(sum);
      }
      return root;
    }

    //! Dofs without mass follow statically: K - K P (P^T K P)^{-1} P^T K with the selection P of
    //! these dofs
    Matrix condense(const System& system, ConstSpan q, const Matrix& K)
    {
      const std::size_t n = system.velocitySize();
      std::vector<double> ones(n, 1), mass(n);
      system.momentum(q, ones, mass);
      Triplets selected;
      for (std::size_t i = 0; i < n; ++i)
        if (mass[i] == 0 && K.coeff(int(i), int(i)) != 0) // held dofs have no stiffness
          selected.emplace_back(int(i), int(selected.size()), 1.0);
      if (selected.empty())
        return K;
      Eigen::SparseMatrix<double> P(int(n), int(selected.size()));
      P.setFromTriplets(selected.begin(), selected.end());
      const Eigen::SparseMatrix<double> KP = K * P;
      const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> inner(
        Eigen::SparseMatrix<double>(P.transpose() * KP));
      const Eigen::SparseMatrix<double> follow =
        inner.solve(Eigen::SparseMatrix<double>(KP.transpose()));
      return K - Matrix(KP * follow);
    }

    //! Bound of all eigenvalues: max_i sum_j |A_ij|
    double gershgorin(const Matrix& A)
    {
      double bound = 0;
      for (int i = 0; i < A.outerSize(); ++i) {
        double sum = 0;
        for (Matrix::InnerIterator entry(A, i); entry; ++entry)
          sum += std::abs(entry.value());
        bound = std::max(bound, sum);
      }
      return bound;
    }

    //! Lanczos with full orthogonalisation: the largest Ritz value and its residual beta |y_k|,
    //! with the last entry y_k of the eigenvector y of T
    std::pair<double, double> lanczos(const Matrix& A, const Vector& start)
    {
      // the basis must fit in memory
      const int n = int(A.rows()), steps = std::min(n, n > 100000 ? 20 : 60);
      std::vector<Vector> basis{start / start.norm()};
      Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);
      double value = 0, residual = std::numeric_limits<double>::infinity();
      for (int k = 0; k < steps; ++k) {
        Vector w = A * basis[k];
        T(k, k) = w.dot(basis[k]);
        for (int repeat = 0; repeat < 2; ++repeat)
          for (const Vector& v : basis)
            w -= w.dot(v) * v;
        const double beta = w.norm();
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(T.topLeftCorner(k + 1, k + 1));
        value = ritz.eigenvalues()[k];
        residual = beta * std::abs(ritz.eigenvectors()(k, k));
        if (k + 1 == steps || residual <= 1e-12 * value)
          break;
        T(k, k + 1) = T(k + 1, k) = beta;
        basis.push_back(w / beta);
      }
      return {value, residual};
    }

    /* A vector that is orthogonal to no mode in practice: alternating signs, near the highest mode
     * of bars, plus an irregular part. */
    Vector startVector(const Vector& root)
    {
      Vector x(root.size());
      for (Eigen::Index i = 0; i < x.size(); ++i)
        x[i] =
          root[i] > 0
            ? ((i % 2 ? -1.0 : 1.0) + 0.5 * std::sin(1.0 + 1.7 * double(i) * double(i))) / root[i]
            : 0;
      return x;
    }

    /* R K R with R = (m/M)^{1/2}, where some bodies give products only. The smallest mass m makes R
     * a number, so that the unit of mass changes no digit. */
    class Operator
    {
    public:
      Operator(const System& system, double t, ConstSpan q, Triplets entries)
        : system_(system)
        , time_(t)
        , q_(q)
        , root_(system.velocitySize())
      {
        std::vector<double> ones(root_.size(), 1), inverse(root_.size());
        system.velocity(q, ones, inverse);
        scale_ = *std::max_element(inverse.begin(), inverse.end());
        for (std::size_t i = 0; i < inverse.size(); ++i)
          root_[i] = system.prescribed(i) || scale_ == 0 ? 0 : std::sqrt(inverse[i] / scale_);
        std::size_t offset = 0;
        for (std::size_t i = 0; i < system.bodyCount();
             offset += system.body(i).velocitySize(), ++i)
          if (!system.body(i).matrixFree())
            system.body(i).addStiffness(t, system.configurationSlice(i, q), offset, entries);
        for (const auto& interaction : system.interactions())
          interaction->addStiffness(t, q, entries);
        matrix_ = condense(system, q, symmetric(system.velocitySize(), entries));
      }

      const Vector& root() const { return root_; }

      //! 1/m
      double scale() const { return scale_; }

      //! R K R x; bodies without a matrix add their products
      Vector operator()(const Vector& x) const
      {
        const Vector scaled = root_.cwiseProduct(x);
        Vector y = matrix_ * scaled;
        std::size_t offset = 0;
        for (std::size_t i = 0; i < system_.bodyCount(); ++i) {
          const Body& body = system_.body(i);
          if (body.matrixFree())
            body.addStiffnessProduct(time_, system_.configurationSlice(i, q_),
                                     {scaled.data() + offset, body.velocitySize()},
                                     {y.data() + offset, body.velocitySize()});
          offset += body.velocitySize();
        }
        return root_.cwiseProduct(y);
      }

    private:
      const System& system_;
      double time_;
      ConstSpan q_;
      Vector root_;
      double scale_;
      Matrix matrix_;
    };

    /* Lanczos with three vectors: without orthogonalisation copies of converged Ritz values appear,
     * which does no harm to the largest one. Returns it with its residual. */
    std::pair<double, double> largestValue(const Operator& A)
    {
      constexpr int most = 200, often = 5;
      constexpr double wanted = 1e-3;
      Vector v = startVector(A.root()), previous = Vector::Zero(v.size());
      if (v.norm() == 0)
        return {0, 0};
      v /= v.norm();
      std::vector<double> alpha, beta;
      double value = 0, residual = 0;
      for (int k = 1; k <= most; ++k) {
        Vector w = A(v);
        alpha.push_back(w.dot(v));
        w -= alpha.back() * v;
        if (k > 1)
          w -= beta.back() * previous;
        beta.push_back(w.norm());
        const bool end =
          k == most || k == v.size() || beta.back() <= 1e-14 * std::abs(alpha.back());
        if (k % often == 0 || end) {
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
          const Vector diagonal = Eigen::Map<const Vector>(alpha.data(), k),
                       beside = Eigen::Map<const Vector>(beta.data(), k - 1);
          double size = diagonal.cwiseAbs().maxCoeff(); // the solver expects numbers of order one
          if (size == 0)
            size = 1;
          ritz.computeFromTridiagonal(diagonal / size, beside / size);
          value = ritz.eigenvalues()[k - 1] * size;
          residual = beta.back() * std::abs(ritz.eigenvectors()(k - 1, k - 1));
          if (end || residual <= wanted * value)
            break;
        }
        previous = v;
        v = w / beta.back();
      }
      return {value * A.scale(), residual * A.scale()};
    }

    bool anyMatrixFree(const System& system)
    {
      for (std::size_t i = 0; i < system.bodyCount(); ++i)
        if (system.body(i).matrixFree())
          return true;
      return false;
    }

  } // namespace

  /* 2/omega, where omega^2 is Gershgorin's bound of M^{-1} K. The largest Ritz value of
   * M^{-1/2} K M^{-1/2} plus its residual takes its place if it is smaller by five percent and has
   * settled. Dofs without mass are condensed before. */
  double criticalStep(const System& system, double t, ConstSpan q, const Triplets& extra)
  {
    const int n = int(system.velocitySize());
    Triplets entries = extra;
    addMasslessSprings(system, q, entries);
    if (n > 0 && anyMatrixFree(system)) {
      const auto [value, residual] = largestValue(Operator(system, t, q, std::move(entries)));
      return value + residual > 0 ? 2 / std::sqrt(value + residual)
                                  : std::numeric_limits<double>::infinity();
    }
    system.addStiffness(t, q, 0, entries);
    if (n == 0 || entries.empty())
      return std::numeric_limits<double>::infinity();
    const Matrix K = condense(system, q, symmetric(n, entries));
    const Vector root = inverseRootMass(system, q);

    // Gershgorin's bound of M^{-1} K, which is similar to the symmetric matrix
    const double bound = gershgorin(root.array().square().matrix().asDiagonal() * K);
    if (bound == 0)
      return std::numeric_limits<double>::infinity();
    const Matrix A = root.asDiagonal() * K * root.asDiagonal();

    const auto [value, residual] = lanczos(A, startVector(root));
    if (value + residual < 0.95 * bound && residual <= 1e-3 * value)
      return 2 / std::sqrt(value + residual);
    return 2 / std::sqrt(bound);
  }

  //! Bonds of adhesion enter with their stiffness at the given damage.
  double criticalStep(const System& system, const std::vector<Contact>& contacts, double t,
                      ConstSpan q, ConstSpan damage)
  {
    Triplets entries;
    std::size_t begin = 0;
    for (const Contact& contact : contacts)
      if (const auto* interface = contact.geometry.find<RccmInterface>()) {
        interface->addStiffness(
          t, q, damage.empty() ? damage : damage.subspan(begin, interface->size()), entries);
        begin += interface->size();
      }
    return criticalStep(system, t, q, entries);
  }

} // namespace Dune::Impact
