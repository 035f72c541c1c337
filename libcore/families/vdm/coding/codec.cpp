#include "libcore/families/vdm/coding/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/vdm/coding/level_coding.hpp"
#include "libcore/families/vdm/grids/expected_bound.hpp"
#include "libcore/model/settled_size.hpp"

#include <array>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr std::int64_t steps_of_continuous_models = 50;
constexpr const char* usual_bits = "12";
constexpr int bins_precision = 24;
constexpr double most_excess = 0.05;  // share of the bits; above it users are warned

// A scheme that owns the conditionals it uses.
template <typename Coding, typename SchemeOf>
class Owned final : public codec::Scheme {
 public:
  template <typename... Args>
  explicit Owned(std::shared_ptr<const StepConditionals> steps, const Args&... args)
      : coding_(std::move(steps)), scheme_(coding_, args...) {}
  [[nodiscard]] std::size_t item_size() const override { return scheme_.item_size(); }
  void encode(codec::Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
              codec::Costs& costs) const override {
    scheme_.encode(message, items, block, costs);
  }
  void decode(codec::Message& message, std::span<std::uint8_t> items,
              std::uint64_t block) const override {
    scheme_.decode(message, items, block);
  }
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override {
    scheme_.score(items, rng, first, nats);
  }

 private:
  Coding coding_;
  SchemeOf scheme_;
};

class LevelsPlan final : public CodingPlan {
 public:
  explicit LevelsPlan(const DiffusionModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  [[nodiscard]] Bound kind() const override { return Bound::stochastic_lower_bound; }
  [[nodiscard]] std::vector<std::string> doubts() const override;

 private:
  [[nodiscard]] StepKnobs settled_steps() const;
  [[nodiscard]] std::unique_ptr<codec::Scheme> downward(std::int64_t bits, Workers& workers) const;
  [[nodiscard]] std::shared_ptr<const StepConditionals> conditionals() const;

  const DiffusionModel& model_;
  CodingSettings settings_;
};

// The settings of an archive were settled when it was made, but a damaged archive may hold others.
StepKnobs LevelsPlan::settled_steps() const {
  StepKnobs steps = settings_.steps;
  if (!steps.timesteps)
    steps.timesteps = model_.timesteps() > 0 ? model_.timesteps() : steps_of_continuous_models;
  steps.settle_clipping(model_, "range");
  steps.settle_grid(model_);
  return steps;
}

void LevelsPlan::settle(std::span<const std::uint8_t> sample, Workers& workers) {
  settings_.steps = settled_steps();
  std::string& bits = settings_.latent_bits;
  if (settings_.order == CodingOrder::bitswap) {
    if (!bits.empty()) fail(ErrorKind::usage, "--latent-bits", "goes with --order bb-ans");
    return;
  }
  if (bits.empty() || (bits == "auto" && sample.empty())) bits = usual_bits;
  if (bits != "auto") return;
  constexpr std::array<std::int64_t, 5> choices = {8, 10, 12, 14, 16};
  bits = std::to_string(
      settled_size(choices, sample, [&](std::int64_t size) { return downward(size, workers); }));
}

std::shared_ptr<const StepConditionals> LevelsPlan::conditionals() const {
  const StepKnobs steps = settled_steps();
  return std::make_shared<StepConditionals>(
      model_, CodedSteps{steps.gammas(model_, model_.schedule()), steps.limit(model_)});
}

std::unique_ptr<codec::Scheme> LevelsPlan::downward(std::int64_t bits, Workers& workers) const {
  return std::make_unique<Owned<DownwardCoding, codec::TopDown>>(
      conditionals(), codec::normal_bins(static_cast<int>(bits), workers), bins_precision);
}

std::unique_ptr<codec::Scheme> LevelsPlan::scheme(Workers& workers) const {
  if (settings_.order == CodingOrder::bitswap)
    return std::make_unique<Owned<UpwardCoding, codec::BitSwap>>(conditionals(), lattice_precision,
                                                                 codec::BeforeDraws::stirred);
  const auto bits = parse_integer(settings_.latent_bits);
  if (!bits || *bits < 1 || *bits > codec::most_latent_bits)
    fail(ErrorKind::usage, "--latent-bits",
         "is '" + settings_.latent_bits + "', expected 1 to " +
             std::to_string(codec::most_latent_bits));
  return downward(*bits, workers);
}

std::vector<std::string> LevelsPlan::doubts() const {
  const StepKnobs steps = settled_steps();
  const double excess = expected_excess(model_, steps.gammas(model_, model_.schedule()));
  if (!(excess > most_excess)) return {};
  return {"--timesteps " + std::to_string(*steps.timesteps) + " is expected to cost " +
          four_digits(100 * excess) + " % more bits than the bound that it was trained for"};
}

class VdmCodec final : public ModelCodec {
 public:
  explicit VdmCodec(const DiffusionModel& model)
      : ModelCodec(item_of(model.model_info().samples)), model_(model) {}
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    require_codable(model_.support(), "");
    if (!model_.knows_no_label())
      fail(ErrorKind::data, "", "knows x only together with its label, which no code has",
           "train-vdm --labels --label-drop 0.1");
    return std::make_unique<LevelsPlan>(model_);
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    return model_.reader().symbols(examples);
  }

 private:
  const DiffusionModel& model_;
};

}  // namespace

void CodingSettings::describe(Fields& fields) {
  steps.describe(fields, {.default_steps = "those of the training; 50 in continuous time",
                          .default_clipping = "range"});
  fields
      .add("order", order,
           {{"bitswap", CodingOrder::bitswap,
             "from x upwards, each level paid for at once: few first bits"},
            {"bb-ans", CodingOrder::bb_ans, "from the top down, after all levels were drawn"}},
           "levels from x upwards, each paid for at once, or from the top down")
      .rank(Rank::manual);
  fields
      .add("latent-bits", latent_bits,
           "bits of each latent's bin under the prior, 1 to 16; auto: the fewest that are enough")
      .metavar("N|auto")
      .when({[this] { return order == CodingOrder::bb_ans; }, "--order bb-ans"})
      .shows_default("12")
      .source("coding 3.7");
}

std::unique_ptr<ModelCodec> make_codec(const DiffusionModel& model) {
  return std::make_unique<VdmCodec>(model);
}

}  // namespace logpx::vdm
