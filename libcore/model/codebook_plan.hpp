// Coding by a codebook: the posterior over N samples of a model's prior, exactly.
// [spec/coding.md section 4.6]
//
//   CodebookPlan plan([&](std::int64_t entries, Workers& workers) {
//     return make_book(model, entries, workers);
//   });
#pragma once

#include "libcore/codec/codebook.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace logpx {

struct CodebookKnobs {
  std::string codebook = "1024";
  void describe(Fields& fields);
};

class CodebookPlan final : public CodingPlan {
 public:
  // A book of so many entries; a usage error where it would be too large.
  using MakeBook = std::function<std::unique_ptr<const codec::CodebookCoding>(std::int64_t entries,
                                                                              Workers& workers)>;
  explicit CodebookPlan(MakeBook make) : make_(std::move(make)) {}
  void describe(Fields& fields) override { knobs_.describe(fields); }
  // The fewest entries within 0.1 % of the shortest code, of 256, 1024, 4096, 16384.
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  // Of the mean of p(x|z) over the entries, which are drawn, the length is exact.
  [[nodiscard]] Bound kind() const override { return Bound::stochastic_lower_bound; }

 private:
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme_of(std::int64_t entries,
                                                         Workers& workers) const;
  MakeBook make_;
  CodebookKnobs knobs_;
};

}  // namespace logpx
