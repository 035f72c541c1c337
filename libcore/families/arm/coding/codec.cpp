#include "libcore/families/arm/coding/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/arm/coding/step_groups.hpp"
#include "libcore/families/molecule_labels.hpp"
#include "libcore/model/settled_size.hpp"
#include "libcore/model/words_plan.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace logpx::arm {
namespace {

constexpr int symbol_precision = 24;

// Summed from the first to the last, so that all machines get the same weights.
void become_weights(std::span<double> logits) {
  const double largest = *std::ranges::max_element(logits);
  for (double& logit : logits) logit = det_exp(logit - largest);
}

// The logits of the values that a dim can have.
std::span<const double> logits_of(const Looks& looks, const RowForm& form, std::size_t dim) {
  return std::span(looks.values)
      .subspan(dim * at(form.levels()), at(form.levels_of(static_cast<std::int64_t>(dim))));
}

double det_entropy(std::span<const double> logits) {
  std::vector<double> weights(logits.begin(), logits.end());
  become_weights(weights);
  double sum = 0, nats = 0;
  for (const double weight : weights) sum += weight;
  for (const double weight : weights)
    if (weight > 0) nats -= weight / sum * det_log(weight / sum);
  return nats;
}

struct Asked {
  OrderRule rule;
  const StatePredictor& predictor;
  ChannelsFirst place;
};

class Walk final : public codec::OrderWalk {
 public:
  explicit Walk(const Asked& asked)
      : asked_(asked), x_(at(asked.predictor.dims())), seen_(x_.size()) {}

  void start_item(std::span<const std::uint32_t> positions) override {
    std::ranges::fill(x_, absent);
    for (const std::uint32_t position : positions) x_[asked_.place(position)] = 0;
    std::ranges::fill(seen_, std::uint8_t{0});
    looked_ = false;
  }
  void order_weights(std::span<const std::uint32_t> remaining, std::span<double> weights) override {
    const bool asks = asked_.rule.learned();
    if (asks) look();
    const StateView state{.x = x_, .seen = seen_, .values = looks_.values, .policy = looks_.policy};
    std::vector<std::uint8_t> may(x_.size());
    asked_.rule.candidates(state, may);
    for (std::size_t i = 0; i < remaining.size(); ++i) {
      const std::size_t dim = asked_.place(remaining[i]);
      if (may[dim] == 0) weights[i] = -std::numeric_limits<double>::infinity();
      else if (!asks) weights[i] = 0;
      else if (asked_.rule.kind == RuleKind::network) weights[i] = looks_.policy[dim];
      else
        weights[i] =
            -asked_.rule.beta * det_entropy(logits_of(looks_, asked_.predictor.form(), dim));
    }
    become_weights(weights);
  }
  [[nodiscard]] codec::SymbolDist symbol(std::uint32_t position) override {
    look();
    const RowForm& form = asked_.predictor.form();
    const auto logits = logits_of(looks_, form, asked_.place(position));
    std::vector<double> weights(logits.begin(), logits.end());
    become_weights(weights);
    if (!form.holds_molecules()) weights.resize(at(form.levels()), 0.0);  // all levels of a file
    return codec::Table::leaky(weights, symbol_precision);
  }
  void place(std::uint32_t position, std::uint8_t symbol) override {
    x_[asked_.place(position)] = symbol;
    seen_[asked_.place(position)] = 1;
    looked_ = false;
  }

 private:
  // The network is asked once in each state, if at all.
  void look() {
    if (!looked_) asked_.predictor.look({x_, seen_}, looks_);
    looked_ = true;
  }
  Asked asked_;
  std::vector<std::int32_t> x_;
  std::vector<std::uint8_t> seen_;
  Looks looks_;
  bool looked_ = false;
};

class Posterior final : public codec::OrderPosterior {
 public:
  explicit Posterior(const Asked& asked) : asked_(asked), g_(at(asked.predictor.dims())) {}

  void start_item(std::span<const std::uint8_t> item) override {
    std::vector<std::int32_t> x(item.size());
    const bool ends = asked_.predictor.form().holds_molecules();
    for (std::size_t i = 0; i < item.size(); ++i)
      x[asked_.place(i)] = ends && item[i] == no_part ? absent : item[i];
    asked_.predictor.choose(x, g_);
  }
  void order_weights(std::span<const std::uint32_t> remaining, std::span<double> weights) override {
    for (std::size_t i = 0; i < remaining.size(); ++i) weights[i] = g_[asked_.place(remaining[i])];
    become_weights(weights);
  }
  void place(std::uint32_t) override {}

