// Draws of circuits as models make them.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace logpx::circuit_samples_test {

using namespace logpx::pc;

namespace {

DatasetInfo three_levels() {
  DatasetInfo info;
  info.content = Content::vector;
  info.shape = {3};
  info.levels = 3;
  info.value_max = 2;
  return info;
}

Config from_file() {
  Config config;
  config.structure = "file";
  return config;
}

void draw_parameters_of(PcModel& model) {
  const std::span<float> theta = model.param_set().block();
  for (const ParamInfo& info : model.param_set().infos()) {
    const Substream draws = Rng(4).stream(Stream::init, static_cast<std::uint32_t>(info.offset));
    const auto columns = at(info.shape.back());
    for (std::size_t r = 0; r < at(info.shape.elements()); r += columns) {
      const std::span<float> row = theta.subspan(at(info.offset) + r, columns);
      for (std::size_t i = 0; i < columns; ++i)
        row[i] = static_cast<float>(0.1 + draws.uniform(r + i));
      const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
      if (use_of(info.name) == TensorUse::rows)
        for (float& value : row) value /= sum;
    }
  }
  // Parameters of leaves stay below 1.1, but a probability has to stay below 1.
  for (int b = 0; b < std::ssize(model.circuit().blocks); ++b)
    if (model.circuit().blocks[at(b)].leaf_kind == LeafKind::binomial)
      for (std::int64_t j = 0; j < model.plan().block(b).size; ++j)
        model.plan().values(b, 0, theta)[j] *= 0.8F;
}

// Every row of three values, with its probability.
std::vector<double> probabilities(const PcModel& model) {
  Rows rows;
  rows.count = 27;
  for (int i = 0; i < 27; ++i)
    for (const int x : {i / 9, i / 3 % 3, i % 3}) rows.x.push_back(static_cast<std::byte>(x));
  const DatasetInfo info = three_levels();
  std::vector<double> p = model.log_p({info, rows});
  for (double& nats : p) nats = std::exp(nats);
  return p;
}

}  // namespace

TEST_CASE("pc: samples of a model are as likely as its log p says") {
  Circuit counted = mixture({{"a", 3}, {"b", 3}, {"c", 3}}, 2);
  counted.blocks[1].leaf_kind = LeafKind::binomial;
  counted.blocks[2].leaf_kind = LeafKind::dlogistic;
  const Circuit chain = hidden_markov({"x", 3}, {.m = {2, 2}, .n = {2, 2}, .program = {}});
  const Circuit tree =
      hidden_tree({{"a", 3}, {"b", 3}, {"c", 3}}, {1, -1, 1}, {.transition = square_sum(3, {})});
  for (const Circuit& circuit : {counted, chain, tree}) {
    PcModel model(from_file(), three_levels(), circuit);
    draw_parameters_of(model);
    const std::vector<double> p = probabilities(model);
    CHECK(std::accumulate(p.begin(), p.end(), 0.0) == doctest::Approx(1).epsilon(1e-5));
    constexpr std::int64_t draws = 100'000;
    const SampleChunk made = abilities(model).sampling()->make(0, draws, Rng(12));
    const std::span<const std::uint8_t> x = made.rows.values<std::uint8_t>();
    std::vector<double> counts(27);
    for (std::size_t i = 0; i < x.size(); i += 3) counts[x[i] * 9U + x[i + 1] * 3U + x[i + 2]] += 1;
    double chi_square = 0;  // of 26 degrees of freedom: above 65 with a probability of 4e-5
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double expected = static_cast<double>(draws) * p[i];
      chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    CHECK(chi_square < 65);
  }
}

TEST_CASE("pc: samples of real numbers have the moments of their leaves, in units of the data") {
  Circuit circuit = mixture({{"a", 0}}, 1);
  circuit.blocks[0].leaf_kind = LeafKind::gaussian;
  DatasetInfo info;
  info.content = Content::vector;
  info.measure = Measure::lebesgue;
  info.element = Element::f32;
  info.shape = {1};
  info.standardisation = {.mean = {100}, .deviation = {10}};
  PcModel model(from_file(), info, circuit);
  std::ranges::fill(model.param_set().block(), 1.0F);  // mean and deviation
  const SampleChunk made = abilities(model).sampling()->make(0, 20'000, Rng(3));
  double sum = 0, squares = 0;
  for (const float x : made.rows.values<float>()) {
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  const double mean = sum / 20'000;
  CHECK(std::abs(mean - 110) < 0.3);
  CHECK(std::abs(std::sqrt(squares / 20'000 - mean * mean) - 10) < 0.2);
  // The density is in units of the data, not in standardised ones.
  Rows one;
  one.count = 1;
  one.x.resize(sizeof(float));
  one.values<float>()[0] = 110;
  const double peak = -std::log(10 * std::sqrt(2 * std::numbers::pi));
  CHECK(model.log_p({info, one})[0] == doctest::Approx(peak));
}

}  // namespace logpx::circuit_samples_test
