// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/scenario/scenariofile.hh>

#include "example.hh"

/* Valid scenarios are damaged at random: bytes, lines, keys, numbers. The reader must accept
 * the result or refuse it by an InputError of one line, and nothing else; what it accepts
 * must survive writing and reading. The seed is fixed, the time is the argument in seconds or
 * DUNE_IMPACT_FUZZ_SECONDS; whatever the time, a number of rounds is always done.
 */

using namespace Dune;
using namespace Dune::Impact;

const KeyTable table = Test::exampleTable();

const std::vector<std::string> seeds = {
  Test::exampleText,
  "dimension=1\n[time]\nmethod=leapfrog\ncourant=0.5\nend=1\n[body.a]\ntype=particle\nmass=1\n["
  "load.p]\nbody=a\nat="
  "3\nforce=t\n",
  "title='a \"b\"\nc'\ndimension=3\ngravity=0 0 "
  "-9.81\n[time]\nmethod=moreau-jean\nstep=0.30000000000000004\nend=0\n[body.s]\ntype=solid\n"
  "young=1e9\ndensity=7800\ncells=2 3 4\nspin=1 2 3\n[load.p]\nbody=s\nat=0 0 1\nforce=free free "
  "max(0,sin(t))\npower=t<1?t:1\n"};

const std::vector<std::string> fragments = {"=",
                                            "#",
                                            "\"",
                                            "'",
                                            "[",
                                            "]",
                                            "[body.x]\n",
                                            ".",
                                            "..",
                                            " ",
                                            "\t",
                                            "\n",
                                            "\r\n",
                                            "-",
                                            "+",
                                            "e",
                                            "nan",
                                            "inf",
                                            "1e400",
                                            "1e-400",
                                            "0.30000000000000004",
                                            "0",
                                            "-0",
                                            "1e-320",
                                            "0x1",
                                            "1_0",
                                            "t",
                                            "?",
                                            ":",
                                            "(",
                                            ")",
                                            ",",
                                            "free",
                                            "type = rod\n",
                                            "mass = 3\n",
                                            "\xc3\xa4",
                                            "\xff",
                                            std::string(1, '\0'),
                                            "title = \"\n",
                                            "99999999999999999999",
                                            "body",
                                            "ball",
                                            "yes",
                                            "title = 'x # y'\n",
                                            "[]\n",
                                            "\xef\xbb\xbf"};

class Mutator
{
public:
  std::string next()
  {
    auto text = seeds[below(seeds.size())];
    for (auto count = 1 + below(4); count > 0; --count)
      mutate(text);
    return text;
  }

private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  // Begin and length of a random line, with its end
  std::pair<std::size_t, std::size_t> line(const std::string& text)
  {
    const auto middle = below(text.size());
    const auto before = middle == 0 ? text.npos : text.rfind('\n', middle - 1);
    const auto begin = before == text.npos ? 0 : before + 1;
    const auto end = std::min(text.find('\n', begin), text.size() - 1);
    return {begin, text.empty() ? 0 : end + 1 - begin};
  }

  void mutate(std::string& text)
  {
    const auto position = below(text.size() + 1);
    const auto [begin, length] = line(text);
    const auto copy = text.substr(begin, length);
    switch (below(8)) {
    case 0:
      text.insert(position, fragments[below(fragments.size())]);
      break;
    case 1:
      text.erase(position, 1 + below(5));
      break;
    case 2:
      text.insert(position, 1, static_cast<char>(below(256)));
      break;
    case 3:
      text.erase(begin, length);
      break;
    case 4:
      text.insert(line(text).first, copy);
      break;
    case 5:
      swapWord(text);
      break;
    case 6:
      changeDigit(text, position);
      break;
    case 7:
      replaceValue(text, begin, length);
      break;
    }
  }

  // Two letters of a name change places
  void swapWord(std::string& text)
  {
    if (const auto i = below(text.size()); i + 1 < text.size())
      std::swap(text[i], text[i + 1]);
  }

  void changeDigit(std::string& text, std::size_t position)
  {
    if (const auto digit = text.find_first_of("0123456789", position); digit != text.npos)
      text[digit] = static_cast<char>('0' + below(10));
  }

  void replaceValue(std::string& text, std::size_t begin, std::size_t length)
  {
    if (const auto equal = text.find('=', begin); equal < begin + length)
      text.replace(equal + 1, begin + length - equal - 1,
                   fragments[below(fragments.size())] + "\n");
  }

  std::mt19937_64 random_{20240229};
};

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void checkRoundTrip(TestSuite& test, const ScenarioFile& file, const std::vector<double>& numbers,
                    const std::string& text)
{
  std::ostringstream first, second;
  file.writeEffective(first);
  const ScenarioFile again(IniFile::parse(first.str(), "F.ini"), table);
  const auto same = sameBits(Test::readExample(again), numbers);
  again.writeEffective(second);
  test.check(same, "same numbers after a round trip") << text;
  test.check(first.str() == second.str(), "same text after a round trip") << text << "\n---\n"
                                                                          << first.str();
  test.check(file.hash() == again.hash(), "same hash after a round trip") << text;
}

// Returns whether the text was accepted
bool checkOne(TestSuite& test, const std::string& text)
{
  bool accepted = false;
  try {
    const ScenarioFile file(IniFile::parse(text, "F.ini"), table);
    const auto numbers = Test::readExample(file);
    accepted = true;
    checkRoundTrip(test, file, numbers, text);
  }
  catch (const InputError& error) {
    const std::string message = error.what();
    test.check(!accepted, "the effective scenario is refused") << message << "\n" << text;
    test.check(message.starts_with("F.ini: ") && message.size() > 8, "begins with the file")
      << message;
    test.check(message.find_first_of("\n\r\t\x1b") == message.npos, "one line") << message;
  }
  catch (const std::exception& error) {
    test.check(false, "an exception that is not for the user") << error.what() << "\n" << text;
  }
  return accepted;
}

double secondsToRun(int argc, char** argv)
{
  const char* text = argc > 1 ? argv[1] : std::getenv("DUNE_IMPACT_FUZZ_SECONDS");
  return text ? parseReal(text).value_or(10) : 10;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(secondsToRun(argc, argv));
  Mutator mutator;
  long rounds = 0, accepted = 0;
  double slowest = 0;
  for (const auto& seed : seeds)
    test.check(checkOne(test, seed), "the seeds are valid") << seed;
  for (; rounds < 1000 || Clock::now() < end; ++rounds) {
    const auto begin = Clock::now();
    accepted += checkOne(test, mutator.next());
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::cout << rounds << " texts, " << accepted << " accepted, slowest " << slowest << " s"
            << std::endl;
  test.check(20 * accepted > rounds && accepted < rounds, "both answers occur")
    << accepted << " of " << rounds;
  test.check(slowest < 5, "no text takes long") << slowest << " s";
  return test.exit();
}
