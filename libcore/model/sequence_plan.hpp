// The plan of models that are coded exactly, symbol by symbol.   [codec/README 4.6]
//
//   std::unique_ptr<CodingPlan> plan = std::make_unique<SequencePlan>(coding);
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace logpx {

struct SequenceKnobs {
  std::int64_t interleave = 64;
  bool carry = false;
  void describe(Fields& fields);
  void describe_interleave(Fields& fields);  // for models whose items stand alone
};

class SequencePlan final : public CodingPlan {
 public:
  // It must outlive the schemes.
  explicit SequencePlan(const codec::SequenceCoding& coding);
  // The schemes keep it. `kind` is that of the score if the coding adds symbols of its own.
  explicit SequencePlan(std::shared_ptr<const codec::SequenceCoding> coding,
                        Bound kind = Bound::exact)
      : coding_(std::move(coding)), kind_(kind) {}
  void describe(Fields& fields) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  [[nodiscard]] Bound kind() const override { return kind_; }
  void require_own_scores() const override;

 private:
  std::shared_ptr<const codec::SequenceCoding> coding_;
  Bound kind_ = Bound::exact;
  SequenceKnobs knobs_;
};

}  // namespace logpx
