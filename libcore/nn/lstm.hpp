// A layer of long short-term memory, forward alone, on a batch of rows that move on together:
//
//   i, f, o = sigmoid and g = tanh of x W + h U + b,   c' = f c + i g,   h' = o tanh(c')
//
// All rows go through a layer place by place:
//
//   LstmState state = layer.start(rows);
//   for (const std::span<const float> x : places) {
//     layer.begin(x, gates);      // x W + b: for as many rows and positions at once as one likes
//     layer.step(gates, state);   // the rest, for one position of all rows
//   }
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// As PyTorch keeps them: gates i, f, g, o one below the other.
struct LstmTensors {
  std::int64_t inputs = 0, units = 0;
  std::span<const float> input;      // [4 units, inputs]
  std::span<const float> recurrent;  // [4 units, units]
  std::span<const float> bias;       // [4 units]: the sum of both that PyTorch has
};

struct LstmState {
  std::int64_t rows = 0;
  std::vector<float> h, c;  // [rows, units]
};

class Lstm {
 public:
  explicit Lstm(const LstmTensors& tensors);  // copies them

  [[nodiscard]] std::int64_t inputs() const { return inputs_; }
  [[nodiscard]] std::int64_t units() const { return units_; }
  [[nodiscard]] std::int64_t gates() const { return 4 * units_; }  // numbers of a row

  [[nodiscard]] LstmState start(std::int64_t rows) const;  // h = c = 0
  // gates = x W + b: [rows, gates()] of x [rows, inputs].
  void begin(std::span<const float> x, std::span<float> gates) const;
  // Adds h U to the gates [rows of the state, gates()], which it uses up, and moves the state on.
  void step(std::span<float> gates, LstmState& state) const;

 private:
  std::int64_t inputs_, units_;
  std::vector<float> w_, u_, b_;  // w [inputs, gates], u [units, gates]
};

}  // namespace logpx
