// ChemNet: what a network that was trained on the activities of molecules sees in their SMILES,
// with weights that the user has (scripts/convert-chemnet). Frechet distances of these features are
// called FCD [Preuer et al. 2018]; they are computed as the package fcd_torch does:
//
//   letters       each of canonical SMILES is one of 35 (Cl, Br and Si are one; X is any other),
//                 up to the end or the first dot, of which there is one; at most 350
//   x             [350,35]: 1/35 at a letter's place, 0 elsewhere and behind the end
//   convolutions  twice 4 wide, stride 2, no bias, then selu: [175,C1], [88,C2]
//   lstm1, lstm2  the one from the last position to the first, all its states; the other from the
//                 first to the last, whose last state is the features
//
// Behind the end of a molecule there are zeros, so that there the first LSTM has the same states
// for all molecules, and the second one the same inputs: both are computed once.
//
//   const ChemNet net(tensors);
//   const std::vector<float> features = net.features(smiles, workers);   // [n,512]
#pragma once

#include "libcore/math/tensor_ref.hpp"
#include "libcore/nn/lstm.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class Workers;

// What a file of weights says that it is of.
inline constexpr const char* chemnet_name = "chemnet";

// The numbers of channels and units; those of ChemNet but in tests.
struct ChemNetSizes {
  std::int64_t first = 32, second = 32, lower = 128, upper = 512;
};

// The places of the letters among the 35, with the end; [1, 350].
[[nodiscard]] std::vector<std::int64_t> chemnet_letters(std::string_view smiles);

class ChemNet {
 public:
  // Tensors conv1.weight [C1,35,4], conv2.weight [C2,C1,4], and of lstm1 and lstm2 weight_ih,
  // weight_hh and bias. A data error for others.
  explicit ChemNet(const std::vector<TensorRef>& tensors, const ChemNetSizes& sizes = {});

  [[nodiscard]] std::int64_t width() const { return upper_.units(); }
  // [n, width], in blocks of molecules that move through the network together: neither threads nor
  // a list that is given in parts of whole blocks change a bit.
  static constexpr std::int64_t block = 256;
  [[nodiscard]] std::vector<float> features(std::span<const std::string> smiles,
                                            Workers& workers) const;

 private:
  struct Batch;
  void extract(std::span<const std::string> smiles, std::span<float> out) const;
  void convolve(const std::vector<std::int64_t>& letters, std::int64_t row, Batch& batch) const;
  void run_lower(Batch& batch) const;
  void run_upper(Batch& batch, std::span<float> out) const;

  ChemNetSizes sizes_;
  std::vector<float> conv1_;  // [4,35,C1]
  std::vector<float> conv2_;  // [4 C1,C2]
  Lstm lower_, upper_;
  // Behind the end: the first LSTM after 0, 1 .. steps, one row; and what the second begins with at
  // each position, [88, gates].
  std::vector<LstmState> trail_;
  std::vector<float> trail_gates_;
};

}  // namespace logpx
