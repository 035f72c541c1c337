// Forward and backward of tensor operations against tests/golden/vae.json, field core_ops.
#include "libcore/grad/ops.hpp"
#include "tests/support/golden_expression.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace logpx::vae_core_ops_test {
namespace {

using golden::Scene;

// An entry of core_ops: attrs, and a builder by the name of the op.
struct Entry {
  std::string name;
  const Json& attrs;
  const Json& output;

  [[nodiscard]] double number(const char* key) const { return golden::real(attrs.at(key)); }
  [[nodiscard]] std::int64_t integer(const char* key) const { return attrs.at(key).integer(); }
  // "leaky_relu_0.2": what stands behind the name of the op.
  [[nodiscard]] double number_in_name(std::string_view op) const {
    return std::atof(name.substr(op.size() + 1).c_str());
  }
  // "of |x|+0.1"
  [[nodiscard]] double number_in_note() const {
    const std::string& note = attrs.at("note").string();
    return std::atof(note.substr(note.find('+') + 1).c_str());
  }
  [[nodiscard]] ConvOptions conv() const { return {integer("stride"), integer("pad")}; }
  [[nodiscard]] int axis() const { return static_cast<int>(integer("axis")); }
};

using Build = Var (*)(const Entry&, Scene&);

// Here all channels of one n lie together; the op has all n of one channel together, as in
// vdm.json.
Var fourier(const Entry& e, Scene& s) {
  const Var x = s.in("x");
  const std::int64_t channels = x.shape()[1];
  std::vector<Var> sines, cosines;
  for (const Json& n : e.attrs.at("n").items()) {
    const Var one = fourier_features(x, {static_cast<int>(n.integer())});
    sines.push_back(slice(one, 1, channels, 2 * channels));
    cosines.push_back(slice(one, 1, 2 * channels, 3 * channels));
  }
  return concat({x, concat(sines, 1), concat(cosines, 1)}, 1);
}

Var channel_scale(const Entry&, Scene& s) {
  const Shape scale = s.in("s").shape(), shift = s.in("b").shape();
  return s.in("x") * s.in("s").reshape({scale[0], 1, 1}) +
         s.in("b").reshape({shift[0], shift[1], 1, 1});
}

template <Var (*op)(Var)>
Var of_x(const Entry&, Scene& s) {
  return op(s.in("x"));
}

const std::pair<std::string_view, Build> known[] = {
    {"linear", [](const Entry&, Scene& s) { return linear(s.in("x"), s.in("w"), s.in("b")); }},
    {"conv2d",
     [](const Entry& e, Scene& s) { return conv2d(s.in("x"), s.in("w"), s.in("b"), e.conv()); }},
    {"conv_transpose2d",
     [](const Entry& e, Scene& s) {
       return conv_transpose2d(s.in("x"), s.in("w"), s.in("b"), e.conv());
     }},
    {"group_norm",
     [](const Entry& e, Scene& s) {
       return group_norm(s.in("x"), s.in("weight"), s.in("bias"), e.integer("groups"),
                         {.eps = e.number("eps")});
     }},
    {"layer_norm",
     [](const Entry& e, Scene& s) {
       return layer_norm(s.in("x"), s.in("weight"), s.in("bias"), {.eps = e.number("eps")});
     }},
    {"softmax", [](const Entry& e, Scene& s) { return softmax(s.in("x"), e.axis()); }},
    {"log_softmax", [](const Entry& e, Scene& s) { return log_softmax(s.in("x"), e.axis()); }},
    {"logsumexp", [](const Entry& e, Scene& s) { return logsumexp(s.in("x"), e.axis()); }},
    {"tanh", of_x<tanh>},
    {"sigmoid", of_x<sigmoid>},
    {"softplus", of_x<softplus>},
    {"log_sigmoid", of_x<log_sigmoid>},
    {"silu", of_x<silu>},
    {"gelu_erf", of_x<gelu_erf>},
    {"gelu_tanh", of_x<gelu_tanh>},
    {"leaky_relu", [](const Entry& e,
                      Scene& s) { return leaky_relu(s.in("x"), e.number_in_name("leaky_relu")); }},
    {"relu", of_x<relu>},
    {"exp", of_x<exp>},
    {"expm1", of_x<expm1>},
    {"lgamma",
     [](const Entry& e, Scene& s) { return lgamma(abs(s.in("x")) + e.number_in_note()); }},
    {"sin", of_x<sin>},
    {"cos", of_x<cos>},
    {"attention",
     [](const Entry& e, Scene& s) {
       return attention(s.in("q"), s.in("k"), s.in("v"), {.heads = e.integer("heads")});
     }},
    {"upsample_nearest2", of_x<upsample_nearest2>},
    {"avg_pool2",
     [](const Entry& e, Scene& s) {
       const Var x = s.in("x");
       return average_pool(x, x.shape().back() / golden::nested_tensor(e.output).shape().back());
     }},
    {"embedding", [](const Entry& e,
                     Scene& s) { return embedding(s.in("weight"), s.index(e.attrs.at("index"))); }},
    {"rbf_kan",
     [](const Entry& e, Scene& s) {
       return spline_sum(
           rbf_basis(s.in("x"), s.constant(e.attrs.at("grid")), s.constant(e.attrs.at("width"))),
           s.in("w"));
     }},
    {"batched_matmul", [](const Entry&, Scene& s) { return matmul(s.in("a"), s.in("b")); }},
    {"broadcast_mul_add", channel_scale},
    {"fourier_features", fourier},
    {"bce_with_logits",
     [](const Entry& e, Scene& s) {
       const Var target = s.constant(e.attrs.at("target"));
       return -bernoulli_log_prob(target, s.in("logits"), target.shape().rank());
     }},
};

// The longest known name that `name` is, or begins with before an underscore.
Build builder_of(const std::string& name) {
  Build found = nullptr;
  std::size_t longest = 0;
  for (const auto& [op, build] : known) {
    const bool fits = name == op || name.starts_with(std::string(op) + '_');
    if (fits && op.size() > longest) {
      longest = op.size();
      found = build;
    }
  }
  return found;
}

golden::Expectation expectation(const std::string& name, const Json& item, Build build) {
  golden::Expectation expected;
  const Entry entry{name, item.at("attrs"), item.at("output")};
  expected.build = [entry, build](Scene& scene) { return build(entry, scene); };
  for (const auto& [input, values] : item.at("inputs").members())
    expected.inputs.emplace_back(input, &values);
  expected.output = &item.at("output");
  expected.upstream = &item.at("upstream");
  for (const auto& [input, values] : item.at("grads").members())
    expected.gradients.emplace_back(input, &values);
  return expected;
}

}  // namespace

TEST_CASE("golden/vae/core_ops") {
  const Json* entries = golden::field("vae", "core_ops");
  if (!entries) return;
  for (const auto& [name, item] : entries->members()) {
    CAPTURE(name);
    const Build build = builder_of(name);
    CHECK_MESSAGE(bool(build != nullptr), "no such op is known here");
    if (build != nullptr) golden::compare(expectation(name, item, build));
  }
}

}  // namespace logpx::vae_core_ops_test
