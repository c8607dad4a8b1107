// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/io/file.hh>
#include <dune/impact/io/html/animation.hh>
#include <dune/impact/io/html/report.hh>
#include <dune/impact/io/html/reportfiles.hh>
#include <dune/impact/io/markup.hh>

namespace Dune::Impact {

  namespace {

    using Json = nlohmann::ordered_json;

    //! Most points of a curve
    constexpr std::size_t mostRows = 4000;

    std::string base64(std::string_view bytes)
    {
      constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      std::string text;
      text.reserve((bytes.size() + 2) / 3 * 4);
      for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
          group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k)
          text += k <= n ? letters[group >> (18 - 6 * k) & 63] : '=';
      }
      return text;
    }

    // The page reads numbers with the least byte first.
    static_assert(std::endian::native == std::endian::little);

    template<class T>
    std::string bytesOf(const std::vector<T>& values)
    {
      return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    }

    //! The columns of history.csv
    struct Table
    {
      std::vector<std::string> names;
      std::vector<std::vector<double>> columns;
    };

    //! Every history begins with these
    void requireColumns(const std::filesystem::path& file, const Table& table)
    {
      constexpr std::array<std::string_view, 7> first = {
        "step", "time", "kinetic", "elastic", "potential", "contact_energy", "total"};
      if (table.names.size() < first.size() ||
          !std::equal(first.begin(), first.end(), table.names.begin()))
        throw InputError(fmt::format("{}: is not the history of a run, which begins with {}",
                                     file.string(), fmt::join(first, ",")));
    }

    Table readTable(const std::filesystem::path& file)
    {
      Table table;
      const std::string text = readFile(file);
      std::size_t begin = 0;
      for (std::size_t line = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::size_t column = 0;
        for (std::size_t at = begin; at <= end; ++column) {
          const std::size_t next = std::min(text.find(',', at), end);
          if (line == 0) {
            table.names.emplace_back(text, at, next - at);
            table.columns.emplace_back();
          }
          else {
            double value = std::numeric_limits<double>::quiet_NaN();
            const auto [stop, error] = std::from_chars(text.data() + at, text.data() + next, value);
            if (column >= table.columns.size() || error != std::errc() ||
                stop != text.data() + next)
              throw InputError(fmt::format("{}: line {} is damaged", file.string(), line + 1));
            table.columns[column].push_back(value);
          }
          at = next + 1;
        }
        if (column != table.columns.size())
          throw InputError(fmt::format("{}: line {} is damaged", file.string(), line + 1));
        if (line == 0)
          requireColumns(file, table);
        begin = end + 1;
      }
      if (table.columns.empty() || table.columns[0].empty())
        throw InputError(
          fmt::format("{}: is not the history of a run, it has no rows", file.string()));
      return table;
    }

    /* Of a long table, intervals of rows with the least and the largest value of each column, in
     * the order in which they occur, at the first and the last time of the interval; all rows of a
     * short one */
    Table thinned(const Table& table)
    {
      const std::size_t rows = table.columns.empty() ? 0 : table.columns[0].size();
      if (rows <= mostRows)
        return table;
      Table result{table.names, std::vector<std::vector<double>>(table.names.size())};
      const std::size_t intervals = mostRows / 2;
      for (std::size_t k = 0; k < intervals; ++k) {
        const std::size_t begin = k * rows / intervals, end = (k + 1) * rows / intervals;
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
          const auto& column = table.columns[c];
          std::size_t least = begin, largest = begin;
          for (std::size_t i = begin; i < end; ++i) {
            if (column[i] < column[least])
              least = i;
            if (column[i] > column[largest])
              largest = i;
          }
          const bool isTime = table.names[c] == "time" || table.names[c] == "step";
          result.columns[c].push_back(column[isTime ? begin : std::min(least, largest)]);
          result.columns[c].push_back(column[isTime ? end - 1 : std::max(least, largest)]);
        }
      }
      return result;
    }

    //! A column by its name, or null
    const std::vector<double>* column(const Table& table, std::string_view name)
    {
      const auto found = std::find(table.names.begin(), table.names.end(), name);
      return found == table.names.end() ? nullptr : &table.columns[found - table.names.begin()];
    }

    /* What is plotted in addition to the columns:
     *
     *     energy_error = (total + dissipated - external_work - E0) / max (kinetic + elastic),
     *     force = impulse / length of the step
     *
     * The error has the scale of energy_error_max in the summary; without motion it is not scaled.
     * The first row of staggered methods is a state of another kind, to which E0 does not belong.
     */
    void addEnergyError(Table& table, double initialEnergy)
    {
      const auto *total = column(table, "total"), *dissipated = column(table, "dissipated"),
                 *work = column(table, "external_work"), *kinetic = column(table, "kinetic"),
                 *elastic = column(table, "elastic");
      if (total && dissipated && work && kinetic && elastic) {
        std::vector<double> error(total->size());
        double scale = 0;
        for (std::size_t i = 0; i < error.size(); ++i)
          scale = std::max(scale, (*kinetic)[i] + (*elastic)[i]);
        for (std::size_t i = 0; i < error.size(); ++i)
          error[i] =
            ((*total)[i] + (*dissipated)[i] - (*work)[i] - initialEnergy) / (scale > 0 ? scale : 1);
        if (!error.empty() && error[0] != 0)
          error[0] = std::numeric_limits<double>::quiet_NaN();
        table.names.push_back("energy_error");
        table.columns.push_back(std::move(error));
      }
    }

    void addForces(Table& table)
    {
      for (const std::string axis : {"x", "y", "z"}) {
        const auto *time = column(table, "time"), *step = column(table, "step"),
                   *impulse = column(table, "impulse_" + axis);
        if (!time || !step || !impulse)
          continue;
        std::vector<double> force(impulse->size(), 0);
        for (std::size_t i = 1; i < force.size(); ++i)
          force[i] = (*impulse)[i] * ((*step)[i] - (*step)[i - 1]) / ((*time)[i] - (*time)[i - 1]);
        table.names.push_back("force_" + axis);
        table.columns.push_back(std::move(force));
      }
    }

    //! Eight digits are enough for a plot; what is not a number is null
    Json numbers(const std::vector<double>& values)
    {
      Json list = Json::array();
      for (double value : values)
        list.push_back(std::isfinite(value) ? Json(std::stod(fmt::format("{:.8g}", value)))
                                            : Json(nullptr));
      return list;
    }

    Json historyJson(const Table& table)
    {
      Json json = Json::object();
      for (std::size_t c = 0; c < table.names.size(); ++c)
        json[table.names[c]] = numbers(table.columns[c]);
      return json;
    }

    /* Coordinates become 16 bits within the box of all frames, fields 8 bits between zero, or their
     * least value if that is negative, and their largest value. */
    class Packer
    {
    public:
      explicit Packer(const Animation& film) : film_(film)
      {
        low_.fill(std::numeric_limits<double>::infinity());
        high_.fill(-std::numeric_limits<double>::infinity());
        for (const auto& frame : film.frames())
          forParts(frame, [&](const Animation::Part& part, const float* x) {
            for (std::size_t i = 0; i < part.points; ++i)
              for (int c = 0; c < 3; ++c) {
                low_[c] = std::min(low_[c], double(x[3 * i + c]));
                high_[c] = std::max(high_[c], double(x[3 * i + c]));
              }
            for (std::size_t f = 0; f < part.fields.size(); ++f) {
              auto& [low, high] = range_.try_emplace(part.fields[f], 0, 0).first->second;
              for (std::size_t i = 0; i < part.points; ++i) {
                const double value = x[(3 + f) * part.points + i];
                low = std::min(low, value);
                high = std::max(high, value);
              }
            }
          });
        for (int c = 0; c < 3; ++c)
          if (!(low_[c] <= high_[c]))
            low_[c] = high_[c] = 0;
      }

      Json pack() const
      {
        std::vector<std::uint16_t> positions;
        std::vector<std::uint8_t> fields;
        Json times = Json::array(), steps = Json::array(), parts = Json::array(),
             ranges = Json::object();
        for (const auto& frame : film_.frames()) {
          times.push_back(frame.time);
          steps.push_back(frame.step);
          forParts(frame, [&](const Animation::Part& part, const float* x) {
            for (std::size_t i = 0; i < 3 * part.points; ++i)
              positions.push_back(
                std::uint16_t(std::lround(65535 * fraction(x[i], low_[i % 3], high_[i % 3]))));
            for (std::size_t f = 0; f < part.fields.size(); ++f) {
              const auto& [low, high] = range_.at(part.fields[f]);
              for (std::size_t i = 0; i < part.points; ++i)
                fields.push_back(std::uint8_t(
                  std::lround(255 * fraction(x[(3 + f) * part.points + i], low, high))));
            }
          });
        }
        for (const auto& part : film_.parts())
          parts.push_back({{"name", part.name},
                           {"kind", kindName(part.kind)},
                           {"points", part.points},
                           {"fields", part.fields},
                           {"radius", part.radius},
                           {"triangles", bytesOf(part.triangles)},
                           {"lines", bytesOf(part.lines)},
                           {"vertices", bytesOf(part.vertices)}});
        for (const auto& [name, range] : range_)
          ranges[name] = {range.first, range.second};
        return {{"dimension", film_.dimension()},
                {"low", low_},
                {"high", high_},
                {"times", times},
                {"steps", steps},
                {"parts", parts},
                {"ranges", ranges},
                {"positions", bytesOf(positions)},
                {"values", bytesOf(fields)}};
      }

    private:
      static double fraction(double x, double low, double high)
      {
        return high > low && std::isfinite(x) ? std::clamp((x - low) / (high - low), 0.0, 1.0) : 0;
      }

      static const char* kindName(Animation::Kind kind)
      {
        return kind == Animation::Kind::body      ? "body"
               : kind == Animation::Kind::contact ? "contact"
                                                  : "obstacle";
      }

      template<class F>
      void forParts(const Animation::Frame& frame, F&& f) const
      {
        const float* at = frame.numbers.data();
        for (const auto& part : film_.parts()) {
          f(part, at);
          at += part.size();
        }
      }

      const Animation& film_;
      std::array<double, 3> low_, high_;
      std::map<std::string, std::pair<double, double>> range_;
    };

    //! JSON inside a script element must not end it
    std::string scriptText(const Json& json)
    {
      std::string text;
      for (char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        if (c == '<')
          text += "\\u003c";
        else
          text += c;
      return text;
    }

    //! Replace names in @ signs; what is put in is not looked at again
    std::string filled(std::string_view page,
                       const std::map<std::string, std::string, std::less<>>& values)
    {
      std::string result;
      for (std::size_t at = 0; at < page.size();) {
        const std::size_t begin = page.find('@', at),
                          end = begin == page.npos ? begin : page.find('@', begin + 1);
        const auto value =
          end == page.npos ? values.end() : values.find(page.substr(begin + 1, end - begin - 1));
        if (value == values.end()) {
          const std::size_t stop = begin == page.npos ? page.size() : begin + 1;
          result += page.substr(at, stop - at);
          at = stop;
          continue;
        }
        result += page.substr(at, begin - at);
        result += value->second;
        at = end + 1;
      }
      return result;
    }

    Json readSummary(const std::filesystem::path& file)
    {
      const Json summary = Json::parse(readFile(file), nullptr, false);
      if (!summary.is_object())
        throw InputError(fmt::format("{}: is damaged", file.string()));
      return summary;
    }

  } // namespace

  void writeReport(const std::filesystem::path& directory)
  {
    if (!std::filesystem::exists(directory / "summary.json") ||
        !std::filesystem::exists(directory / "history.csv"))
      throw InputError(
        fmt::format("{}: there are no results of a run in this folder", directory.string()));
    const Json summary = readSummary(directory / "summary.json");
    Table history = readTable(directory / "history.csv");
    addEnergyError(history, summary.value("energy_initial", 0.0));
    addForces(history);
    Json data = {{"summary", summary},
                 {"rows", history.columns.empty() ? 0 : history.columns[0].size()},
                 {"history", historyJson(thinned(history))},
                 {"film", nullptr}};
    if (std::filesystem::exists(directory / "film.h5")) {
      const Animation film = Animation::load(directory / "film.h5");
      data["film"] = Packer(film).pack();
    }
    const std::string title = summary.contains("title") && summary["title"].is_string() &&
                                  !summary["title"].get<std::string>().empty()
                                ? summary["title"].get<std::string>()
                                : directory.filename().string();
    const auto scenario = directory / "scenario.ini";
    replaceFile(
      directory / "report.html",
      filled(ReportFiles::page,
             {{"title", markupText(title)},
              {"scenario", markupText(std::filesystem::exists(scenario) ? readFile(scenario) : "")},
              {"style",
               std::string(ReportFiles::dygraphsStyle) + "\n" + std::string(ReportFiles::style)},
              {"dygraphs", std::string(ReportFiles::dygraphs)},
              {"three",
               std::string(ReportFiles::three) + "\n" + std::string(ReportFiles::orbitControls)},
              {"data", scriptText(data)},
              {"script", std::string(ReportFiles::script)}}));
  }

} // namespace Dune::Impact
