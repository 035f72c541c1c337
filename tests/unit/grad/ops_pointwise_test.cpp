#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/repeatable.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::ops_pointwise_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

std::vector<Case> unary_cases() {
  const auto over = [](std::string name, Input input, Var (*op)(Var)) {
    return Case{std::move(name), {std::move(input)}, [op](const Vars& in) { return op(in[0]); }};
  };
  std::vector<Case> cases = {
      over("abs", {{3, 7}, -2, 2, {0}}, abs),
      over("square", {{17}}, square),
      over("sqrt", {{5, 3}, 0.1, 4}, sqrt),
      over("exp", {{5, 3}}, exp),
      over("expm1", {{5, 3}, -6, 1}, expm1),
      over("log", {{5, 3}, 0.1, 4}, log),
      over("log1p", {{5, 3}, -0.8, 4}, log1p),
      over("sin", {{5, 3}, -9, 9}, sin),
      over("cos", {{5, 3}, -9, 9}, cos),
      over("erf", {{5, 3}}, erf),
      over("lgamma", {{5, 3}, 0.1, 20}, lgamma),
      over("tanh", {{5, 3}}, tanh),
      over("sigmoid", {{5, 3}, -6, 6}, sigmoid),
      over("log_sigmoid", {{5, 3}, -30, 8}, log_sigmoid),
      over("softplus", {{5, 3}, -8, 30}, softplus),
      over("relu", {{5, 3}, -2, 2, {0}}, relu),
      over("silu", {{5, 3}, -6, 6}, silu),
      over("gelu_erf", {{5, 3}, -4, 4}, gelu_erf),
      over("gelu_tanh", {{5, 3}, -4, 4}, gelu_tanh),
      over("one element", {{}}, square),
      over("more than a block", {{1031}, -4, 4}, gelu_erf),
  };
  cases.push_back({"pow", {{{11}, 0.2, 3}}, [](const Vars& in) { return pow(in[0], -1.5); }});
  cases.push_back({"pow of negatives", {{{11}}}, [](const Vars& in) { return pow(in[0], 3); }});
  cases.push_back({"affine", {{{11}}}, [](const Vars& in) { return 3 - in[0] * 2; }});
  cases.push_back(
      {"leaky_relu", {{{11}, -2, 2, {0}}}, [](const Vars& in) { return leaky_relu(in[0], 0.1); }});
  cases.push_back({"elu", {{{11}, -2, 2, {0}}}, [](const Vars& in) { return elu(in[0], 0.7); }});
  cases.push_back(
      {"clamp", {{{13}, -2, 2, {-1, 0.5}}}, [](const Vars& in) { return clamp(in[0], -1, 0.5); }});
  cases.push_back({"smooth_clamp", {{{13}, -20, 20}}, [](const Vars& in) {
                     return smooth_clamp(in[0], -7, 7);
                   }});
  return cases;
}

using Binary = Var (*)(Var, Var);

std::vector<Case> binary_cases() {
  const std::vector<std::pair<Shape, Shape>> shapes = {{{4, 5}, {4, 5}},
                                                       {{}, {}},
                                                       {{2, 3, 2, 2}, {3, 1, 1}},
                                                       {{2, 3, 2, 2}, {2, 3, 1, 1}},
                                                       {{4, 1}, {1, 5}},
                                                       {{}, {3, 2}},
                                                       {{3, 2}, {}},
                                                       {{5}, {3, 5}},
                                                       {{2, 1, 3}, {4, 3}},
                                                       {{2, 3, 1, 5, 1}, {3, 4, 1, 2}}};
  const std::vector<std::pair<std::string, Binary>> ops = {
      {"add", add},       {"subtract", subtract}, {"multiply", multiply},
      {"divide", divide}, {"minimum", minimum},   {"maximum", maximum}};
  std::vector<Case> cases;
  for (const auto& [name, op] : ops)
    for (const auto& [a, b] : shapes) {
      Case item{name + " " + a.text() + " " + b.text(),
                {{a, 0.5, 3}, {b, 0.5, 3}},
                [op = op](const Vars& in) { return op(in[0], in[1]); }};
      if (name == "add" || name == "multiply") item.options.linear_in = {0, 1};
      cases.push_back(std::move(item));
    }
  for (const Shape& b : {Shape{4, 5}, Shape{5}, Shape{4, 1}, Shape{}})
    cases.push_back({"where",
                     {Input{.shape = {4, 5},
                            .classes = 0,
                            .differentiable = false,
                            .values = {1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1}},
                      {{4, 5}},
                      {b}},
                     [](const Vars& in) { return where(in[0], in[1], in[2]); },
                     {.linear_in = {1, 2}}});
  cases.push_back({"x * x", {{{7}}}, [](const Vars& in) { return in[0] * in[0]; }});
  return cases;
}

const std::vector<Case> unary = unary_cases(), binary = binary_cases();
const bool listed = gradcheck::list(unary) && gradcheck::list(binary);

std::string message_of(Var (*op)(Var, Var), const Shape& a, const Shape& b) {
  Graph graph;
  const Graph::Scope scope(graph, "mixer");
  try {
    (void)op(graph.input("a", a), graph.input("b", b));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("grad: functions of one element agree with differences") {
  for (const Case& item : unary) gradcheck::run(item);
}

TEST_CASE("grad: functions of two elements agree with differences in every broadcast") {
  for (const Case& item : binary) gradcheck::run(item);
}

TEST_CASE("grad: shapes that do not broadcast are refused with layer, shapes and sizes") {
  const std::string text = message_of(add, {3, 4}, {3, 5});
  CHECK(text.find("mixer/add") != std::string::npos);
  CHECK(text.find("[3,4] against [3,5]: 4 vs 5") != std::string::npos);
  CHECK(message_of(multiply, {2, 3}, {3}) == "");
}

TEST_CASE("grad: repeatable gates round once, as ops and as fused activations") {
  struct Gate {
    Var (*op)(Var);
    Activation fused;
    double (*opens)(double);
  };
  std::vector<float> x(1031);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -9 + 0.0175F * static_cast<float>(i);
  for (const Gate& gate : {Gate{silu, Activation::silu, det_sigmoid},
                           Gate{gelu_erf, Activation::gelu_erf, det_ndtr}}) {
    std::vector<float> once(x.size()), fused(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      once[i] =
          static_cast<float>(static_cast<double>(x[i]) * gate.opens(static_cast<double>(x[i])));
    Graph graph;
    graph.output("y", gate.op(graph.input("x", {static_cast<std::int64_t>(x.size())})));
    Executor<float> run(graph, {});
    run.bind("x", x);
    const RepeatableFunctions repeatable;
    run.forward();
    activate(gate.fused, x, fused);
    const auto y = run.output("y").span();
    CHECK(std::vector<float>(y.begin(), y.end()) == once);
    CHECK(fused == once);
  }
}

}  // namespace logpx::ops_pointwise_test
