#include "libcore/model/sequence_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"

#include <string>

namespace logpx {

constexpr auto most_interleave = static_cast<std::int64_t>(codec::most_interleaved);

void SequenceKnobs::describe_interleave(Fields& fields) {
  fields
      .add("interleave", interleave,
           "windows or pictures that are coded in step; more are faster and take more memory")
      .range(1, most_interleave)
      .rank(Rank::manual);
}

void SequenceKnobs::describe(Fields& fields) {
  describe_interleave(fields);
  fields.add("carry", carry, "one long sequence in place of windows").rank(Rank::manual);
}

SequencePlan::SequencePlan(const codec::SequenceCoding& coding)
    : coding_(std::shared_ptr<const void>(), &coding) {}

void SequencePlan::describe(Fields& fields) {
  if (coding_->carries()) knobs_.describe(fields);
  else knobs_.describe_interleave(fields);
}

std::unique_ptr<codec::Scheme> SequencePlan::scheme(Workers&) const {
  if (knobs_.interleave < 1 || knobs_.interleave > most_interleave)
    fail(ErrorKind::usage, "--interleave",
         "is " + std::to_string(knobs_.interleave) + ", expected 1 to " +
             std::to_string(most_interleave));
  return std::make_unique<codec::Sequential>(
      coding_,
      codec::SequenceSettings{.interleave = static_cast<std::size_t>(knobs_.interleave),
                              .carry = knobs_.carry ? codec::Carry::state : codec::Carry::none});
}

void SequencePlan::require_own_scores() const {
  if (knobs_.carry)
    fail(ErrorKind::usage, "--carry", "joins rows to one sequence, and here every row stands alone",
         "leave out --carry; the report of bits-back-encode says what it saves");
}

}  // namespace logpx
