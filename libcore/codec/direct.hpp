// Exact coding of items whose distribution is known beforehand, one SymbolVector for all of them:
// no latents, no bits back.
//
//   const Direct scheme(784, [] {
//     return symbols_of([](std::size_t, auto) { return Bernoulli(0.3, 24); });
//   });
#pragma once

#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/symbol_vector.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace logpx::codec {

struct DirectVariables {
  std::vector<std::uint8_t> x = {};
  std::size_t item = 0;
  std::unique_ptr<SymbolVector> p = nullptr;  // it may keep memory between calls
};

class Direct final : public StepScheme<DirectVariables> {
 public:
  // Called by every thread that codes.
  using Make = std::function<std::unique_ptr<SymbolVector>()>;
  Direct(std::size_t item_size, Make make) : item_size_(item_size), make_(std::move(make)) {
    coded(
        Part::likelihood, [](Message& m, DirectVariables& v) { v.p->push(m, v.x); },
        [](Message& m, DirectVariables& v) { v.p->pop(m, v.x); });
  }
  [[nodiscard]] std::size_t item_size() const override { return item_size_; }
  // ln p(x), exactly.
  void score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
             std::span<double> nats) const override {
    const std::unique_ptr<SymbolVector> p = make_();
    for (std::size_t i = 0; i < nats.size(); ++i)
      nats[i] = p->add_log_probability(item_of(items, i), 0.0);
  }

 private:
  [[nodiscard]] DirectVariables variables_for(std::span<const std::uint8_t>,
                                              std::uint64_t) const override {
    return {.p = make_()};
  }
  std::size_t item_size_;
  Make make_;
};

}  // namespace logpx::codec
