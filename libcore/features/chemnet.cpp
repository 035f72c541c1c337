#include "libcore/features/chemnet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/features/net_extractor.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::array<std::string_view, 35> alphabet = {
    "C", "N", "O", "H", "F", "Cl", "P", "B", "Br", "S", "I", "Si", "#", "(", ")", "+", "-", "1",
    "2", "3", "4", "5", "6", "7",  "8", "=", "[",  "]", "@", "c",  "n", "o", "s", "X", "."};
constexpr std::int64_t letters_of_all = std::ssize(alphabet), other_letter = 33, end_letter = 34;
constexpr std::int64_t longest = 350, kernel_taps = 4;
constexpr std::int64_t first_positions = 175, second_positions = 88;

std::int64_t place_of(std::string_view letter) {
  const auto found = std::ranges::find(alphabet, letter);
  return found == alphabet.end() ? other_letter : found - alphabet.begin();
}

void selu(std::span<float> x) {
  constexpr float scale = 1.0507009873554805F, below = 1.7580993408473766F;  // scale * 1.67..
  std::vector<float> negative(x.begin(), x.end());
  for (float& value : negative) value = std::min(value, 0.0F);
  vec::expm1(negative, negative);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] > 0 ? scale * x[i] : below * negative[i];
}

// A weight [out, in, kernel_taps] as [kernel_taps, in, out].
std::vector<float> by_taps(std::span<const float> weight, std::int64_t in, std::int64_t out) {
  std::vector<float> made(weight.size());
  for (std::int64_t o = 0; o < out; ++o)
    for (std::int64_t i = 0; i < in; ++i)
      for (std::int64_t tap = 0; tap < kernel_taps; ++tap)
        made[at((tap * in + i) * out + o)] = weight[at((o * in + i) * kernel_taps + tap)];
  return made;
}

std::vector<float> weights_by_taps(const StoredWeights& stored, const std::string& name,
                                   std::int64_t in, std::int64_t out) {
  return by_taps(stored.values(name + ".weight", {out, in, kernel_taps}), in, out);
}

Lstm lstm(const StoredWeights& stored, const std::string& name, std::int64_t in,
          std::int64_t units) {
  return Lstm({.inputs = in,
               .units = units,
               .input = stored.values(name + ".weight_ih", {4 * units, in}),
               .recurrent = stored.values(name + ".weight_hh", {4 * units, units}),
               .bias = stored.values(name + ".bias", {4 * units})});
}

// How many positions of the second convolution see any of so many letters.
std::int64_t positions_reached(std::int64_t letters) {
  return std::min(second_positions, (letters / 2 + 1) / 2 + 1);
}

std::vector<float> repeated(std::span<const float> row, std::int64_t rows) {
  std::vector<float> made;
  made.reserve(row.size() * at(rows));
  for (std::int64_t i = 0; i < rows; ++i) made.insert(made.end(), row.begin(), row.end());
  return made;
}

}  // namespace

std::vector<std::int64_t> chemnet_letters(std::string_view smiles) {
  std::vector<std::int64_t> letters;
  while (!smiles.empty() && smiles.front() != '.' && std::ssize(letters) < longest - 1) {
    const std::string_view next = smiles.substr(1, 1);
    const std::size_t size = next == "r" || next == "i" || next == "l" ? 2 : 1;
    letters.push_back(place_of(smiles.substr(0, size)));
    smiles.remove_prefix(size);
  }
  letters.push_back(end_letter);
  return letters;
}

// Molecules that move through the network together: what the layers make, position by position.
struct ChemNet::Batch {
  std::int64_t rows, positions;
  std::vector<float> maps;    // [positions, rows, C2]
  std::vector<float> states;  // of the first LSTM: [positions, rows, units]
};

ChemNet::ChemNet(const std::vector<TensorRef>& tensors, const ChemNetSizes& sizes)
    : sizes_(sizes),
      conv1_(weights_by_taps(StoredWeights(tensors), "conv1", letters_of_all, sizes.first)),
      conv2_(weights_by_taps(StoredWeights(tensors), "conv2", sizes.first, sizes.second)),
      lower_(lstm(StoredWeights(tensors), "lstm1", sizes.second, sizes.lower)),
      upper_(lstm(StoredWeights(tensors), "lstm2", sizes.lower, sizes.upper)),
      trail_gates_(at(second_positions * upper_.gates())) {
  single_threaded_kernels();
  for (float& weight : conv1_) weight /= static_cast<float>(letters_of_all);
  trail_.push_back(lower_.start(1));
  const std::vector<float> zeros(at(sizes.second));
  std::vector<float> gates(at(lower_.gates()));
  for (std::int64_t p = second_positions - 1; p >= 0; --p) {
    LstmState state = trail_.back();
    lower_.begin(zeros, gates);
    lower_.step(gates, state);
    upper_.begin(state.h,
                 std::span(trail_gates_).subspan(at(p * upper_.gates()), at(upper_.gates())));
    trail_.push_back(std::move(state));
  }
}

