// Decisions that are kept until it is known whether their stream is: an encoder undoes a stream,
// repeats at once what was decided to see that the very stream comes out, and hands it on.
#pragma once

#include "formats/deflate/decisions.hpp"

#include <cstdint>
#include <vector>

namespace logpx::archive {

using RecordedDecisions = std::vector<std::uint16_t>;  // twice the context, plus the bit
static_assert(2 * deflate::decision_contexts <= 1 << 16);

class DecisionRecorder final : public deflate::Decisions {
 public:
  [[nodiscard]] int code(int bit, std::size_t context) override;
  // What was recorded since it was last asked.
  [[nodiscard]] RecordedDecisions take();

 private:
  RecordedDecisions recorded_;
};

class DecisionRepeater final : public deflate::Decisions {
 public:
  void add(const RecordedDecisions& more);
  // A data error for decisions in another order than they were made.
  [[nodiscard]] int code(int bit, std::size_t context) override;

 private:
  RecordedDecisions waiting_;
  std::size_t at_ = 0;
};

void hand_on(const RecordedDecisions& recorded, deflate::Decisions& to);

// About how many bytes decisions take, when each context learns how often it was one.
class DecisionCost {
 public:
  DecisionCost() : seen_(deflate::decision_contexts) {}
  void add(const RecordedDecisions& more);
  [[nodiscard]] std::uint64_t bytes() const { return sixteenths_ / 128; }

 private:
  struct Seen {
    std::uint32_t count[2] = {1, 1};
  };
  std::vector<Seen> seen_;
  std::uint64_t sixteenths_ = 0;  // of a bit
};

}  // namespace logpx::archive
