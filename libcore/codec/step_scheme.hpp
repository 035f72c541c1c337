// A scheme that is one list of steps. Each step knows its push and its pop; an encoder walks the
// list forwards and a decoder backwards, so the two directions cannot drift apart.
// [codec/README 4.1]
//
//   struct OneLatent : StepScheme<LatentVariables> {
//     OneLatent() {
//       drawn(Part::posterior, push_q, pop_q);    // bits back: encoding pops z ~ q(z|x)
//       coded(Part::likelihood, push_x, pop_x);   // encoding pushes x under p(x|z)
//       coded(Part::prior, push_z, pop_z);        // and z under p(z)
//     }
//   };
#pragma once

#include "libcore/codec/scheme.hpp"

#include <functional>
#include <utility>

namespace logpx::codec {

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

// A scheme whose items are coded one by one. `Variables` are those of one item, with its symbols as
// std::vector<std::uint8_t> x among them.
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
  using V = Variables;
  using Kind = typename Step<Variables>::Kind;
  using Action = typename Step<Variables>::Action;
  void drawn(Part part, Action push, Action pop) {
    steps_.push_back({Kind::drawn, part, std::move(push), std::move(pop)});
  }
  void coded(Part part, Action push, Action pop) {
    steps_.push_back({Kind::coded, part, std::move(push), std::move(pop)});
  }

  // Allocated; for an encoder, with what can be computed for all its items together.
  [[nodiscard]] virtual Variables variables_for(std::span<const std::uint8_t> items,
                                                std::uint64_t block) const = 0;

 private:
  Steps<Variables> steps_;
};

}  // namespace logpx::codec
