#include "libcore/model/codebook_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/model/settled_size.hpp"

#include <array>

namespace logpx {
namespace {

constexpr const char* usual_codebook = "1024";  // when there is no sample to try others on
constexpr const char* bits_back_word = "off";

}  // namespace

void CodebookKnobs::describe(Fields& fields) {
  fields
      .add("codebook", codebook,
           "samples of the prior to code by; off: bits back; auto: the shortest")
      .about(
          "More samples make shorter archives, and each item looks at all of them: time grows with "
          "N on both sides. off needs a model with an encoder.")
      .metavar("N|WORD")
      .shows_default("1024; with an encoder off");
  fields.add("codebook-seed", codebook_seed, "seed of these samples")
      .at_least(0)
      .rank(Rank::manual);
}

CodebookPlan::CodebookPlan(MakeBook make, BitsBackPlan::MakeCoding coding)
    : make_(std::move(make)), bits_back_(std::move(coding)) {
  knobs_.codebook = bits_back_word;
}

void CodebookPlan::describe(Fields& fields) {
  knobs_.describe(fields);
  if (bits_back_) bits_back_->describe(fields);
}

bool CodebookPlan::wants_encoder() const {
  if (knobs_.codebook != bits_back_word) return false;
  if (bits_back_) return true;
  fail(ErrorKind::usage, "--codebook off", "needs a model with an encoder for bits back",
       "fit-prior DATA -o KE.h5 --encoder-for MODEL.h5");
}

void CodebookPlan::settle(std::span<const std::uint8_t> sample, Workers& workers) {
  const bool chooses = knobs_.codebook == "auto";
  if (bits_back_ && (chooses || wants_encoder())) bits_back_->settle(sample, workers);
  if (!chooses) return;
  knobs_.codebook = bits_back_ ? bits_back_word : usual_codebook;
  if (sample.empty()) return;
  constexpr std::array<std::int64_t, 4> choices = {256, 1024, 4096, 16384};
  const auto of_size = [&](std::int64_t entries) { return scheme_of(entries, workers); };
  const std::int64_t entries = settled_size(choices, sample, of_size);
  const bool encodes = bits_back_ && steady_bits(*bits_back_->scheme(workers), sample) <
                                         steady_bits(*scheme_of(entries, workers), sample);
  if (!encodes) knobs_.codebook = std::to_string(entries);
}

std::unique_ptr<codec::Scheme> CodebookPlan::scheme(Workers& workers) const {
  if (wants_encoder()) return bits_back_->scheme(workers);
  const auto entries = parse_integer(knobs_.codebook);
  if (!entries || *entries < 1 || *entries > codec::most_codebook_entries)
    fail(ErrorKind::usage, "--codebook",
         "is '" + knobs_.codebook + "', expected 1 to " +
             std::to_string(codec::most_codebook_entries));
  return scheme_of(*entries, workers);
}

std::unique_ptr<codec::Scheme> CodebookPlan::scheme_of(std::int64_t entries,
                                                       Workers& workers) const {
  return std::make_unique<codec::Codebook>(make_({entries, knobs_.codebook_seed}, workers));
}

}  // namespace logpx
