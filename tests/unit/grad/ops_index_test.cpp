#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_index.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <string>

namespace logpx::ops_index_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

std::vector<Case> gather_cases() {
  const Input index{.shape = {2, 3}, .classes = 5};
  return {{"embedding",
           {{{5, 3}}, index},
           [](const Vars& in) { return embedding(in[0], in[1]); },
           {.linear_in = {0}}},
          {"embedding of numbers",
           {{{5}}, index},
           [](const Vars& in) { return embedding(in[0], in[1]); }},
          {"one_hot",
           {index},
           [](const Vars& in) { return one_hot(in[0], 5); },
           {.gradient_stops = true}},
          {"take_along",
           {{{2, 5}}, index},
           [](const Vars& in) { return take_along(in[0], in[1]); },
           {.linear_in = {0}}}};
}

std::vector<Case> layout_cases() {
  std::vector<Case> cases = {
      {"slice of rows",
       {{{5, 3}}},
       [](const Vars& in) { return slice(in[0], 0, 1, 4); },
       {.linear_in = {0}}},
      {"slice of an axis inside",
       {{{2, 5, 3}}},
       [](const Vars& in) { return slice(in[0], 1, 2, 3); },
       {.linear_in = {0}}},
      {"concat of a split",
       {{{2, 5, 3}}},
       [](const Vars& in) {
         const auto parts = split(in[0], 1, {1, 3, 1});
         return concat({parts[2], parts[0], parts[1]}, 1);
       },
       {.linear_in = {0}}},
      {"concat",
       {{{2, 1}}, {{2, 4}}, {{2, 2}}},
       [](const Vars& in) { return concat(in, -1); },
       {.linear_in = {0, 1, 2}}},
      {"concat with itself",
       {{{2, 3}}},
       [](const Vars& in) {
         return concat({in[0], in[0]}, 0);
       },
       {.linear_in = {0}}},
      {"repeat",
       {{{2, 3}}},
       [](const Vars& in) { return repeat(in[0], 1, 4); },
       {.linear_in = {0}}},
      {"repeat_rows", {{{2, 3}}}, [](const Vars& in) { return repeat_rows(in[0], 3); }},
      {"tile", {{{2, 3}}}, [](const Vars& in) { return tile(in[0], 0, 4); }, {.linear_in = {0}}},
      {"flip", {{{2, 3, 2}}}, [](const Vars& in) { return flip(in[0], 1); }, {.linear_in = {0}}},
      {"triangular_unpack",
       {{{2, 6, 3}}},
       [](const Vars& in) { return triangular_unpack(in[0], 4); },
       {.linear_in = {0}}},
      {"triangular_pack",
       {{{2, 4, 4, 3}}},
       [](const Vars& in) { return triangular_pack(in[0]); },
       {.linear_in = {0}}},
      {"triangular_pack of one node",
       {{{2, 1, 1, 3}}, {{2}}},
       [](const Vars& in) {
         return concat({triangular_pack(in[0]).reshape({0}), in[1]}, 0);
       }},
  };
  const std::vector<std::vector<int>> orders = {
      {0, 1, 2}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
  for (const auto& order : orders)
    cases.push_back({"permute",
                     {{{2, 3, 5}}},
                     [order](const Vars& in) { return permute(in[0], order); },
                     {.linear_in = {0}}});
  cases.push_back({"permute of five axes", {{{2, 3, 1, 2, 3}}}, [](const Vars& in) {
                     return permute(in[0], {3, 0, 4, 2, 1});
                   }});
  return cases;
}

const std::vector<Case> gathers = gather_cases(), layouts = layout_cases();
const bool listed = gradcheck::list(gathers) && gradcheck::list(layouts);

// The result of `build` on 0, 1, 2 ...
std::vector<double> on_numbers(Shape shape, const std::function<Var(Var)>& build) {
  Graph graph(Precision::f64);
  graph.output("y", build(graph.input("x", shape)));
  std::vector<double> x(static_cast<std::size_t>(shape.elements()));
  std::iota(x.begin(), x.end(), 0.0);
  Executor<double> executor(graph, {});
  executor.bind("x", x);
  executor.forward();
  const auto y = executor.output("y").span();
  return {y.begin(), y.end()};
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("grad: gathers and layouts agree with differences") {
  for (const auto* cases : {&gathers, &layouts})
    for (const Case& item : *cases) gradcheck::run(item);
}

TEST_CASE("grad: layouts put every element in its place") {
  CHECK(on_numbers({2, 3}, [](Var x) { return permute(x, {1, 0}); }) == Numbers{0, 3, 1, 4, 2, 5});
  CHECK(on_numbers({2, 2}, [](Var x) { return repeat(x, 0, 2); }) ==
        Numbers{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(on_numbers({2, 2}, [](Var x) { return tile(x, 0, 2); }) == Numbers{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(on_numbers({4}, [](Var x) { return flip(x, -1); }) == Numbers{3, 2, 1, 0});
  CHECK(on_numbers({1, 3, 1}, [](Var x) { return triangular_unpack(x, 3); }) ==
        Numbers{0, 0, 1, 0, 0, 2, 1, 2, 0});
  CHECK(on_numbers({1, 3, 3, 1}, [](Var x) { return triangular_pack(x); }) == Numbers{1, 2, 5});
  CHECK(on_numbers({2, 3}, [](Var x) {
          return concat({slice(x, 1, 2, 3), x}, 1);
        }) == Numbers{2, 0, 1, 2, 5, 3, 4, 5});
}

TEST_CASE("grad: packing undoes unpacking for any number of nodes") {
  for (const std::int64_t n : {1, 2, 3, 7}) {
    const Shape pairs{2, n * (n - 1) / 2, 3};
    const Numbers there_and_back =
        on_numbers(pairs, [n](Var x) { return triangular_pack(triangular_unpack(x, n)); });
    CHECK(there_and_back == on_numbers(pairs, [](Var x) { return x; }));
  }
}

TEST_CASE("grad: cuts that do not fit are refused with the shape") {
  Graph graph;
  const Var x = graph.input("x", {2, 3});
  const auto message = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message([&] { (void)slice(x, 1, 2, 4); }).find("[2,3]: no entries 2 to 4") !=
        std::string::npos);
  CHECK(message([&] {
          (void)concat({x, graph.input("z", {3, 3})}, 1);
        }).find("[2,3] x [3,3]: axes other than 1 differ") != std::string::npos);
  CHECK(message([&] { (void)permute(x, {0, 0}); }) != "");
  CHECK(message([&] { (void)split(x, 1, {1, 1}); }) != "");
  CHECK(message([&] { (void)flip(x, 2); }) != "");
}

}  // namespace logpx::ops_index_test
