#include "libcore/families/pc/coding/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/model/sequence_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

void normalise(std::span<double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
}

}  // namespace

StyleSymbols::StyleSymbols(std::unique_ptr<codec::SequenceState> state, std::size_t styles,
                           std::size_t item)
    : state_(std::move(state)), item_(item), shares_(styles), sums_(styles), symbols_(styles) {
  begin();
}

void StyleSymbols::begin() {
  state_->begin(shares_.size());
  std::ranges::copy(state_->weights(1), shares_.begin());
  normalise(shares_);
  std::iota(symbols_.begin(), symbols_.end(), 0U);
  state_->advance(symbols_);
  place_ = 0;
}

std::span<const double> StyleSymbols::weights() {
  expected_ = state_->weights(shares_.size());
  mixed_.assign(expected_.size() / shares_.size(), 0.0);
  for (std::size_t c = 0; c < shares_.size(); ++c) {
    const std::span<const double> one = of_style(c);
    sums_[c] = std::accumulate(one.begin(), one.end(), 0.0);
    if (!(sums_[c] > 0)) continue;
    const double weight = shares_[c] / sums_[c];
    for (std::size_t k = 0; k < one.size(); ++k) mixed_[k] += weight * one[k];
  }
  return mixed_;
}

// A symbol that is missing, or impossible in every style, leaves the shares as they were.
void StyleSymbols::advance(std::uint32_t symbol) {
  if (symbol < mixed_.size() && mixed_[symbol] > 0) {
    for (std::size_t c = 0; c < shares_.size(); ++c)
      shares_[c] = sums_[c] > 0 ? shares_[c] * (of_style(c)[symbol] / sums_[c]) : 0.0;
    normalise(shares_);
  }
  std::ranges::fill(symbols_, symbol);
  state_->advance(symbols_);
  if (++place_ == item_) begin();
}

namespace {

// Limit for reading in the order of bytes, where each style costs as much as a whole circuit.
constexpr std::int64_t most_styles_asked = 8;

}  // namespace

CircuitCoding::CircuitCoding(Parts parts)
    : passes_(parts.passes),
      colours_(parts.colours),
      numbers_(filter_numbers(parts.passes, std::move(parts.theta))),
      plan_(parts.passes) {
  if (passes_.circuit().styles > 1) {
    const std::vector<float> theta(numbers_.theta.begin(), numbers_.theta.end());
    styles_.emplace(passes_, theta);
  }
  variables_.assign(parts.variables.begin(), parts.variables.end());
  const std::vector<int>& order = plan_.order();
  std::vector<std::size_t> symbol_of(parts.variables.size());
  for (std::size_t j = 0; j < symbol_of.size(); ++j) symbol_of[parts.variables[j]] = j;
  for (std::size_t first = 0; first < symbol_of.size(); first += order.size())
    for (const int variable : order) places_.push_back(symbol_of[first + at(variable)]);
}

void CircuitCoding::to_symbols(std::span<const std::uint8_t> item,
                               std::span<std::uint32_t> symbols) const {
  if (colours_) {
    std::vector<std::uint32_t> all(item.size());
    colours_->from_item(item, all);
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = all[places_[i]];
    return;
  }
  if (styles_) {
    std::vector<std::int64_t> counts(256, 0);
    for (const std::uint8_t value : item) ++counts[value];
    symbols[0] = static_cast<std::uint32_t>(styles_->of(counts));
  }
  for (std::size_t i = first(); i < symbols.size(); ++i) symbols[i] = item[places_[i - first()]];
}

bool CircuitCoding::to_item(std::span<const std::uint32_t> symbols,
                            std::span<std::uint8_t> item) const {
  if (colours_) {
    std::vector<std::uint32_t> all(item.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) all[places_[i]] = symbols[i];
    return colours_->to_item(all, item);
  }
  symbols = symbols.subspan(first());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    item[places_[i]] = static_cast<std::uint8_t>(symbols[i]);
  return std::ranges::all_of(symbols, [](std::uint32_t symbol) { return symbol < 256; });
}

std::unique_ptr<codec::SequenceState> CircuitCoding::start() const {
  return std::make_unique<CircuitFilter>(passes_, plan_, numbers_);
}

