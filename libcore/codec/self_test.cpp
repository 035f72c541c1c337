#include "libcore/codec/self_test.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/det/ordered_gemm.hpp"
#include "libcore/det/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace logpx::codec {
namespace {

// The same under GCC and Clang, -O0 and -O3, on x86-64 (every instruction set) and AArch64.
constexpr const char* expected = "5fc70d10d2cb4fbaa1cb3613f3a5321eaf8b2debf7fdfe6bf888a6589930e930";

// Numbers that no compiler can round another way: whole multiples of 2^-20.
class Inputs {
 public:
  explicit Inputs(std::uint64_t seed) : counter_(seed) {}
  std::uint64_t word() {
    counter_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = counter_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // In [-largest, largest), largest a power of two.
  double number(double largest) {
    const auto k = static_cast<std::int64_t>(word() >> 43) - (std::int64_t{1} << 20);
    return static_cast<double>(k) * 0x1p-20 * largest;
  }
  template <typename T>
  std::vector<T> numbers(std::size_t count, double largest) {
    std::vector<T> values(count);
    for (T& v : values) v = static_cast<T>(number(largest));
    return values;
  }

 private:
  std::uint64_t counter_;
};

template <typename T>
std::string hash_of(const std::vector<T>& values) {
  return sha256_hex(std::as_bytes(std::span(values))).substr(0, 16);
}

std::string hash_of_function(double (*function)(double), double largest) {
  Inputs inputs(1);
  std::vector<double> values = {function(largest)};
  for (int i = 0; i < 200; ++i) values.push_back(function(inputs.number(largest)));
  return hash_of(values);
}

double positive_log(double x) { return det_log(x * x + 0x1p-60); }
double sine_and_cosine(double x) {
  const SinCos both = det_sincos(x);
  return both.sin + 2 * both.cos;
}
double quantile_near(double x) {
  return quantile(1 + static_cast<std::uint32_t>(x * x * 1000), 12);
}

std::string arrays_hash() {
  Inputs inputs(2);
  std::vector<double> all;
  using Function = void (*)(std::span<const double>, std::span<double>);
  const std::array<Function, 5> functions = {det::exp, det::sigmoid, det::tanh, det::softplus,
                                             det::ndtr};
  for (const Function function : functions) {
    std::vector<double> values = inputs.numbers<double>(61, 32);
    function(values, values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return hash_of(all);
}

std::string linear_hash() {
  constexpr std::int64_t m = 5, k = 37, n = 9;
  Inputs inputs(3);
  const auto x = inputs.numbers<float>(m * k, 2), w = inputs.numbers<float>(k * n, 1),
             bias = inputs.numbers<float>(n, 1);
  // Products of such numbers would be exact: a third has all its bits.
  std::vector<float> thirds(w.size()), y(m * n);
  for (std::size_t i = 0; i < w.size(); ++i) thirds[i] = w[i] / 3;
  det::gemm({.m = m,
             .n = n,
             .k = k,
             .a = {x.data(), k, 1},
             .b = {thirds.data(), n, 1},
             .bias = bias.data(),
             .c = y.data(),
             .ldc = n});
  return hash_of(y);
}

std::string softmax_hash() {
  Inputs inputs(4);
  std::vector<double> p = inputs.numbers<double>(45, 8);
  const double log_sum = det::log_sum_exp(p);
  det::softmax(p, p);
  p.push_back(log_sum);
  return hash_of(p);
}

std::string norm_hash() {
  Inputs inputs(5);
  const auto x = inputs.numbers<float>(48, 4), gamma = inputs.numbers<float>(48, 2),
             beta = inputs.numbers<float>(48, 1);
  std::vector<float> y(48), groups(48);
  det::layer_norm(x, {gamma, beta}, 1e-5, y);
  const det::GroupNormShape shape{.channels = 8, .groups = 4, .pixels = 6};
  det::group_norm(x, shape, {std::span(gamma).first(8), std::span(beta).first(8)}, 1e-5, groups);
  y.insert(y.end(), groups.begin(), groups.end());
  return hash_of(y);
}

std::string coder_hash() {
  Inputs inputs(6);
  Message message(2);
  const Cells cells{-4, 0.25, 32};
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 2;
    const Analytic<Normal> normal(cells, {inputs.number(4), 0.3 + 0.01 * i}, 24);
    switch (i % 4) {
      case 0: static_cast<void>(pop(message, normal, lane)); break;
      case 1:
        push(message, Bernoulli(det_sigmoid(inputs.number(8)), 24),
             static_cast<std::uint32_t>(i) / 4 % 2, lane);
        break;
      case 2: message.push_uniform(static_cast<std::uint32_t>(i), 1000003, lane); break;
      default: push(message, normal, static_cast<std::uint32_t>(inputs.word() % 32), lane);
    }
  }
  return hash_of(message.serialise());
}

}  // namespace

bool SelfTest::passed() const { return hash == expected; }

SelfTest det_selftest() {
  const det::FpEnvironment plain;
  SelfTest test;
  test.parts = {{"exp", hash_of_function(det_exp, 1024)},
                {"log", hash_of_function(positive_log, 1024)},
                {"tanh", hash_of_function(det_tanh, 8)},
                {"sigmoid", hash_of_function(det_sigmoid, 64)},
                {"softplus", hash_of_function(det_softplus, 64)},
                {"ndtr", hash_of_function(det_ndtr, 32)},
                {"sincos", hash_of_function(sine_and_cosine, 1024)},
                {"quantile", hash_of_function(quantile_near, 2)},
                {"arrays", arrays_hash()},
                {"linear", linear_hash()},
                {"softmax", softmax_hash()},
                {"norm", norm_hash()},
                {"coder", coder_hash()}};
  std::string all;
  for (const SelfTest::Part& part : test.parts) all += part.name + (" " + part.hash) + "\n";
  test.hash = sha256_hex(all);
  return test;
}

void require_numerics() {
  if (!det_selftest().passed())
    fail(
        ErrorKind::io, "",
        "this build does not compute logpx numerics 1 (check compiler flags); refusing to write or "
        "read archives",
        "bits-back-decode --selftest names the part that differs");
}

}  // namespace logpx::codec
