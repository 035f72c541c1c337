#include "libcore/grad/ops_context.hpp"

#include "libcore/grad/ops_matrix.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::ops_context_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

// Two pixels of two channels; each dimension sees two values.
std::shared_ptr<const ContextTable> small_table() {
  auto table = std::make_shared<ContextTable>();
  table->pixels = 2;
  table->channels = 2;
  table->seen = 2;
  table->places = {ContextTable::outside,
                   ContextTable::later,
                   0,
                   ContextTable::later,
                   ContextTable::outside,
                   0,
                   2,
                   1};
  table->scale = 0.5;
  table->shift = -1;
  table->bright = 3;
  return table;
}

const Input x = {.shape = {2, 4}, .differentiable = false, .values = {0, 1, 2, 3, 3, 0, 1, 2}};

const std::vector<Case> cases = {
    {"with_context",
     {{{3, 2, 2, 5}}, x},
     [](const Vars& in) { return with_context(in[0], in[1], small_table()); }},
    {"with_context of some dimensions",
     {{{2, 2, 2, 3}}, x, {.shape = {2, 3}, .classes = 4}},
     [](const Vars& in) { return with_context(in[0], in[1], small_table(), in[2]); }},
    {"a layer over contexts",
     {{{1, 2, 2, 3}}, x, {{11, 2}}},
     [](const Vars& in) { return linear(with_context(in[0], in[1], small_table()), in[2]); }},
};
const bool listed = gradcheck::list(cases);

std::vector<float> context_of(const std::vector<float>& row, std::int64_t dim) {
  const auto table = small_table();
  std::vector<float> numbers(static_cast<std::size_t>(table->width()));
  table->read(row.data(), dim, numbers.data());
  return numbers;
}

}  // namespace

TEST_CASE("grad: gradients of contexts equal differences") {
  CHECK(listed);
  for (const Case& item : cases) gradcheck::run(item);
}

TEST_CASE("grad: a context has values, marks for 0 and for bright ones, and its channel") {
  using Numbers = std::vector<float>;
  const Numbers row = {0, 1, 3, 2};
  CHECK(context_of(row, 0) == Numbers{-1, 0, 1, 0, 0, 0, 1, 0});
  CHECK(context_of(row, 1) == Numbers{-1, 0, 1, 0, 0, 0, 1, 0});
  CHECK(context_of(row, 2) == Numbers{-1, -1, 1, 1, 0, 0, 0, 1});
  CHECK(context_of(row, 3) == Numbers{0.5, -0.5, 0, 0, 1, 0, 0, 1});
}

}  // namespace logpx::ops_context_test
