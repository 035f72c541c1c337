#include "libcore/eval/sample_makers.hpp"

#include "libcore/data/row_values.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

namespace logpx::sample_makers_test {
namespace {

DatasetInfo pictures(std::int64_t levels) {
  DatasetInfo info = vectors_of(12, levels);
  info.content = Content::image;
  info.shape = {2, 2, 3};
  return info;
}

std::unique_ptr<vae::VaeModel> tiny_model(const DatasetInfo& data) {
  vae::Config config;
  config.latent = 2;
  config.hidden = {5};
  config.likelihood = data.levels == 2  ? "bernoulli"
                      : data.levels > 0 ? "beta-binomial"
                                        : "gaussian";
  config.init = "normal:0.5";
  auto model = std::make_unique<vae::VaeModel>(config, data);
  model->initialise(Rng(3));
  return model;
}

Rows some_rows(const DatasetInfo& info, std::int64_t count) {
  Rows rows;
  rows.count = count;
  for (std::int64_t i = 0; i < count * info.dims(); ++i)
    rows.x.push_back(static_cast<std::byte>(i * 7 % info.levels));
  return rows;
}

std::vector<float> values_of(const SampleCode& code) {
  const auto values = code.values<float>();
  return {values.begin(), values.end()};
}

SampleChunk all_of(SampleMaker& maker, int threads) {
  Workers workers(threads);
  return maker.make(0, maker.items(), workers);
}

}  // namespace

TEST_CASE("sample makers: draws with their codes are what the model's latents draw") {
  const auto model = tiny_model(pictures(2));
  const auto maker = make_samples(*model, abilities(*model).sampling(), 150, Rng(5));
  const SampleChunk chunk = all_of(*maker, 2);
  std::vector<float> z(300);
  Rows rows;
  abilities(*model).latents->draw_prior(z, 0, Rng(5));
  abilities(*model).latents->sample(z, rows, 0, Rng(5));
  CHECK(chunk.rows.x == rows.x);
  REQUIRE(chunk.codes.size() == 1);
  CHECK(values_of(chunk.codes[0]) == z);
  CHECK(!maker->gives_means());
}

TEST_CASE("sample makers: threads and the number asked for change no sample") {
  const auto model = tiny_model(pictures(4));
  const auto half = [&] { return testing::sampling_with(abilities(*model), {"temperature=0.5"}); };
  const auto many = make_samples(*model, half(), 200, Rng(1));
  const SampleChunk one = all_of(*many, 1), four = all_of(*many, 4);
  CHECK(one.rows.x == four.rows.x);
  CHECK(one.codes[0].bytes == four.codes[0].bytes);
  const auto few = make_samples(*model, half(), 70, Rng(1));
  CHECK(all_of(*few, 2).rows.x == slice_rows(one.rows, 0, 70).x);
}

TEST_CASE("sample makers: temperature scales the codes") {
  const auto model = tiny_model(pictures(2));
  const auto cold = make_samples(
      *model, testing::sampling_with(abilities(*model), {"temperature=0.25"}), 9, Rng(1));
  const auto plain = make_samples(*model, abilities(*model).sampling(), 9, Rng(1));
  const SampleChunk a = all_of(*cold, 1), b = all_of(*plain, 1);
  for (std::size_t i = 0; i < 18; ++i)
    CHECK(values_of(a.codes[0])[i] == 0.25F * values_of(b.codes[0])[i]);
}

TEST_CASE("sample makers: means of pictures are grey levels and those of others real") {
  for (const std::int64_t levels : {2, 4, 0}) {
    const auto model = tiny_model(levels > 0 ? pictures(levels) : vectors_of(12, 0));
    const auto maker =
        make_samples(*model, testing::sampling_with(abilities(*model), {"mean=true"}), 3, Rng(1));
    CHECK(maker->gives_means());
    const SampleChunk chunk = all_of(*maker, 1);
    const std::vector<float> means = abilities(*model).latents->mean(values_of(chunk.codes[0]));
    CHECK(maker->info().levels == (levels > 0 ? 256 : 0));
    const double unit = levels > 0 ? 255.0 / static_cast<double>(levels - 1) : 1;
    const std::vector<float> stored = stored_values(maker->info(), chunk.rows);
    REQUIRE(stored.size() == means.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
      CHECK(std::abs(static_cast<double>(stored[i]) - unit * static_cast<double>(means[i])) <=
            (levels > 0 ? 0.5 : 0) + 1e-4);
  }
}

TEST_CASE("sample makers: reconstructions hold input, mean and draw of every row") {
  DatasetInfo info = pictures(2);
  info.n = 10;
  const auto model = tiny_model(info);
  MemoryRows data(info, some_rows(info, 10));
  const auto maker = make_reconstructions(abilities(*model), {data, 3, 8}, Rng(1));
  CHECK(maker->info().n == 15);
  CHECK(maker->grid_columns() % 3 == 0);
  const SampleChunk chunk = all_of(*maker, 2);
  CHECK(chunk.rows.y == std::vector<std::int32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  const Rows held = data.read(3, 8);
  const Posterior q = abilities(*model).latents->encode({info, held, 3});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t d = 0; d < 12; ++d) {
      const int input = static_cast<int>(held.x[i * 12 + d]);
      CHECK(static_cast<int>(chunk.rows.x[i * 36 + d]) == 255 * input);
      const int drawn = static_cast<int>(chunk.rows.x[i * 36 + 24 + d]);
      CHECK((drawn == 0 || drawn == 255));
    }
    for (std::size_t j = 0; j < 2; ++j)
      CHECK(values_of(chunk.codes[0])[i * 6 + 2 + j] == q.mean[i * 2 + j]);
  }
}

TEST_CASE("sample makers: encodings carry means and log-variances and labels") {
  DatasetInfo info = pictures(2);
  info.has_labels = true;
  info.n = 6;
  const auto model = tiny_model(info);
  Rows rows = some_rows(info, 6);
  rows.y = {5, 4, 3, 2, 1, 0};
  MemoryRows data(info, rows);
  const Abilities can = abilities(*model);
  const auto maker = make_encodings({can.info(), can.codes}, {data, 1, 5});
  const SampleChunk chunk = all_of(*maker, 1);
  const Rows held = data.read(1, 5);
  const Posterior q = abilities(*model).latents->encode({info, held, 1});
  CHECK(chunk.rows.y == std::vector<std::int32_t>{4, 3, 2, 1});
  CHECK(values_of(chunk.codes[0]) == q.mean);
  CHECK(values_of(chunk.codes[1]) == q.log_var);
  const auto x = chunk.rows.values<float>();
  CHECK(std::vector<float>(x.begin(), x.end()) == q.mean);
}

namespace {

// Two frames of one number each, with codes of every type that a file can hold.
class FramePlan final : public SamplingPlan {
 public:
  [[nodiscard]] DatasetInfo rows() const override {
    DatasetInfo info = vectors_of(1, 256);
    info.has_labels = true;
    return info;
  }
  [[nodiscard]] std::int64_t rows_per_item() const override { return 2; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng) const override {
    SampleChunk chunk;
    chunk.rows.count = 2 * (last - first);
    std::vector<double> times;
    std::vector<std::int32_t> orders;
    std::vector<std::uint8_t> marks;
    for (std::int64_t row = 2 * first; row < 2 * last; ++row) {
      chunk.rows.x.push_back(static_cast<std::byte>(row % 256));
      chunk.rows.y.push_back(static_cast<std::int32_t>(row % 2));
      times.push_back(static_cast<double>(row) / 3);
      orders.insert(orders.end(), 6, static_cast<std::int32_t>(row));
      marks.push_back(static_cast<std::uint8_t>(row % 2));
    }
    chunk.codes = {SampleCode::of<double>("time", {}, times),
                   SampleCode::of<std::int32_t>("order", {2, 3}, orders),
                   SampleCode::of<std::uint8_t>("mark", {1}, marks)};
    return chunk;
  }
};

}  // namespace

TEST_CASE("sample makers: codes keep their type and shape, and an item may have several rows") {
  const auto model = tiny_model(pictures(2));
  const auto maker = make_samples(*model, std::make_unique<FramePlan>(), 100, Rng(1));
  CHECK(maker->info().n == 200);
  CHECK(maker->info().has_labels);
  CHECK(maker->grid_columns() == 2);
  SampleChunk chunk = all_of(*maker, 2);
  CHECK(chunk.rows.count == 200);
  CHECK(chunk.rows.y[199] == 1);
  REQUIRE(chunk.codes.size() == 3);
  CHECK(chunk.codes[0].values<double>()[199] == 199.0 / 3);
  CHECK(chunk.codes[1].values<std::int32_t>()[6 * 150] == 150);
  const TensorRef order = chunk.codes[1].tensor(200);
  CHECK(order.type == NumberType::i32);
  CHECK(order.shape == Shape{200, 2, 3});
  CHECK(chunk.codes[0].tensor(200).shape == Shape{200});
  CHECK(chunk.codes[2].tensor(200).type == NumberType::u8);
}

}  // namespace logpx::sample_makers_test
