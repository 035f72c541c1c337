// How a model's items become a message and come back. A scheme is one list of steps; each step
// knows its push and its pop, an encoder walks the list forwards and a decoder backwards, so the
// two directions cannot drift apart.   [spec/coding.md sections 4, 12]
//
//   steps = {drawn(Part::posterior, push_z, pop_z),    // bits back: encoding pops z ~ q(z|x)
//            coded(Part::likelihood, push_x, pop_x),   // encoding pushes x under p(x|z)
//            coded(Part::prior, push_z, pop_z)};       // and z under p(z)
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/rans.hpp"
#include "libcore/det/fp_environment.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::codec {

enum class Part { likelihood, prior, posterior, bootstrap };

// Bits by part; the posterior's are returned, so they count below zero.
struct Costs {
  std::array<double, 4> bits{};
  double& of(Part part) { return bits[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double of(Part part) const { return bits[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double total() const { return bits[0] + bits[1] + bits[2] + bits[3]; }
  Costs& operator+=(const Costs& other) {
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] += other.bits[i];
    return *this;
  }
};

class Scheme {
 public:
  Scheme() = default;
  Scheme(const Scheme&) = delete;  // steps know their scheme by its address
  Scheme& operator=(const Scheme&) = delete;
  virtual ~Scheme() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;  // symbols

  // Items lie one after another. The last of them may be shorter than item_size() where a coding
  // takes such items; the number of symbols says so.
  [[nodiscard]] std::size_t items_in(std::size_t symbols) const {
    return (symbols + item_size() - 1) / item_size();
  }
  template <typename T>
  [[nodiscard]] std::span<T> item_of(std::span<T> items, std::size_t i) const {
    const std::size_t begin = i * item_size();
    return items.subspan(begin, std::min(item_size(), items.size() - begin));
  }

  // The last item goes first, so that they are decoded in order. Both may be called from several
  // threads at once. `block` is the number of the block in its archive.
  virtual void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
                      Costs& costs) const = 0;
  virtual void decode(Message& message, std::span<std::uint8_t> items,
                      std::uint64_t block) const = 0;

  // ln p(x) of each item, or the bound that the code length tends to, by the coder's own numbers.
  // The caller sees to a plain environment (libcore/det/fp_environment.hpp).
  // Item i draws from substream `first + i`.
  virtual void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                     std::span<double> nats) const = 0;
};

template <typename Variables>
struct Step {
  enum class Kind { drawn, coded };  // by an encoder: popped, pushed
  using Action = std::function<void(Message&, Variables&)>;
  Kind kind;
  Part part;
  Action push, pop;
};
template <typename Variables>
using Steps = std::vector<Step<Variables>>;

template <typename Variables>
void encode_steps(const Steps<Variables>& steps, Message& message, Variables& variables,
                  Costs& costs) {
  double before = message.bits();
  for (const Step<Variables>& step : steps) {
    (step.kind == Step<Variables>::Kind::drawn ? step.pop : step.push)(message, variables);
    const double after = message.bits();
    costs.of(step.part) += after - before;
    before = after;
  }
}
template <typename Variables>
void decode_steps(const Steps<Variables>& steps, Message& message, Variables& variables) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    (step->kind == Step<Variables>::Kind::drawn ? step->push : step->pop)(message, variables);
}

// Numbers that a model can make nothing of are the fault of what was read, when decoding: an
// encoder would have stopped there.
template <typename Action>
void reading(Action action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::numeric) corrupt(error.message());
    throw;
  }
}

// A scheme whose items are coded one by one: `Variables` are those of an item, x among them as
// std::vector<std::uint8_t> x.
template <typename Variables>
class StepScheme : public Scheme {
 public:
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
              Costs& costs) const final {
    const det::FpEnvironment plain;
    Variables variables = variables_for(items, block);
    for (std::size_t i = items_in(items.size()); i-- > 0;) {
      const auto x = item_of(items, i);
      variables.x.assign(x.begin(), x.end());
      variables.item = i;
      encode_steps(steps_, message, variables, costs);
    }
  }
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t block) const final {
    const det::FpEnvironment plain;
    Variables variables = variables_for({}, block);
    for (std::size_t i = 0; i < items_in(items.size()); ++i) {
      const auto x = item_of(items, i);
      variables.x.assign(x.size(), 0);
      reading([&] { decode_steps(steps_, message, variables); });
      std::copy(variables.x.begin(), variables.x.end(), x.begin());
    }
  }

 protected:
  using Kind = typename Step<Variables>::Kind;
  using Action = typename Step<Variables>::Action;
  void drawn(Part part, Action push, Action pop) {
    steps_.push_back({Kind::drawn, part, std::move(push), std::move(pop)});
  }
  void coded(Part part, Action push, Action pop) {
    steps_.push_back({Kind::coded, part, std::move(push), std::move(pop)});
  }

  // With their memory, and with what can be computed for all items of an encoder together.
  [[nodiscard]] virtual Variables variables_for(std::span<const std::uint8_t> items,
                                                std::uint64_t block) const = 0;

 private:
  Steps<Variables> steps_;
};

}  // namespace logpx::codec
