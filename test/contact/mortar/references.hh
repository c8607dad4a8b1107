// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_CONTACT_MORTAR_REFERENCES_HH
#define DUNE_IMPACT_TEST_CONTACT_MORTAR_REFERENCES_HH

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dune/common/fvector.hh>

/** \file
 * \brief Records of numbers from a file: `name count` and then the numbers; # begins a comment line
 */
class References
{
public:
  using Vector = Dune::FieldVector<double, 3>;

  explicit References(const std::string& fileName)
  {
    std::ifstream file(fileName);
    std::stringstream text;
    for (std::string line; std::getline(file, line);)
      if (!line.starts_with('#'))
        text << line << '\n';
    std::string name;
    for (std::size_t count; text >> name >> count;) {
      auto& record = records_[name];
      record.resize(count);
      for (double& x : record)
        text >> x;
    }
    if (records_.empty() || !text.eof())
      throw std::runtime_error("cannot read " + fileName);
  }

  const std::vector<double>& operator[](const std::string& name) const { return records_.at(name); }

  //! Numbers taken by three
  std::vector<Vector> vectors(const std::string& name) const
  {
    const auto& record = (*this)[name];
    std::vector<Vector> result;
    for (std::size_t i = 0; i + 2 < record.size(); i += 3)
      result.push_back({record[i], record[i + 1], record[i + 2]});
    return result;
  }

private:
  std::map<std::string, std::vector<double>> records_;
};

#endif
