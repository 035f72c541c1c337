#include "libcore/data/batches.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/dequantise.hpp"
#include "tests/support/synthetic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace logpx;

namespace {

// Passes reads on and remembers where they began.
class Watched final : public RowSource {
 public:
  explicit Watched(RowSource& source) : source_(source) {}
  [[nodiscard]] const DatasetInfo& info() const override { return source_.info(); }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override {
    starts.push_back(begin);
    return source_.read(begin, end);
  }
  std::vector<std::int64_t> starts;

 private:
  RowSource& source_;
};

std::unique_ptr<SyntheticRows> pictures(Workers& workers) {
  return make_synthetic(request_of({"scenes", {"size=8"}}, 50), workers);
}

}  // namespace

TEST_CASE("batches: an epoch visits every row of its range once, in an order of its own") {
  Workers workers(1);
  const auto source = pictures(workers);
  Batches batches(*source, {.begin = 10, .end = 47, .size = 8}, 3);
  CHECK(batches.per_epoch() == 5);
  std::set<std::vector<std::int64_t>> orders;
  for (std::uint32_t epoch = 0; epoch < 4; ++epoch) {
    std::vector<std::int64_t> seen;
    for (std::int64_t b = 0; b < 5; ++b) {
      const Batch batch = batches.training(epoch, b);
      CHECK(std::ssize(batch.rows) == (b < 4 ? 8 : 5));
      seen.insert(seen.end(), batch.rows.begin(), batch.rows.end());
    }
    CHECK(seen == batches.epoch_order(epoch));
    orders.insert(seen);
    std::sort(seen.begin(), seen.end());
    std::vector<std::int64_t> all(37);
    std::iota(all.begin(), all.end(), 10);
    CHECK(seen == all);
  }
  CHECK(orders.size() == 4);
  CHECK(Batches(*source, {.begin = 10, .end = 47}, 3).epoch_order(2) == batches.epoch_order(2));
  CHECK(Batches(*source, {.begin = 10, .end = 47}, 4).epoch_order(2) != batches.epoch_order(2));
}

TEST_CASE("batches: pictures come channels first, labels beside them, reads ascend") {
  Workers workers(1);
  const auto source = pictures(workers);
  Watched watched(*source);
  Batches batches(watched, {.begin = 0, .end = 50, .size = 20}, 1);
  const Batch batch = batches.training(0, 1);
  CHECK(std::is_sorted(watched.starts.begin(), watched.starts.end()));
  CHECK(watched.starts.size() <= 20);
  const Rows stored = source->read(0, 50);
  for (std::size_t m = 0; m < 20; ++m) {
    const auto row = static_cast<std::size_t>(batch.rows[m]);
    CHECK(batch.y[m] == stored.y[row]);
    for (std::size_t p = 0; p < 64; ++p)
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(batch.x[(m * 3 + c) * 64 + p] ==
              static_cast<float>(stored.values<std::uint8_t>()[(row * 64 + p) * 3 + c]));
  }
}

TEST_CASE("batches: symbols and vectors come as they are, with their true_logp") {
  Workers workers(1);
  for (const char* name : {"hub", "gauss"}) {
    const auto source = make_synthetic(request_of({name, {}}, 30), workers);
    const Batch batch = Batches(*source, {.begin = 20, .end = 30, .size = 10}, 1).evaluation(0);
    const Rows stored = source->read(20, 30);
    CHECK(batch.true_logp == stored.true_logp);
    for (std::size_t i = 0; i < batch.x.size(); ++i)
      CHECK(batch.x[i] == (std::string(name) == "hub"
                               ? static_cast<float>(stored.values<std::uint8_t>()[i])
                               : stored.values<float>()[i]));
  }
}

TEST_CASE("batches: binarisation draws belong to rows, whatever the batch") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"digits", {}}, 40), workers);
  const Rows stored = source->read(0, 40);
  const auto settings = [](Binarise rule, std::int64_t size) {
    return BatchSettings{.begin = 5, .end = 40, .size = size, .binarise = {.rule = rule}};
  };
  struct Case {
    Binarise rule;
    Substream bits;  // of training in epoch 2 under seed 9
  };
  for (const Case& c : {Case{Binarise::fixed, Substream(1, Stream::binarise, 0xffffffff)},
                        Case{Binarise::dynamic, Substream(9, Stream::binarise, 2)}}) {
    Batches large(*source, settings(c.rule, 35), 9), small(*source, settings(c.rule, 7), 9);
    const Batch whole = large.training(2, 0);
    const Batch part = small.training(2, 3);
    const Batch judged = small.evaluation(1);
    for (std::size_t j = 0; j < 784; ++j) {
      const auto expected = [&](std::int64_t row, Substream bits) {
        const auto at = static_cast<std::size_t>(row) * 784 + j;
        return bits.uniform(at) < stored.values<std::uint8_t>()[at] / 255.0 ? 1.0F : 0.0F;
      };
      CHECK(whole.x[21 * 784 + j] == part.x[j]);
      CHECK(part.x[j] == expected(part.rows[0], c.bits));
      CHECK(judged.x[j] == expected(12, Substream(1, Stream::binarise, 0xffffffff)));
    }
  }
  const Batch cut = Batches(*source, settings(Binarise::threshold, 3), 9).evaluation(0);
  for (std::size_t j = 0; j < 784; ++j)
    CHECK(cut.x[j] == (stored.values<std::uint8_t>()[5 * 784 + j] >= 128 ? 1.0F : 0.0F));
}

TEST_CASE("batches: dequantised values stay within their level") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"gray8", {}}, 30), workers);
  const Rows stored = source->read(0, 30);
  Batches batches(*source, {.begin = 0, .end = 30, .size = 30, .dequantise = Dequantise::uniform},
                  1);
  const Batch first = batches.evaluation(0);
  double sum = 0;
  for (std::size_t i = 0; i < first.x.size(); ++i) {
    const float level = stored.values<std::uint8_t>()[i];
    CHECK(std::floor(first.x[i]) == level);
    sum += first.x[i] - level;
  }
  // 1920 uniforms: 5 standard errors.
  CHECK(std::fabs(sum / 1920 - 0.5) < 5 / std::sqrt(12.0 * 1920));
  CHECK(batches.evaluation(0).x == first.x);
  CHECK(batches.training(0, 0).x != batches.training(1, 0).x);
}

TEST_CASE("batches: dequantisation never rounds up to the next level") {
  std::vector<float> high(4'000'000, 255.0F);  // a float near 256 has 16 bits after the point
  dequantise(high, 0, evaluation_dequantisation());
  CHECK(*std::max_element(high.begin(), high.end()) < 256.0F);
  CHECK(*std::min_element(high.begin(), high.end()) >= 255.0F);
}

TEST_CASE("batches: what does not fit the data is refused") {
  Workers workers(1);
  const auto bars = make_synthetic(request_of({"bars", {}}, 5), workers);
  const auto gauss = make_synthetic(request_of({"gauss", {}}, 5), workers);
  const BatchSettings bits{.begin = 0, .end = 5, .binarise = {.rule = Binarise::dynamic}};
  const BatchSettings noise{.begin = 0, .end = 5, .dequantise = Dequantise::uniform};
  CHECK_THROWS_WITH_AS(Batches(*bars, bits, 1), "--binarise: needs pictures of 256 levels", Error);
  CHECK_THROWS_WITH_AS(Batches(*gauss, noise, 1),
                       "--dequantise: needs discrete data without missing values", Error);
}
