#include "libcore/families/arm/coding/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/arm/coding/order_coding.hpp"
#include "libcore/model/settled_size.hpp"
#include "libcore/model/words_plan.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace logpx::arm {
namespace {

class OrderPlan final : public CodingPlan {
 public:
  // Called when a scheme is made.
  using CodingOf = std::function<const OrderCoding&()>;
  OrderPlan(const OrderModel& model, CodingOf coding)
      : rule_(model.rule()), coding_(std::move(coding)) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  [[nodiscard]] Bound kind() const override;

 private:
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme_of(CodingOrder order) const;
  [[nodiscard]] double bits_of(CodingOrder order, std::span<const std::uint8_t> sample) const;
  OrderRule rule_;
  CodingOf coding_;
  CodingSettings settings_;
};

void OrderPlan::settle(std::span<const std::uint8_t> sample, Workers&) {
  if (settings_.order == CodingOrder::greedy && !rule_.learned())
    fail(ErrorKind::usage, "--arm-order greedy", "needs a model that has learned its order",
         "--arm-order policy");
  if (settings_.order == CodingOrder::fixed && !rule_.groups.empty())
    fail(ErrorKind::usage, "--arm-order fixed", "is not the order that this model was trained for",
         "--arm-order policy");
  if (settings_.order != CodingOrder::best) return;
  settings_.order = CodingOrder::policy;
  if (sample.empty() || !rule_.groups.empty()) return;
  double fewest = bits_of(CodingOrder::policy, sample);
  for (const CodingOrder order : {CodingOrder::greedy, CodingOrder::fixed}) {
    if (order == CodingOrder::greedy && !rule_.learned()) continue;
    const double bits = bits_of(order, sample);
    if (bits < fewest) settings_.order = order;
    fewest = std::min(bits, fewest);
  }
}

// Infinite where a row of the sample cannot be coded.
double OrderPlan::bits_of(CodingOrder order, std::span<const std::uint8_t> sample) const {
  try {
    return steady_bits(*scheme_of(order), sample);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return std::numeric_limits<double>::infinity();
  }
}

std::unique_ptr<codec::Scheme> OrderPlan::scheme_of(CodingOrder order) const {
  using codec::KnownOrderKind;
  const auto known = [&](KnownOrderKind kind) {
    return std::make_unique<codec::KnownOrder>(coding_(), kind);
  };
  if (order == CodingOrder::fixed) return known(KnownOrderKind::ascending);
  if (order == CodingOrder::greedy || !rule_.groups.empty()) return known(KnownOrderKind::greedy);
  if (!rule_.learned()) return known(KnownOrderKind::permuted);
  return std::make_unique<codec::LatentOrder>(coding_());
}

std::unique_ptr<codec::Scheme> OrderPlan::scheme(Workers&) const {
  return scheme_of(settings_.order);
}

// The cost along an order that the model would not draw is no bound on log p(x).
Bound OrderPlan::kind() const {
  if (rule_.is_fixed()) return Bound::exact;
  const bool latent = rule_.learned() && settings_.order == CodingOrder::policy;
  return latent ? Bound::stochastic_lower_bound : Bound::estimate;
}

// Rows of molecules are bytes, since no_part says where one ends.
CodedItem coded_row(const OrderModel& model) {
  CodedItem item = item_of(model.model_info().samples);
  if (model.reader().form().holds_molecules()) item.levels = 256;
  return item;
}

class ArmCodec final : public ModelCodec {
 public:
  explicit ArmCodec(const OrderModel& model)
      : ModelCodec(coded_row(model)),
        model_(model),
        coding_(model, model.form()),
        all_levels_(model, model.form().of_all_levels()) {}
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    return plan_of_words(model_.form().values(), [this](const CodedValues& values) {
      return std::make_unique<OrderPlan>(model_, [this, &values]() -> const OrderCoding& {
        return values == CodedValues::words ? coding_ : all_levels_;
      });
    });
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    return model_.reader().symbols(examples);
  }

 private:
  const OrderModel& model_;
  OrderCoding coding_, all_levels_;
};

}  // namespace

void CodingSettings::describe(Fields& fields) {
  fields.add("arm-order", order,
             {{"policy", CodingOrder::policy, "a draw of the policy, paid for by bits back"},
              {"greedy", CodingOrder::greedy, "the policy's likeliest, which costs nothing"},
              {"fixed", CodingOrder::fixed, "as values are stored"},
              {"best", CodingOrder::best, "whatever is shortest for a sample of the rows"}},
             "which value comes next: by the policy, its likeliest, as stored, or the shortest");
}

std::unique_ptr<ModelCodec> make_codec(const OrderModel& model) {
  return std::make_unique<ArmCodec>(model);
}

}  // namespace logpx::arm
