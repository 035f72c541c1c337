#include "libcore/eval/sample_makers.hpp"

#include "libcore/data/row_values.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

using namespace logpx;

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

SampleChunk all_of(SampleMaker& maker, int threads) {
  Workers workers(threads);
  return maker.make(0, maker.items(), workers);
}

}  // namespace

TEST_CASE("sample makers: draws with their codes are what Model::sample draws") {
  const auto model = tiny_model(pictures(2));
  const auto maker = make_ancestral(*model, {.count = 150}, Rng(5));
  const SampleChunk chunk = all_of(*maker, 2);
  Rows rows;
  rows.count = 150;
  model->sample(rows, 0, Rng(5));
  CHECK(chunk.rows.x == rows.x);
  REQUIRE(chunk.codes.size() == 1);
  CHECK(chunk.codes[0].values.size() == 300);
  CHECK(!maker->gives_means());
}

TEST_CASE("sample makers: threads and the number asked for change no sample") {
  const auto model = tiny_model(pictures(4));
  const auto many = make_ancestral(*model, {.count = 200, .temperature = 0.5}, Rng(1));
  const SampleChunk one = all_of(*many, 1), four = all_of(*many, 4);
  CHECK(one.rows.x == four.rows.x);
  CHECK(one.codes[0].values == four.codes[0].values);
  const auto few = make_ancestral(*model, {.count = 70, .temperature = 0.5}, Rng(1));
  CHECK(all_of(*few, 2).rows.x == slice_rows(one.rows, 0, 70).x);
}

TEST_CASE("sample makers: temperature scales the codes") {
  const auto model = tiny_model(pictures(2));
  const auto cold = make_ancestral(*model, {.count = 9, .temperature = 0.25}, Rng(1));
  const auto plain = make_ancestral(*model, {.count = 9}, Rng(1));
  const SampleChunk a = all_of(*cold, 1), b = all_of(*plain, 1);
  for (std::size_t i = 0; i < 18; ++i) CHECK(a.codes[0].values[i] == 0.25F * b.codes[0].values[i]);
}

TEST_CASE("sample makers: means of pictures are grey levels and those of others real") {
  for (const std::int64_t levels : {2, 4, 0}) {
    const auto model = tiny_model(levels > 0 ? pictures(levels) : vectors_of(12, 0));
    const auto maker = make_ancestral(*model, {.count = 3, .decoding = Decoding::mean}, Rng(1));
    CHECK(maker->gives_means());
    const SampleChunk chunk = all_of(*maker, 1);
    const std::vector<float> means = model->latents()->mean(chunk.codes[0].values);
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
  const auto maker = make_reconstructions(*model, {data, 3, 8}, Rng(1));
  CHECK(maker->info().n == 15);
  CHECK(maker->grid_columns() % 3 == 0);
  const SampleChunk chunk = all_of(*maker, 2);
  CHECK(chunk.rows.y == std::vector<std::int32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  const Rows held = data.read(3, 8);
  const Posterior q = model->latents()->encode({info, held, 3});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t d = 0; d < 12; ++d) {
      const int input = static_cast<int>(held.x[i * 12 + d]);
      CHECK(static_cast<int>(chunk.rows.x[i * 36 + d]) == 255 * input);
      const int drawn = static_cast<int>(chunk.rows.x[i * 36 + 24 + d]);
      CHECK((drawn == 0 || drawn == 255));
    }
    for (std::size_t j = 0; j < 2; ++j)
      CHECK(chunk.codes[0].values[i * 6 + 2 + j] == q.mean[i * 2 + j]);
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
  const auto maker = make_encodings(*model, {data, 1, 5});
  const SampleChunk chunk = all_of(*maker, 1);
  const Rows held = data.read(1, 5);
  const Posterior q = model->latents()->encode({info, held, 1});
  CHECK(chunk.rows.y == std::vector<std::int32_t>{4, 3, 2, 1});
  CHECK(chunk.codes[0].values == q.mean);
  CHECK(chunk.codes[1].values == q.log_var);
  const auto x = chunk.rows.values<float>();
  CHECK(std::vector<float>(x.begin(), x.end()) == q.mean);
}
