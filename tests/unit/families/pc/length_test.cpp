// How many steps tables train when no option says so.
#include "libcore/base/fields.hpp"
#include "libcore/families/pc/family.hpp"

#include <doctest/doctest.h>

namespace logpx::length_test {

using namespace logpx::pc;

namespace {

// Two columns; the first determines the second.
HeldRows table(std::int64_t rows) {
  HeldRows held;
  held.info.name = "table";
  held.info.content = Content::symbols;
  held.info.shape = {2};
  held.info.n = rows;
  held.info.levels = 3;
  held.info.column_names = {"colour", "size"};
  held.rows.count = rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    held.rows.x.push_back(std::byte(row % 3));
    held.rows.x.push_back(std::byte(row % 3 == 0 ? 1 : 0));
  }
  return held;
}

// The steps chosen for a table when only this option is given.
std::optional<std::int64_t> steps_for(const TaskData& data, int threads,
                                      const std::string& said = {}) {
  Settings settings;
  settings.model.structure = "hclt";
  settings.model.hidden = 4;
  Fields given;
  settings.describe(given);
  if (!said.empty()) given.set(said, Origin::option);
  Workers workers(threads);
  return make_trainee(settings, data, Rng(3), {.workers = workers, .given = &given}).options.steps;
}

}  // namespace

TEST_CASE("pc: a small table trains for as long as rows held back gain by it") {
  const HeldRows held = table(90);
  const std::optional<std::int64_t> steps = steps_for({.train = held.examples()}, 1);
  REQUIRE(steps.has_value());
  CHECK(*steps > 5);
  CHECK(*steps % 5 == 0);
  CHECK(*steps <= 640);
  CHECK(steps_for({.train = held.examples()}, 3) == steps);
}

TEST_CASE("pc: validation rows judge how long a table trains; rows like no others stop it") {
  const HeldRows held = table(90);
  HeldRows others = table(30);
  for (std::size_t i = 1; i < others.rows.x.size(); i += 2)
    others.rows.x[i] = std::byte{1} ^ others.rows.x[i];
  TaskData alike{.train = held.examples()}, unlike{.train = held.examples()};
  alike.valid.emplace(held.examples());
  unlike.valid.emplace(others.examples());
  CHECK(steps_for(alike, 1).value_or(0) > 5);
  CHECK(steps_for(unlike, 1) == 5);
}

TEST_CASE("pc: a length that is asked for, or very few rows, leave nothing to choose") {
  const HeldRows held = table(90), few = table(9);
  for (const char* said : {"epochs=5", "steps=7", "samples_seen=90", "max_seconds=60s"}) {
    const auto steps = steps_for({.train = held.examples()}, 1, said);
    CHECK((!steps || *steps == 7));
  }
  CHECK(!steps_for({.train = few.examples()}, 1));
}

}  // namespace logpx::length_test
