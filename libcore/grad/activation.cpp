#include "libcore/grad/activation.hpp"

#include "libcore/grad/elementwise.hpp"
#include "libcore/grad/elementwise_gates.hpp"

namespace logpx {
namespace {

using namespace elementwise;

// Calls `use` with the rule of an activation other than none.
template <typename Use>
auto with_rule(Activation activation, Use use) {
  switch (activation) {
    case Activation::none:
    case Activation::relu: break;
    case Activation::leaky_relu: return use(LeakyRelu{leaky_slope});
    case Activation::elu: return use(Elu{});
    case Activation::tanh: return use(Tanh{});
    case Activation::sigmoid: return use(Sigmoid{});
    case Activation::softplus: return use(Softplus{});
    case Activation::silu: return use(Silu{});
    case Activation::gelu_erf: return use(GeluErf{});
    case Activation::gelu_tanh: return use(GeluTanh{});
  }
  return use(Relu{});
}

template <typename T>
void forward(Activation activation, std::span<const T> x, std::span<T> y) {
  if (activation != Activation::none)
    with_rule(activation, [&](const auto& rule) { rule.value(x, y); });
  else if (x.data() != y.data()) std::copy(x.begin(), x.end(), y.begin());
}

template <typename T>
void backward(Activation activation, std::span<const T> kept, std::span<const T> upstream,
              std::span<T> d) {
  if (activation == Activation::none) {
    if (upstream.data() != d.data()) std::copy(upstream.begin(), upstream.end(), d.begin());
    return;
  }
  with_rule(activation, [&](const auto& rule) {
    in_blocks(d.size(), [&](std::size_t first, std::size_t n) {
      Run<T> slope;
      rule.slope(kept.subspan(first, n), std::span(slope).first(n));
      for (std::size_t i = 0; i < n; ++i) d[first + i] = upstream[first + i] * slope[i];
    });
  });
}

}  // namespace

bool derivative_from_result(Activation activation) {
  return activation == Activation::none ||
         with_rule(activation, [](const auto& rule) { return rule.from_result; });
}

void activate(Activation activation, std::span<const float> x, std::span<float> y) {
  forward(activation, x, y);
}
void activate(Activation activation, std::span<const double> x, std::span<double> y) {
  forward(activation, x, y);
}
void activation_backward(Activation activation, std::span<const float> kept,
                         std::span<const float> upstream, std::span<float> d) {
  backward(activation, kept, upstream, d);
}
void activation_backward(Activation activation, std::span<const double> kept,
                         std::span<const double> upstream, std::span<double> d) {
  backward(activation, kept, upstream, d);
}

}  // namespace logpx
