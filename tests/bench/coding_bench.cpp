// The coder: bytes by the fallback coder, a VAE's items, functions.
#include "libcore/base/rng.hpp"
#include "libcore/codec/bins.hpp"
#include "libcore/codec/fallback.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "tests/bench/bench.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

using namespace codec;

constexpr std::size_t bytes = 1 << 20;

void row(Bench& bench, const char* name, double seconds) {
  const double rate = static_cast<double>(bytes) / seconds / 1e6;
  bench.add({.name = name, .value = rate, .unit = "MB/s", .share = {}, .floor = {}, .of = {}});
}

// Bytes of about 5 bits each.
std::vector<double> weights() {
  std::vector<double> w(256);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::exp(-0.08 * static_cast<double>(i));
  return w;
}
std::vector<std::uint8_t> draws(const Table& table) {
  Cursor random(Rng(1).stream(Stream::test, 1));
  std::vector<std::uint8_t> data(bytes);
  for (std::uint8_t& v : data)
    v = static_cast<std::uint8_t>(table.find(random.word() >> (32 - table.precision())));
  return data;
}

void bench_adaptive(Bench& bench) {
  const std::vector<std::uint8_t> data = draws(Table::leaky(weights(), 12));
  Message message(4);
  const double encode = bench.seconds([&] {
    message = Message(4);
    push_fallback(message, data, {});
  });
  const double decode = bench.seconds([&] {
    Message read = message;
    static_cast<void>(pop_fallback(read, data.size(), {}));
  });
  row(bench, "fallback coder, bytes, encode", encode);
  row(bench, "fallback coder, bytes, decode", decode);
}

// What one 28x28 item costs besides its networks.
void bench_item(Bench& bench) {
  constexpr std::size_t pixels = 784, latents = 40;
  std::vector<float> logits(pixels);
  for (std::size_t i = 0; i < pixels; ++i) logits[i] = static_cast<float>(i % 17) - 8.0F;
  std::vector<double> p(pixels);
  const double sigmoid = bench.seconds([&] { det::sigmoid(logits, p); });
  const double one_by_one = bench.seconds([&] {
    for (std::size_t i = 0; i < pixels; ++i) p[i] = det_sigmoid(static_cast<double>(logits[i]));
  });
  std::vector<std::uint8_t> x(pixels, 0);
  const double pushes = bench.seconds([&] {
    Message message(1);
    push_vector(message, std::span<const std::uint8_t>(x),
                [&](std::size_t i) { return Bernoulli(p[i], 24); });
  });
  Workers workers(1);
  const Bins& bins = normal_bins(12, workers);
  std::vector<std::uint32_t> z(latents);
  const double posterior = bench.seconds([&] {
    Message message(1);
    pop_vector(message, std::span(z), [&](std::size_t d) {
      return PosteriorBins(bins, {0.1 * static_cast<double>(d) - 2, 0.3}, 24);
    });
  });
  BetaBinomial grey(256, 24);
  const auto dist_at = [&](std::size_t i) -> const BetaBinomial& {
    grey.assign(0.01 * static_cast<double>(i + 1), 40.0);
    return grey;
  };
  Message full(1);
  const double grey_pushes = bench.seconds([&] {
    full = Message(1);
    push_vector(full, std::span<const std::uint8_t>(x), dist_at);
  });
  const double grey_pops = bench.seconds([&] {
    Message message = full;
    pop_vector(message, std::span(x), dist_at);
  });
  const auto micro = [&](const char* name, double seconds) {
    bench.add(
        {.name = name, .value = 1e6 * seconds, .unit = "us", .share = {}, .floor = {}, .of = {}});
  };
  micro("784 sigmoids, array", sigmoid);
  micro("784 sigmoids, one by one", one_by_one);
  micro("784 Bernoulli pixels, push", pushes);
  micro("784 beta-binomial pixels of 256 levels, push", grey_pushes);
  micro("784 beta-binomial pixels of 256 levels, pop", grey_pops);
  micro("40 latents of 12 bits, pop under the posterior", posterior);
}

}  // namespace

void bench_coding(Bench& bench) {
  bench_adaptive(bench);
  bench_item(bench);
}

}  // namespace logpx::bench
