// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_SOLVER_IMPULSE_STOREDPROBLEMS_HH
#define DUNE_IMPACT_TEST_SOLVER_IMPULSE_STOREDPROBLEMS_HH

#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <dune/common/exceptions.hh>

#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \brief Contact problems of runs that are hard to solve
 */

namespace Dune::Impact::Test {

  //! A problem of test/data/impulse-problems.txt
  struct StoredProblem
  {
    std::string name;
    FactoredDelassus factors;
    Delassus matrix; //!< their product
    std::vector<double> b, friction;

    //! Stacks of boxes, the plate under a ball, and random impacts are solved to round-off
    bool isExact() const
    {
      return name.starts_with("stack") || name == "plate" || hasRandom("0123");
    }

    //! Two impacts with friction on the slip after them: no solution is known
    bool isUnsolvable() const { return hasRandom("78"); }

    //! 8 epsilon max |G| |W| |r|
    double rounding(const std::vector<double>& r) const
    {
      return contactResidual(FactoredProblem{factors, b, friction}, r).rounding;
    }

  private:
    bool hasRandom(const std::string& numbers) const
    {
      return name.starts_with("random-") && numbers.find(name.back()) != std::string::npos;
    }
  };

  //! H_ij = G_i W_j
  inline void multiplyOut(const FactoredDelassus& factors, Delassus& matrix)
  {
    const std::size_t d = std::size_t(factors.blockSize());
    matrix.clear(int(d));
    for (std::size_t i = 0; i < factors.size(); ++i) {
      matrix.beginRow();
      const auto [dofs, values] = factors.row(i);
      for (std::size_t j = 0; j < factors.size(); ++j) {
        const auto [others, otherValues] = factors.row(j);
        std::vector<double> block(d * d, 0);
        bool coupled = i == j;
        for (std::size_t m = 0; m < dofs.size(); ++m)
          for (std::size_t n = 0; n < others.size(); ++n)
            if (dofs[m] == others[n]) {
              coupled = true;
              for (std::size_t k = 0; k < d; ++k)
                for (std::size_t l = 0; l < d; ++l)
                  block[k * d + l] += values[2 * d * m + k] * otherValues[2 * d * n + d + l];
            }
        if (coupled)
          matrix.add(j, block.data());
      }
    }
  }

  //! All problems of the file, whose first lines say how it is written
  inline std::vector<std::unique_ptr<StoredProblem>> readStoredProblems(const std::string& path)
  {
    std::ifstream in(path);
    while (in.peek() == '#')
      in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    std::vector<std::unique_ptr<StoredProblem>> problems;
    auto problem = std::make_unique<StoredProblem>();
    std::string kind;
    std::size_t d, contacts, dofs;
    while (in >> problem->name >> d >> contacts >> dofs >> kind) {
      std::vector<double> inverseMass(dofs), functional(d), velocity(d);
      if (kind == "diagonal")
        for (double& x : inverseMass)
          in >> x;
      FactoredDelassus& H = problem->factors;
      H.clear(int(d));
      for (std::size_t i = 0; i < contacts; ++i) {
        std::size_t seen, dof;
        in >> problem->friction.emplace_back();
        for (std::size_t k = 0; k < d; ++k)
          in >> problem->b.emplace_back();
        in >> seen;
        H.beginRow();
        for (std::size_t n = 0; n < seen; ++n) {
          in >> dof;
          for (double& x : functional)
            in >> x;
          for (std::size_t k = 0; k < d; ++k)
            if (kind == "diagonal")
              velocity[k] = inverseMass[dof] * functional[k];
            else
              in >> velocity[k];
          for (std::size_t k = 0; k < d; ++k) {
            H.addFunctional(int(k), dof, functional[k]);
            H.addVelocity(int(k), dof, velocity[k]);
          }
        }
        H.endRow();
      }
      if (!in)
        DUNE_THROW(IOError, path << ": " << problem->name << " is not complete");
      multiplyOut(H, problem->matrix);
      problems.push_back(std::move(problem));
      problem = std::make_unique<StoredProblem>();
    }
    return problems;
  }

} // namespace Dune::Impact::Test

#endif
