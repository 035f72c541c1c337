// One small artifact of each kind with every optional part, for the tests of formats and manuals.
#pragma once

#include "formats/basis_file.hpp"
#include "formats/checkpoint_file.hpp"
#include "formats/features_file.hpp"
#include "formats/model_file.hpp"
#include "formats/reference_file.hpp"
#include "formats/samples_file.hpp"
#include "formats/scores_file.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <string>
#include <vector>

namespace logpx::testing {

// Tensors that TensorViews can point into.
struct TinyWeights {
  std::vector<float> weight{1, 2, 3, 4, 5, 6}, bias{0.5F, -0.5F, 0.25F};
  std::vector<float> weight_average{2, 2, 3, 4, 5, 6}, bias_average{0, 0, 0};
  std::vector<double> grid{-1, 0, 1};
  std::vector<std::int64_t> chain{7, 8};

  [[nodiscard]] ParameterViews parameters() const;
  [[nodiscard]] ModelContents model() const;
  [[nodiscard]] CheckpointTensors checkpoint() const;
};

[[nodiscard]] CheckpointHead tiny_checkpoint_head(std::int64_t step);
[[nodiscard]] Json tiny_provenance();

// Each returns the content hash.
std::string write_tiny_dataset(const std::string& path, const TinyDataset& data);
std::string write_tiny_model(const std::string& path);
std::string write_tiny_checkpoint(const std::string& path);
std::string write_tiny_samples(const std::string& path, const TinyDataset& data);
std::string write_tiny_features(const std::string& path);
std::string write_tiny_statistics(const std::string& path);
std::string write_tiny_scores(const std::string& path);
std::string write_tiny_basis(const std::string& path);    // of pca
std::string write_tiny_weights(const std::string& path);  // a basis that says nothing of data

[[nodiscard]] ReferenceContents tiny_reference();
[[nodiscard]] ScoresContents tiny_scores();  // what the last one writes

// Flips a bit of this number at its first place in the file.
void flip_in(const std::string& path, double number);

}  // namespace logpx::testing