 private:
  Asked asked_;
  std::vector<double> g_;
};

// The form of a stored molecule is its number of atoms less one.
class MoleculeForms final : public codec::ItemForms {
 public:
  MoleculeForms(const RowForm& form, const AtomCounts& counts)
      : form_(form), table_(codec::Table::leaky(counts.weights(), symbol_precision)) {}

  [[nodiscard]] const codec::Table& table() const override { return table_; }
  [[nodiscard]] std::uint32_t form_of(std::span<const std::uint8_t> x) const override {
    const auto atoms = x.first(std::min(at(form_.most_atoms()), x.size()));
    const std::int64_t count = std::ranges::find(atoms, no_part) - atoms.begin();
    std::vector<std::uint8_t> rest(x.begin(), x.end());
    bool fits = count > 0 && std::ssize(x) == form_.dims();
    for (const std::int32_t dim : fits ? form_.dims_of(count) : std::vector<std::int32_t>()) {
      fits = fits && x[at(dim)] < form_.levels_of(dim);
      rest[at(dim)] = no_part;
    }
    if (!fits || std::ranges::any_of(rest, [](std::uint8_t part) { return part != no_part; }))
      fail(ErrorKind::data, "", "holds a row that is no molecule of the model");
    return static_cast<std::uint32_t>(count - 1);
  }
  [[nodiscard]] std::vector<std::uint32_t> positions(std::uint32_t form) const override {
    const std::vector<std::int32_t> dims = form_.dims_of(std::int64_t{form} + 1);
    return {dims.begin(), dims.end()};
  }
  [[nodiscard]] std::uint8_t elsewhere() const override { return no_part; }

 private:
  RowForm form_;
  codec::Table table_;
};

}  // namespace

OrderCoding::OrderCoding(const OrderModel& model, const RowForm& form)
    : model_(model),
      place_(model.model_info().samples),
      predictor_(model.repeatable_predictor(form)) {}

std::size_t OrderCoding::item_size() const { return at(predictor_->dims()); }

std::unique_ptr<codec::OrderWalk> OrderCoding::walk() const {
  return std::make_unique<Walk>(Asked{model_.rule(), *predictor_, place_});
}

std::unique_ptr<const codec::ItemForms> OrderCoding::forms() const {
  if (model_.atom_counts() == nullptr) return nullptr;
  return std::make_unique<MoleculeForms>(predictor_->form(), *model_.atom_counts());
}

std::unique_ptr<codec::OrderPosterior> OrderCoding::posterior() const {
  return std::make_unique<Posterior>(Asked{model_.rule(), *predictor_, place_});
}

std::vector<std::int64_t> OrderCoding::group_ends(std::span<const std::uint8_t> items,
                                                  std::size_t groups) const {
  const std::size_t size = item_size();
  const bool ends = predictor_->form().holds_molecules();
  std::vector<SampleRow> rows(std::min<std::size_t>(items.size() / size, 8));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto item = items.subspan(i * size, size);
    rows[i].x.resize(size);
    for (std::size_t k = 0; k < size; ++k)
      rows[i].x[place_(k)] = ends && item[k] == no_part ? absent : item[k];
    rows[i].order = codec::block_order(static_cast<std::uint32_t>(size), i);
    for (std::uint32_t& dim : rows[i].order) dim = static_cast<std::uint32_t>(place_(dim));
  }
  return best_groups(nats_by_known(*predictor_, rows), groups);
}

namespace {

class OrderPlan final : public CodingPlan {
 public:
  // Called when a scheme is made.
  using CodingOf = std::function<const OrderCoding&()>;
  OrderPlan(const OrderModel& model, CodingOf coding)
      : rule_(model.rule()), coding_(std::move(coding)) {}
  void describe(Fields& fields) override;
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  void require_own_scores() const override;
  [[nodiscard]] Bound kind() const override;

