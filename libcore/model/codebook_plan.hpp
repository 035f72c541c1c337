// Coding by a codebook: the posterior over N samples of a model's prior, exactly. A model that has
// an encoder codes by bits back, unless a codebook is asked for.   [codec/README 4.5]
//
//   CodebookPlan plan([&](const CodebookPlan::Book& book, Workers& workers) {
//     return make_book(model, book, workers);
//   });
#pragma once

#include "libcore/codec/codebook.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace logpx {

struct CodebookKnobs {
  std::string codebook = "1024";
  std::uint64_t codebook_seed = 1;  // seed of the samples
  void describe(Fields& fields);
};

class CodebookPlan final : public CodingPlan {
 public:
  struct Book {
    std::int64_t entries = 0;
    std::uint64_t seed = 1;
  };
  // A usage error where it would be too large.
  using MakeBook = std::function<std::unique_ptr<const codec::CodebookCoding>(const Book& book,
                                                                              Workers& workers)>;
  explicit CodebookPlan(MakeBook make) : make_(std::move(make)) {}
  // For a model with an encoder.
  CodebookPlan(MakeBook make, BitsBackPlan::MakeCoding coding);

  void describe(Fields& fields) override;
  // auto: the fewest of 256, 1024, 4096, 16384 entries within 0.1 % of the shortest code; or bits
  // back, where that is shorter.
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  // Lengths are exact for the mean of p(x|z) over the entries, which are random draws.
  [[nodiscard]] Bound kind() const override { return Bound::stochastic_lower_bound; }

 private:
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme_of(std::int64_t entries,
                                                         Workers& workers) const;
  [[nodiscard]] bool wants_encoder() const;
  MakeBook make_;
  CodebookKnobs knobs_;
  std::optional<BitsBackPlan> bits_back_;
};

}  // namespace logpx
