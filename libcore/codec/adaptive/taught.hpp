// What predictors have learned from the bytes before a block: kept while the block is coded in
// several ways and decoded to be sure, so that those bytes are read once.
#pragma once

#include <cstddef>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace logpx::codec::adaptive {

// For blocks of one size after the same bytes.
class Taught {
 public:
  // The predictor of that type that has read them, or null.
  template <typename Predictor>
  [[nodiscard]] const Predictor* find() const {
    for (const auto& [type, predictor] : kept_)
      if (type == typeid(Predictor)) return static_cast<const Predictor*>(predictor.get());
    return nullptr;
  }
  template <typename Predictor>
  void keep(std::shared_ptr<const Predictor> predictor) {
    kept_.emplace_back(typeid(Predictor), std::move(predictor));
  }
  [[nodiscard]] std::size_t count() const { return kept_.size(); }

 private:
  std::vector<std::pair<std::type_index, std::shared_ptr<const void>>> kept_;
};

}  // namespace logpx::codec::adaptive
