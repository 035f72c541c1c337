#include "formats/archive/recorded_decisions.hpp"

#include "libcore/base/error.hpp"

#include <bit>
#include <utility>

namespace logpx::archive {
namespace {

// log2 in sixteenths, by a line between powers of two.
std::uint64_t log_sixteenths(std::uint64_t number) {
  const auto whole = static_cast<std::uint64_t>(std::bit_width(number)) - 1;
  return 16 * whole + (16 * number >> whole) - 16;
}

}  // namespace

int DecisionRecorder::code(int bit, std::size_t context) {
  recorded_.push_back(static_cast<std::uint16_t>(2 * context + static_cast<std::size_t>(bit)));
  return bit;
}

RecordedDecisions DecisionRecorder::take() { return std::exchange(recorded_, {}); }

void DecisionRepeater::add(const RecordedDecisions& more) {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  waiting_.insert(waiting_.end(), more.begin(), more.end());
}

int DecisionRepeater::code(int, std::size_t context) {
  if (at_ == waiting_.size() || waiting_[at_] / 2 != context)
    fail(ErrorKind::data, "recipe", "decides in another order");
  return waiting_[at_++] % 2;
}

void hand_on(const RecordedDecisions& recorded, deflate::Decisions& to) {
  for (const std::uint16_t decision : recorded) (void)to.code(decision % 2, decision / 2);
}

void DecisionCost::add(const RecordedDecisions& more) {
  for (const std::uint16_t decision : more) {
    auto& count = seen_[decision / 2].count;
    sixteenths_ +=
        log_sixteenths(std::uint64_t{count[0]} + count[1]) - log_sixteenths(count[decision % 2]);
    ++count[decision % 2];
  }
}

}  // namespace logpx::archive
