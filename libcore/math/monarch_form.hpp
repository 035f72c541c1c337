// The form of a sum whose matrix is a product of block-diagonal ones: which axis of a grid of
// states each layer contracts, and how the rows of its blocks lie, so that nothing is ever
// transposed.
//
//   const Monarch form({.m = {32, 32}, .n = {32, 32}, .program = {}});
//   const std::int64_t weights = form.edges();   // 65536, where a dense matrix has 1048576
//
// Row j of M holds the weights of output j, and every row sums to 1 where the rows of all tensors
// do.   [Monarch def. 3.2, thm. 3.4; pc/README 3]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

// Outputs are a grid of m_1 x .. x m_d states, inputs one of n_1 x .. x n_d, index 1 slowest. The
// program names the axis that each layer contracts, from 1; empty: 1 .. d, which is the Monarch
// matrix of depth d. An axis has n_a states until it is contracted, and m_a from then on.
struct MonarchFactors {
  std::vector<std::int64_t> m, n;
  std::vector<int> program;
};

// One layer: for each of `blocks` states r of the other axes, taken in turn from the one behind
// the contracted axis on, out[r, j] = sum_i A[r, j, i] in[r, i].
struct MonarchLayer {
  int axis = 0;               // from 0
  std::int64_t m = 1, n = 1;  // states of the axis after it and before it
  std::int64_t blocks = 1;    // A is packed [blocks, m, n]
  std::int64_t in_step = 1;   // rows from in[r, i] to in[r, i + 1]
  std::int64_t out_step = 1;  // rows from out[r, j] to out[r, j + 1]

  [[nodiscard]] std::int64_t edges() const { return blocks * m * n; }
  [[nodiscard]] std::int64_t in_rows() const { return blocks * n; }
  [[nodiscard]] std::int64_t out_rows() const { return blocks * m; }
  // The row of state (r, i) in the layer's input, and of (r, j) in its output.
  [[nodiscard]] std::int64_t in_row(std::int64_t r, std::int64_t i) const;
  [[nodiscard]] std::int64_t out_row(std::int64_t r, std::int64_t j) const;
  struct State {
    std::int64_t block, index;
  };
  // The reverse: the state to which an output row belongs.
  [[nodiscard]] State output(std::int64_t row) const;
};

class Monarch {
 public:
  explicit Monarch(MonarchFactors factors);  // a usage error says what does not fit
  [[nodiscard]] static Monarch dense(std::int64_t rows, std::int64_t columns);

  [[nodiscard]] const MonarchFactors& factors() const { return factors_; }  // program filled in
  [[nodiscard]] const std::vector<MonarchLayer>& layers() const { return layers_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }        // outputs
  [[nodiscard]] std::int64_t columns() const { return columns_; }  // inputs
  [[nodiscard]] std::int64_t edges() const;                        // multiply-adds of one product
  // No axis is contracted twice, so an element of M is one product of weights.
  [[nodiscard]] bool unique_paths() const;

  // Rows of all vectors between layers, and of the longest one.
  [[nodiscard]] std::int64_t inner_rows() const;
  [[nodiscard]] std::int64_t longest_inner() const;
  // Scratch numbers that a MonarchMap needs for this many columns.
  [[nodiscard]] std::int64_t room(std::int64_t batch) const;

 private:
  MonarchFactors factors_;
  std::vector<MonarchLayer> layers_;
  std::int64_t rows_ = 1, columns_ = 1;
};

// Reads --factors for this many hidden states: "auto:2" (almost square, small factors first),
// "auto:butterfly" (twos), "32,32", or "m=4,2;n=2,4" for outputs and inputs apart.
// [pc/README 3.3]
[[nodiscard]] MonarchFactors read_factors(const std::string& text, std::int64_t hidden);
// The way back: "32,32" or "m=4,2;n=2,4".
[[nodiscard]] std::string factors_text(const MonarchFactors& factors);
// "1,2,1"
[[nodiscard]] std::vector<int> read_program(const std::string& text);
// The d factors with the least sum, in ascending order.
[[nodiscard]] std::vector<std::int64_t> square_factors(std::int64_t hidden, int d);

}  // namespace logpx
