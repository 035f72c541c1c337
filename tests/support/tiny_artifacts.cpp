#include "tests/support/tiny_artifacts.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/output.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <numeric>

namespace logpx::testing {

ParameterViews TinyWeights::parameters() const {
  return {.raw = {TensorView::of<float>("net/weight", weight, {2, 3}),
                  TensorView::of<float>("net/bias", bias, {3})},
          .ema = {TensorView::of<float>("net/weight", weight_average, {2, 3}),
                  TensorView::of<float>("net/bias", bias_average, {3})}};
}

ModelContents TinyWeights::model() const {
  return {.family = "vae",
          .config = Json::object().set("latent", 3),
          .parameters = parameters(),
          .constants = {TensorView::of<double>("grid", grid, {3})},
          .attributes = {{"structure", h5::Value::text("{}")}}};
}

CheckpointTensors TinyWeights::checkpoint() const {
  return {
      .parameters = parameters(),
      .slots = {TensorView::of<float>("m", weight, {6}), TensorView::of<float>("v", weight, {6})},
      .state = {TensorView::of<std::int64_t>("chain", chain, {2}),
                TensorView::of<double>("grid", grid, {3})}};
}

CheckpointHead tiny_checkpoint_head(std::int64_t step) {
  return {.family = "vae",
          .config = Json::object().set("latent", 3),
          .settings = Json::object().set("lr", 0.001),
          .numerics = Json::object().set("blas", "generic"),
          .data_hash = "00",
          .given_hash = "01",
          .code_version = "0.1.0",
          .seed = ~std::uint64_t{0},
          .step = step,
          .epoch = 1,
          .samples = 100 * step,
          .history_bytes = 512,
          .products = {{"beta1", 0.9}, {"beta2", 0.999}}};
}

Json tiny_provenance() { return Json::object().set("tool", "test").set("seed", 1); }

std::string write_tiny_dataset(const std::string& path, const TinyDataset& data) {
  OutputFile out(path, Overwrite::replace);
  DatasetWriter writer(out, data.info);
  writer.append(data.rows);
  std::string hash = writer.finish(data.info, tiny_provenance());
  out.commit();
  return hash;
}

std::string write_tiny_model(const std::string& path) {
  OutputFile out(path, Overwrite::replace);
  std::string hash = write_model(out, TinyWeights().model(), tiny_provenance());
  out.commit();
  return hash;
}

std::string write_tiny_checkpoint(const std::string& path) {
  const TinyWeights weights;
  return write_checkpoint(path, tiny_checkpoint_head(10), weights.checkpoint(), tiny_provenance());
}

std::string write_tiny_samples(const std::string& path, const TinyDataset& data) {
  std::vector<double> z(static_cast<std::size_t>(data.info.n));
  std::iota(z.begin(), z.end(), 1.0);
  OutputFile out(path, Overwrite::replace);
  SamplesWriter writer(out, data.info);
  writer.append(data.rows);
  const SamplesOrigin origin{.family = "vae",
                             .model_hash = "00",
                             .seed = 5,
                             .sampler = Json::object().set("temperature", 1),
                             .grid_columns = data.info.n % 2 == 0 ? 0 : 3,
                             .is_mean = data.info.n % 2 == 0};
  std::string hash = writer.finish(
      data.info, origin, {TensorView::of<double>("z", z, {data.info.n, 1})}, tiny_provenance());
  out.commit();
  return hash;
}

std::string write_tiny_features(const std::string& path) {
  const FeaturesInfo info{.extractor = "pca:2",
                          .params = Json::object().set("k", 2),
                          .source_hash = "00",
                          .n = 0,
                          .d = 2,
                          .classes = 3,
                          .has_labels = true};
  OutputFile out(path, Overwrite::replace);
  FeaturesWriter writer(out, info);
  writer.append(
      {.count = 2, .features = {1, 2, 3, 4}, .logits = {0, 1, 2, 3, 4, 5}, .labels = {1, 0}});
  writer.append({.count = 1, .features = {5, 6}, .logits = {6, 7, 8}, .labels = {2}});
  std::string hash = writer.finish(tiny_provenance());
  out.commit();
  return hash;
}

std::string write_tiny_statistics(const std::string& path) {
  const FeaturesInfo info{
      .extractor = "pixels", .params = Json::object(), .source_hash = "", .n = 100, .d = 2};
  const std::vector<double> mean{0.5, 1}, covariance{1, 0.25, 0.25, 2};
  OutputFile out(path, Overwrite::replace);
  std::string hash = write_feature_statistics(out, info, mean, covariance, tiny_provenance());
  out.commit();
  return hash;
}

ReferenceContents tiny_reference() {
  const std::vector<double> weights{46.07, 78.11};
  const std::vector<std::uint64_t> bits{1, 6};
  return {.chemistry = "RDKit 2022.09.3",
          .sa_hash = "",
          .chemnet_hash = "",
          .parts = {"properties", "similarity"},
          .n = 3,
          .numbers = {{"molecules", h5::Value::scalar(std::int64_t{2})},
                      {"properties/MW", h5::Value::of<double>(weights, {2})},
                      {"morgan", h5::Value::of<std::uint64_t>(bits, {2, 1})}},
          .counts = {{"pieces", {{"CCO", 1}, {"c1ccccc1", 2}}}}};
}

std::string write_tiny_basis(const std::string& path) {
  DatasetInfo data;
  data.shape = {2};
  data.content = Content::vector;
  data.levels = 256;
  data.value_max = 255;
  const std::vector<double> mean{0.5, 1}, components{0, 1}, variances{2};
  OutputFile out(path, Overwrite::replace);
  std::string hash =
      write_basis(out,
                  {.extractor = "pca:1",
                   .data = data,
                   .tensors = {TensorView::of<double>("pca/mean", mean, {2}),
                               TensorView::of<double>("pca/components", components, {1, 2}),
                               TensorView::of<double>("pca/variances", variances, {1})}},
                  tiny_provenance());
  out.commit();
  return hash;
}

std::string write_tiny_weights(const std::string& path) {
  const std::vector<float> weight{1, 2};
  OutputFile out(path, Overwrite::replace);
  std::string hash = write_basis(out,
                                 {.extractor = "inception-v3",
                                  .data = {},
                                  .tensors = {TensorView::of<float>("fc.bias", weight, {2})}},
                                 tiny_provenance());
  out.commit();
  return hash;
}

ScoresContents tiny_scores() {
  return {.family = "vae",
          .method = "iwae",
          .likelihood_kind = "stochastic_lower_bound",
          .model_hash = "00",
          .data_hash = "11",
          .measured = {.word = "density", .density_of = "x"},
          .reading = "static",
          .first_row = 40,
          .rows = {80, 7, 9},
          .labels = {1, 0, 2},
          .dims_observed = {4, 4, 3},
          .label_names = {"cat", "a, dog", "hen"},
          .nats = {-1.5, -2, -0.25},
          .mc_std_error = {0.1, 0.2, 0.3},
          .terms = {{"kl", {-1, -1, -0.125}}, {"recon", {-0.5, -1, -0.125}}},
          .facts = {{"ess", {10, 20, 30}}}};
}

std::string write_tiny_scores(const std::string& path) {
  OutputFile out(path, Overwrite::replace);
  std::string hash = write_scores(out, tiny_scores(), tiny_provenance());
  out.commit();
  return hash;
}

void flip_in(const std::string& path, double number) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::size_t at = bytes.find({reinterpret_cast<const char*>(&number), sizeof number});
  REQUIRE(at != std::string::npos);
  file.seekp(static_cast<std::streamoff>(at) + 1);
  file.put(static_cast<char>(bytes[at + 1] ^ 1));
}

}  // namespace logpx::testing
