#include "libcore/base/error.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::ops_matrix_test {
namespace {

using gradcheck::Case;
using Vars = std::vector<Var>;

std::vector<Case> matrix_cases() {
  std::vector<Case> cases;
  const std::pair<std::string, Activation> activations[] = {{"none", Activation::none},
                                                            {"relu", Activation::relu},
                                                            {"leaky_relu", Activation::leaky_relu},
                                                            {"elu", Activation::elu},
                                                            {"tanh", Activation::tanh},
                                                            {"sigmoid", Activation::sigmoid},
                                                            {"softplus", Activation::softplus},
                                                            {"silu", Activation::silu},
                                                            {"gelu_erf", Activation::gelu_erf},
                                                            {"gelu_tanh", Activation::gelu_tanh}};
  for (const auto& [name, f] : activations)
    cases.push_back({"linear " + name, {{{3, 5}}, {{5, 7}}, {{7}}}, [f = f](const Vars& in) {
                       return linear(in[0], in[1], in[2], f);
                     }});
  cases.front().options.linear_in = {0, 1, 2};
  cases.push_back({"linear without bias", {{{2, 3, 5}}, {{5, 1}}}, [](const Vars& in) {
                     return linear(in[0], in[1], Activation::silu);
                   }});
  cases.push_back({"linear of one row", {{{17}}, {{17, 2}}, {{2}}}, [](const Vars& in) {
                     return linear(in[0], in[1], in[2]);
                   }});
  cases.push_back({"linear beyond one block of columns",
                   {{{3, 2}}, {{2, 300}}, {{300}}},
                   [](const Vars& in) { return linear(in[0], in[1], in[2], Activation::tanh); }});
  for (const Trans ta : {Trans::no, Trans::yes})
    for (const Trans tb : {Trans::no, Trans::yes})
      for (const bool batched : {false, true}) {
        Shape a = ta == Trans::no ? Shape{3, 4} : Shape{4, 3};
        Shape b = tb == Trans::no ? Shape{4, 5} : Shape{5, 4};
        if (batched) a = Shape{2, a[0], a[1]}, b = Shape{2, b[0], b[1]};
        cases.push_back({"matmul " + a.text() + " " + b.text(),
                         {{a}, {b}},
                         [=](const Vars& in) {
                           return matmul(in[0], in[1], {ta, tb});
                         },
                         {.linear_in = {0, 1}}});
      }
  cases.push_back({"grouped_matmul",
                   {{{3, 2, 5}}, {{2, 5, 4}}},
                   [](const Vars& in) { return grouped_matmul(in[0], in[1]); },
                   {.linear_in = {0, 1}}});
  cases.push_back({"grouped_matmul of one row", {{{3, 1}}, {{3, 1, 7}}}, [](const Vars& in) {
                     return grouped_matmul(in[0], in[1]);
                   }});
  cases.push_back({"outer",
                   {{{2, 3}}, {{2, 5}}},
                   [](const Vars& in) { return outer(in[0], in[1]); },
                   {.linear_in = {0, 1}}});
  cases.push_back({"bias_add",
                   {{{2, 3, 5}}, {{5}}},
                   [](const Vars& in) { return bias_add(in[0], in[1]); },
                   {.linear_in = {0, 1}}});
  return cases;
}

const std::vector<Case> cases = matrix_cases();
const bool listed = gradcheck::list(cases);

template <typename Build>
std::string message_of(const Shape& a, const Shape& b, Build build) {
  Graph graph;
  const Graph::Scope unet(graph, "unet"), attention(graph, "attn");
  try {
    (void)build(graph.input("a", a), graph.input("b", b));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("grad: matrix products agree with differences") {
  for (const Case& item : cases) gradcheck::run(item);
}

TEST_CASE("grad: matrix shapes that do not fit are refused with the layer and both shapes") {
  const auto layer = [](Var a, Var b) { return linear(a, b); };
  const auto product = [](Var a, Var b) { return matmul(a, b); };
  CHECK(message_of({8, 64, 256}, {128, 128}, layer) ==
        "unet/attn/linear: [8,64,256] x [128,128]: inner 256 vs 128");
  CHECK(message_of({3, 4}, {5, 6}, product) == "unet/attn/matmul: [3,4] x [5,6]: inner 4 vs 5");
  CHECK(message_of({2, 3, 4}, {3, 4, 5}, product).find("leading axes differ") != std::string::npos);
}

}  // namespace logpx::ops_matrix_test