// Both convolutions of one row. The first gets a column of zeros before it and as many behind as
// the second one reads; taps of the second two by two, so that its windows do not overlap.
void ChemNet::convolve(const std::vector<std::int64_t>& letters, std::int64_t row,
                       Batch& batch) const {
  const std::int64_t c1 = sizes_.first, c2 = sizes_.second;
  std::vector<float> first(at((2 * batch.positions + 2) * c1));
  const std::int64_t seen =
      std::min({first_positions, std::ssize(letters) / 2 + 1, 2 * batch.positions + 1});
  const auto inside = std::span(first).subspan(at(c1), at(seen * c1));
  for (std::int64_t t = 0; t < seen; ++t)
    for (std::int64_t tap = 0; tap < kernel_taps; ++tap) {
      const std::int64_t position = 2 * t - 1 + tap;
      if (position < 0 || position >= std::ssize(letters)) continue;
      const float* weights = conv1_.data() + (tap * letters_of_all + letters[at(position)]) * c1;
      for (std::int64_t c = 0; c < c1; ++c) inside[at(t * c1 + c)] += weights[c];
    }
  selu(inside);
  for (const std::int64_t half : {0, 1})
    gemm(Gemm<float>{.m = batch.positions,
                     .n = c2,
                     .k = 2 * c1,
                     .a = first.data() + half * 2 * c1,
                     .lda = 2 * c1,
                     .b = conv2_.data() + half * 2 * c1 * c2,
                     .ldb = c2,
                     .c = batch.maps.data() + row * c2,
                     .ldc = batch.rows * c2,
                     .beta = half == 0 ? 0.0F : 1.0F});
}

void ChemNet::run_lower(Batch& batch) const {
  const LstmState& begun = trail_[at(second_positions - batch.positions)];
  LstmState state{
      .rows = batch.rows, .h = repeated(begun.h, batch.rows), .c = repeated(begun.c, batch.rows)};
  std::vector<float> gates(at(batch.rows * lower_.gates()));
  const std::size_t in = at(batch.rows * lower_.inputs()), out = state.h.size();
  for (std::int64_t p = batch.positions - 1; p >= 0; --p) {
    lower_.begin(std::span(batch.maps).subspan(at(p) * in, in), gates);
    lower_.step(gates, state);
    std::ranges::copy(state.h, batch.states.begin() + p * static_cast<std::int64_t>(out));
  }
}

void ChemNet::run_upper(Batch& batch, std::span<float> out) const {
  LstmState state = upper_.start(batch.rows);
  std::vector<float> gates(at(batch.rows * upper_.gates()));
  const std::size_t in = at(batch.rows * upper_.inputs());
  for (std::int64_t p = 0; p < second_positions; ++p) {
    if (p < batch.positions) upper_.begin(std::span(batch.states).subspan(at(p) * in, in), gates);
    else
      gates = repeated(std::span(trail_gates_).subspan(at(p * upper_.gates()), at(upper_.gates())),
                       batch.rows);
    upper_.step(gates, state);
  }
  std::ranges::copy(state.h, out.begin());
}

void ChemNet::extract(std::span<const std::string> smiles, std::span<float> out) const {
  single_threaded_kernels();
  std::vector<std::vector<std::int64_t>> letters;
  std::int64_t most = 0;
  for (const std::string& text : smiles) {
    letters.push_back(chemnet_letters(text));
    most = std::max(most, std::ssize(letters.back()));
  }
  Batch batch{
      .rows = std::ssize(smiles), .positions = positions_reached(most), .maps = {}, .states = {}};
  batch.maps.resize(at(batch.positions * batch.rows * sizes_.second));
  batch.states.resize(at(batch.positions * batch.rows * sizes_.lower));
  for (std::int64_t row = 0; row < batch.rows; ++row) convolve(letters[at(row)], row, batch);
  selu(batch.maps);
  run_lower(batch);
  run_upper(batch, out);
}

std::vector<float> ChemNet::features(std::span<const std::string> smiles, Workers& workers) const {
  const std::int64_t n = std::ssize(smiles);
  std::vector<float> made(at(n * width()));
  workers.run((n + block - 1) / block, [&](std::int64_t number) {
    const std::int64_t begin = number * block, count = std::min(block, n - begin);
    extract(smiles.subspan(at(begin), at(count)),
            std::span(made).subspan(at(begin * width()), at(count * width())));
  });
  return made;
}

}  // namespace logpx
