#include "libcore/model/words_plan.hpp"

#include "libcore/base/fields.hpp"

#include <utility>

namespace logpx {
namespace {

class WordsPlan final : public CodingPlan {
 public:
  explicit WordsPlan(const PlanOfValues& make) : plan_(make(values_)) {}

  void describe(Fields& fields) override {
    fields
        .add("values", values_,
             {{"levels", CodedValues::levels, "its number"},
              {"words", CodedValues::words, "its text"}},
             "what a value of a column of words is coded as")
        .external()  // not an option of any tool
        .rank(Rank::set_only);
    plan_->describe(fields);
  }
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override {
    values_ = CodedValues::words;
    plan_->settle(sample, workers);
  }
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override {
    return plan_->scheme(workers);
  }
  void require_own_scores() const override { plan_->require_own_scores(); }
  [[nodiscard]] Bound kind() const override { return plan_->kind(); }
  [[nodiscard]] std::vector<std::string> doubts() const override { return plan_->doubts(); }

 private:
  CodedValues values_ = CodedValues::levels;
  std::unique_ptr<CodingPlan> plan_;
};

}  // namespace

std::unique_ptr<CodingPlan> plan_of_words(const LevelsOfX& levels, const PlanOfValues& make) {
  static constexpr CodedValues alike = CodedValues::levels;
  if (levels.alike()) return make(alike);
  return std::make_unique<WordsPlan>(make);
}

}  // namespace logpx