// A tree is read in the order of the bytes; a chain with one variable per step is in order already.
std::unique_ptr<codec::NextSymbol> CircuitCoding::next_symbol() const {
  const bool chained = passes_.circuit().chained();
  if (colours_ || passes_.circuit().styles > (chained ? 1 : most_styles_asked)) return nullptr;
  std::unique_ptr<codec::SequenceState> state = state_in_order();
  if (state == nullptr) return nullptr;
  if (styles_)
    return std::make_unique<StyleSymbols>(std::move(state), at(passes_.circuit().styles),
                                          item_size());
  return codec::symbols_of_state(std::move(state), chained ? 0 : item_size());
}

std::unique_ptr<codec::SequenceState> CircuitCoding::state_in_order() const {
  if (std::ranges::is_sorted(places_)) return start();
  if (passes_.circuit().chained()) return nullptr;
  std::call_once(reading_begins_, [this] {
    if (auto plan = FilterPlan::of_order(passes_, variables_)) reading_.emplace(std::move(*plan));
  });
  if (!reading_) return nullptr;
  return std::make_unique<CircuitFilter>(passes_, *reading_, numbers_);
}

namespace {

class PcCodec final : public ModelCodec {
 public:
  explicit PcCodec(const PcModel& model)
      : ModelCodec(item_of(model.info().samples)), model_(model) {
    item_.short_last = item_.kind == CodedItem::Kind::run && model.info().lengths == Lengths::any;
  }

  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    if (const std::string why = only_scores(model_.circuit()); !why.empty())
      fail(ErrorKind::data, "", why);
    if (model_.circuit().has_own_values())
      fail(ErrorKind::data, "",
           "is made for columns with values of their own, and only bytes can be coded",
           model_.info().data.element == Element::f32 ? "" : "train-pc --structure hclt");
    if (model_.circuit().has_reals())
      fail(ErrorKind::data, "", "reads real numbers, and only bytes can be coded");
    if (item_.levels > 256)
      fail(ErrorKind::data, "",
           "knows " + std::to_string(item_.levels) + " symbols, and only bytes can be coded",
           "pack-data text --alphabet bytes");
    if (model_.config().transform == Transform::ycocg_lossy)
      fail(ErrorKind::data, "",
           "reads colours with loss (--transform ycocg-lossy), and an archive gives back all of "
           "them",
           "train-pc --transform ycocg-r");
    require_one_way();
    const DatasetInfo& rows = model_.info().samples;
    const ChannelsFirst variables(rows);
    CircuitCoding::Parts parts{.passes = model_.plan(), .theta = {}, .variables = {}};
    if (const Transform transform = model_.config().transform; transform != Transform::none)
      parts.colours.emplace(rows.shape, rows.levels, transform);
    for (std::size_t j = 0; j < at(item_.size()); ++j)
      parts.variables.push_back(parts.colours ? j : variables(j));
    const std::span<const float> theta = model_.param_set().block();
    parts.theta.assign(theta.begin(), theta.end());
    // Only one of a row's possible styles is coded.
    const Bound kind = model_.circuit().styles > 1 ? Bound::lower_bound : Bound::exact;
    return std::make_unique<SequencePlan>(std::make_shared<const CircuitCoding>(std::move(parts)),
                                          kind);
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override;

 private:
  void require_one_way() const {
    if (is_structured_decomposable(model_.circuit())) return;
    const std::string& structure = model_.config().structure;
    const std::string named =
        structure == "file" ? "" : "is of --structure " + structure + ", which ";
    fail(ErrorKind::data, "",
         named + "splits the same variables in several ways (not structured-decomposable), and " +
             "only trees of blocks are coded symbol by symbol",
         "train-pc --structure hclt");
  }

  const PcModel& model_;
};

std::vector<std::uint8_t> PcCodec::items(const Examples& examples) const {
  const RowRules& rules = model_.rows().rules();
  if (rules.binarise.rule == Binarise::none) return ModelCodec::items(examples);
  std::vector<std::uint8_t> bits;
  std::vector<float> x(at(examples.info.dims()));
  const RowNoise noise = evaluation_noise(rules);
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    row_values(examples.info, examples.rows, {.from = row, .number = examples.first + row}, rules,
               noise, x);
    for (const float bit : stored_order(examples.info, rules, x))
      bits.push_back(static_cast<std::uint8_t>(bit));
  }
  return bits;
}

}  // namespace

std::unique_ptr<ModelCodec> make_codec(const PcModel& model) {
  return std::make_unique<PcCodec>(model);
}

}  // namespace logpx::pc
