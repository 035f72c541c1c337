// The checker itself: it finds planted mistakes, and no op escapes it.
#include "libcore/grad/ops_pointwise.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace logpx::gradcheck_test {
namespace {

enum class Plant { nothing, wrong_factor, wrong_element, ignores_accumulate, needs_luck };

// x^2 with a mistake in its backward.
struct Planted final : TypedOp<Planted> {
  Plant plant;
  explicit Planted(Plant p) : plant(p) {}
  const char* name() const override { return "planted"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  Keeps keeps() const override { return {.inputs = plant == Plant::needs_luck ? 0u : 1u}; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for (std::int64_t i = 0; i < f.out().size(); ++i) f.out()[i] = f.in(0)[i] * f.in(0)[i];
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (plant == Plant::ignores_accumulate) {
      for (std::int64_t i = 0; i < f.in(0).size(); ++i)
        f.gradient(0)[i] = 2 * f.in(0)[i] * f.upstream()[i];
      return;
    }
    f.add_gradient(0, [&](std::int64_t i) {
      const T slope = plant == Plant::wrong_factor ? T(2.00001) : T(2);
      const std::int64_t from = plant == Plant::wrong_element && i == 3 ? 2 : i;
      return slope * f.in(0)[from] * f.upstream()[i];
    });
  }
};

std::string found(Plant plant, Shape shape) {
  return gradcheck::trouble({"planted", {{shape}}, [plant](const std::vector<Var>& in) {
                               const Var moved = in[0] + 0.5;
                               return moved.graph().apply(std::make_unique<Planted>(plant),
                                                          {moved});
                             }});
}

}  // namespace

TEST_CASE("gradcheck: passes a right backward and fails planted mistakes") {
  CHECK(found(Plant::nothing, {7}) == "");
  CHECK(found(Plant::nothing, {23, 31}) == "");
  CHECK(found(Plant::wrong_factor, {7}).find("double gradient") == 0);
  CHECK(found(Plant::wrong_factor, {23, 31}) != "");
  CHECK(found(Plant::wrong_element, {7}) != "");
}

TEST_CASE("gradcheck: fails a backward that forgets earlier sums") {
  const gradcheck::Case item{"planted", {{{5}}}, [](const std::vector<Var>& in) {
                               return in[0].graph().apply(
                                   std::make_unique<Planted>(Plant::ignores_accumulate), {in[0]});
                             }};
  CHECK(gradcheck::trouble(item).find("two uses") != std::string::npos);
}

TEST_CASE("gradcheck: fails linearity of what is not linear") {
  gradcheck::Case item{"square", {{{5}}}, [](const std::vector<Var>& in) { return square(in[0]); }};
  CHECK(gradcheck::trouble(item) == "");
  item.options.linear_in = {0};
  CHECK(gradcheck::trouble(item).find("<J v, u>") == 0);
}

TEST_CASE("gradcheck: every op of the library has a check") {
  const std::set<std::string> checked = gradcheck::names_checked();
  const std::set<std::string> existing = gradcheck::names_in_sources();
  CHECK(existing.size() > 30);
  for (const std::string& name : existing) {
    CAPTURE(name);
    CHECK(checked.count(name) == 1);
  }
  for (const std::string& name : checked) {
    CAPTURE(name);
    CHECK(existing.count(name) == 1);
  }
}

}  // namespace logpx::gradcheck_test
