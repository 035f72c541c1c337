#include "libcore/model/codebook_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/model/settled_size.hpp"

#include <array>

namespace logpx {
namespace {

constexpr const char* usual_codebook = "1024";  // where there is nothing to try others on

}  // namespace

void CodebookKnobs::describe(Fields& fields) {
  fields
      .add("codebook", codebook,
           "samples of the prior that items are coded by, 1 to 524288; auto: the fewest that are "
           "enough")
      .metavar("N|auto")
      .source("coding 4.6");
}

void CodebookPlan::settle(std::span<const std::uint8_t> sample, Workers& workers) {
  if (knobs_.codebook != "auto") return;
  constexpr std::array<std::int64_t, 4> choices = {256, 1024, 4096, 16384};
  const auto of_size = [&](std::int64_t entries) { return scheme_of(entries, workers); };
  knobs_.codebook =
      sample.empty() ? usual_codebook : std::to_string(settled_size(choices, sample, of_size));
}

std::unique_ptr<codec::Scheme> CodebookPlan::scheme(Workers& workers) const {
  const auto entries = parse_integer(knobs_.codebook);
  if (!entries || *entries < 1 || *entries > codec::most_codebook_entries)
    fail(ErrorKind::usage, "--codebook",
         "is '" + knobs_.codebook + "', expected 1 to " +
             std::to_string(codec::most_codebook_entries));
  return scheme_of(*entries, workers);
}

std::unique_ptr<codec::Scheme> CodebookPlan::scheme_of(std::int64_t entries,
                                                       Workers& workers) const {
  return std::make_unique<codec::Codebook>(make_(entries, workers));
}

}  // namespace logpx
