// What comes out when a file is unfolded: steps of its recipe with what they put, and decisions.
#pragma once

#include "formats/archive/recipe.hpp"
#include "formats/archive/recorded_decisions.hpp"
#include "formats/deflate/stream_state.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

namespace logpx::archive {

struct Unfolded {
  std::optional<RecipeStep> step = {};
  ByteVector content = {};  // that the step puts
  std::size_t channel = 0;  // of the decisions
  RecordedDecisions decisions = {};
};
using UnfoldedSink = std::function<void(Unfolded)>;

// Takes the content of a stream, and gives out what it is made of.
class ContentTaker {
 public:
  virtual ~ContentTaker() = default;
  virtual void add(ByteView content) = 0;
  // False if this was not the content that it can take.
  [[nodiscard]] virtual bool finish() = 0;
};

// What unfolding a file may cost: contents are at most 64 times as long as the file, and work that
// comes to nothing is at most a few times what reading it is. A stream with all that lies in it is
// held to 64 times its length, too; blank pictures unfold to more, so contents may be longer by
// 1 MiB, of all streams together.
struct UnfoldBudget {
  std::uint64_t file = 0, contents = 0, wasted = 0;  // bytes
  std::uint64_t excess = 0;                          // over 64 times each stream
  [[nodiscard]] bool allows_content() const {
    return contents <= deflate::most_unfolding * file + deflate::free_content;
  }
  // Whether a stream of so many bytes is kept; `before` is the budget with which it began.
  [[nodiscard]] bool allows(const UnfoldBudget& before, std::uint64_t stream) {
    const std::uint64_t usual = deflate::most_unfolding * stream,
                        content = contents - before.contents;
    excess = std::max(excess, before.excess + (content > usual ? content - usual : 0));
    return excess <= deflate::free_content;
  }
  void drop(const UnfoldBudget& before, std::uint64_t stream) {
    wasted += stream + contents - before.contents;
    contents = before.contents;
    excess = before.excess;
  }
  [[nodiscard]] bool allows_trial() const { return wasted <= 2 * file + (4u << 20); }
};

}  // namespace logpx::archive