 private:
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme_of(CodingOrder order) const;
  [[nodiscard]] std::vector<std::uint32_t> checked_ends(std::size_t size) const;
  void settle_groups(std::span<const std::uint8_t> sample);
  [[nodiscard]] double bits_of(CodingOrder order, std::span<const std::uint8_t> sample) const;
  OrderRule rule_;
  CodingOf coding_;
  CodingSettings settings_;
  std::vector<std::int64_t> group_ends_;  // ascending to the size of an item; empty: one by one
};

void OrderPlan::describe(Fields& fields) {
  settings_.describe(fields);
  fields.add("group-ends", group_ends_, "where the values end that are coded from one look")
      .external()  // not an option of any tool
      .rank(Rank::set_only)
      .unset_while([this] { return group_ends_.empty(); });
}

void OrderPlan::settle(std::span<const std::uint8_t> sample, Workers&) {
  if (settings_.order == CodingOrder::greedy && !rule_.learned())
    fail(ErrorKind::usage, "--arm-order greedy", "needs a model that has learned its order",
         "--arm-order policy");
  if (settings_.order == CodingOrder::fixed && !rule_.groups.empty())
    fail(ErrorKind::usage, "--arm-order fixed", "is not the order that this model was trained for",
         "--arm-order policy");
  if (settings_.parallel_steps > 0) return settle_groups(sample);
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

void OrderPlan::settle_groups(std::span<const std::uint8_t> sample) {
  if (rule_.learned() || !rule_.groups.empty())
    fail(ErrorKind::usage, "--parallel-steps",
         "goes with a model to which all orders are alike (train-arm --model ao)",
         "leave out --parallel-steps");
  if (settings_.order != CodingOrder::policy)
    fail(ErrorKind::usage, "--parallel-steps",
         "goes with an order in which no place leans on the one before it", "--arm-order policy");
  const OrderCoding& coding = coding_();
  const std::size_t groups = at(settings_.parallel_steps);
  if (sample.size() < coding.item_size() || groups >= coding.item_size()) return;
  group_ends_ = coding.group_ends(sample, groups);
}

void OrderPlan::require_own_scores() const {
  if (settings_.parallel_steps > 0 && group_ends_.empty())
    fail(ErrorKind::usage, "--parallel-steps",
         "chooses by the rows of an archive what is coded at once, and here every row stands alone",
         "leave out --parallel-steps; the report of bits-back-encode says what it costs");
}

// An archive is hostile.
std::vector<std::uint32_t> OrderPlan::checked_ends(std::size_t size) const {
  std::vector<std::uint32_t> ends;
  for (const std::int64_t end : group_ends_) {
    if (end <= (ends.empty() ? 0 : std::int64_t{ends.back()}) ||
        end > static_cast<std::int64_t>(size))
      fail(ErrorKind::usage, "group_ends", "is no ascending list of places in an item");
    ends.push_back(static_cast<std::uint32_t>(end));
  }
  if (!ends.empty() && ends.back() != size)
    fail(ErrorKind::usage, "group_ends", "leaves out the end of an item");
  return ends;
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
  const auto known = [&](KnownOrderKind kind, std::vector<std::uint32_t> ends = {}) {
    return std::make_unique<codec::KnownOrder>(coding_(), kind, std::move(ends));
  };
  if (order == CodingOrder::fixed) return known(KnownOrderKind::ascending);
  if (order == CodingOrder::greedy || !rule_.groups.empty()) return known(KnownOrderKind::greedy);
  if (!rule_.learned()) return known(KnownOrderKind::permuted, checked_ends(coding_().item_size()));
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
  [[nodiscard]] std::unique_ptr<const codec::ItemLabels> labels() const override;

 private:
  const OrderModel& model_;
  OrderCoding coding_, all_levels_;
};

std::unique_ptr<const codec::ItemLabels> ArmCodec::labels() const {
  if (!model_.form().holds_molecules()) return nullptr;
  if (const std::string by = model_.sees_numbers_by(); !by.empty())
    fail(ErrorKind::usage, "--as-set",
         "needs a model to which a molecule is the same however its atoms are numbered, and this "
         "one tells numberings apart by " +
             by,
         "leave the model out, for the adaptive coder takes sets as well, or leave out --as-set");
  return std::make_unique<MoleculeLabels>();
}

}  // namespace

void CodingSettings::describe(Fields& fields) {
  fields
      .add("arm-order", order,
           {{"policy", CodingOrder::policy, "a draw of the policy, paid for by bits back"},
            {"greedy", CodingOrder::greedy, "the policy's likeliest, which costs nothing"},
            {"fixed", CodingOrder::fixed, "as values are stored"},
            {"best", CodingOrder::best, "whatever is shortest for a sample of the rows"}},
           "which value comes next: by the policy, its likeliest, as stored, or the shortest")
      .about(
          "policy is the model as it was trained: what the choice of an order costs is got back "
          "from later items, so that few items are longer than their bound. greedy and fixed pay "
          "nothing for orders. best tries them on a sample first.");
  fields
      .add("parallel-steps", parallel_steps,
           "looks at the network for a row, for models to which all orders are alike; 0: one for "
           "each value")
      .range(0, 1000)
      .rank(Rank::manual)
      .unset_while([this] { return parallel_steps == 0; })
      .about(
          "Values that are coded from one look do not see each other, so a row takes more bits and "
          "less time. Which go together is chosen by a few of the rows, so that it costs least, "
          "and "
          "the archive says so: few at first, many at the end, when little is left to learn.");
}

std::unique_ptr<ModelCodec> make_codec(const OrderModel& model) {
  return std::make_unique<ArmCodec>(model);
}

}  // namespace logpx::arm
