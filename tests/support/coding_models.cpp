#include "tests/support/coding_models.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/det/draws.hpp"
#include "tests/support/plans.hpp"

#include <algorithm>

namespace logpx {
namespace {

DatasetInfo data_of(std::vector<std::int64_t> shape, std::int64_t levels) {
  DatasetInfo info;
  info.shape = std::move(shape);
  info.levels = levels;
  info.value_max = static_cast<double>(levels - 1);
  return info;
}

class MarkovState final : public codec::SequenceState {
 public:
  MarkovState(const std::vector<float>& weights, std::size_t levels)
      : weights_(weights), levels_(levels) {}
  void begin(std::size_t items) override { before_.assign(items, 0); }
  [[nodiscard]] std::span<const double> weights(std::size_t items) override {
    rows_.resize(items * levels_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      rows_[i] = static_cast<double>(weights_[before_[i / levels_] * levels_ + i % levels_]);
    return rows_;
  }
  void advance(std::span<const std::uint32_t> symbols) override {
    std::ranges::transform(symbols, before_.begin(),
                           [&](std::uint32_t symbol) { return symbol < levels_ ? symbol : 0; });
  }

 private:
  const std::vector<float>& weights_;
  std::size_t levels_;
  std::vector<double> rows_;
  std::vector<std::size_t> before_;
};

template <typename Config, typename Fixture>
class Draft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo&) const override {
    return std::make_unique<Fixture>(config_);
  }

 private:
  Config config_;
};

}  // namespace

void MarkovConfig::describe(Fields& f) {
  f.add("height", height, "of an item").range(1, 1000);
  f.add("width", width, "of an item").range(1, 100000);
  f.add("channels", channels, "of an item").range(1, 4);
  f.add("levels", levels, "symbols").range(2, 256);
  f.add("run", run, "items are runs of symbols");
  f.add("alphabet", alphabet, "of text");
}

MarkovModel::MarkovModel(const MarkovConfig& config)
    : config_(config), weights_(static_cast<std::size_t>(config.levels * config.levels), 1.0F) {
  info_ = {.family = "markov-fixture",
           .data = data_of({config.height, config.width, config.channels}, config.levels)};
}

CodedItem MarkovModel::item() const {
  return {.kind = config_.run ? CodedItem::Kind::run : CodedItem::Kind::raster,
          .height = config_.height,
          .width = config_.width,
          .channels = config_.channels,
          .levels = config_.levels,
          .alphabet = config_.alphabet};
}

void MarkovModel::fit(std::span<const std::uint8_t> symbols) {
  const auto levels = static_cast<std::size_t>(config_.levels);
  std::size_t before = 0;
  for (const std::uint8_t byte : symbols) {
    std::size_t symbol = byte;
    if (!config_.alphabet.empty()) symbol = config_.alphabet.find(static_cast<char>(byte));
    if (symbol >= levels) symbol = 0;
    weights_[before * levels + symbol] += 32.0F;
    before = symbol;
  }
}

void MarkovModel::params(const TensorVisitor& visit) {
  visit(TensorRef::of("weights", std::span(weights_), {config_.levels, config_.levels}),
        TensorRole::parameter);
}

std::unique_ptr<codec::SequenceState> MarkovModel::start() const {
  return std::make_unique<MarkovState>(weights_, static_cast<std::size_t>(config_.levels));
}

void ToyVaeConfig::describe(Fields& f) {
  f.add("height", height, "of an item").range(1, 1000);
  f.add("width", width, "of an item").range(1, 1000);
  f.add("latents", latents, "numbers of z").range(1, 64);
  f.add("hidden", hidden, "units between").range(1, 1000);
}

ToyVaeModel::ToyVaeModel(const ToyVaeConfig& config) : config_(config) {
  info_ = {.family = "toy-vae-resident", .data = data_of({config.height, config.width, 1}, 2)};
  auto& w = weights;
  w.pixels = static_cast<std::size_t>(item().size());
  w.latents = static_cast<std::size_t>(config.latents);
  w.hidden = static_cast<std::size_t>(config.hidden);
  w.enc_w1.resize(w.pixels * w.hidden);
  w.enc_b1.resize(w.hidden);
  w.enc_wmu.resize(w.hidden * w.latents);
  w.enc_bmu.resize(w.latents);
  w.enc_wlv.resize(w.hidden * w.latents);
  w.enc_blv.resize(w.latents);
  w.dec_u1.resize(w.latents * w.hidden);
  w.dec_c1.resize(w.hidden);
  w.dec_u2.resize(w.hidden * w.pixels);
  w.dec_c2.resize(w.pixels);
}

// Pixels that depend on their place far more than on z: then the bound is near even for an encoder
// that was never trained.
void ToyVaeModel::randomise() {
  std::uint32_t tensor = 0;
  params([&](const TensorRef& ref, TensorRole) {
    const Substream draws = Rng(5).stream(Stream::init, tensor++);
    const double scale = ref.name == "dec/c2" ? 8 : 0.6;
    auto* const values = reinterpret_cast<float*>(ref.bytes.data());
    for (std::size_t i = 0; i < ref.bytes.size() / sizeof(float); ++i)
      values[i] = static_cast<float>(scale * (draws.uniform(i) - 0.5));
  });
}

void ToyVaeModel::params(const TensorVisitor& visit) {
  const auto show = [&](const char* name, std::vector<float>& values) {
    visit(TensorRef::of(name, std::span(values), {std::ssize(values)}), TensorRole::parameter);
  };
  show("enc/w1", weights.enc_w1);
  show("enc/b1", weights.enc_b1);
  show("enc/wmu", weights.enc_wmu);
  show("enc/bmu", weights.enc_bmu);
  show("enc/wlv", weights.enc_wlv);
  show("enc/blv", weights.enc_blv);
  show("dec/u1", weights.dec_u1);
  show("dec/c1", weights.dec_c1);
  show("dec/u2", weights.dec_u2);
  show("dec/c2", weights.dec_c2);
}

namespace {

// A codec of rows of u8 as they are, whose plan is made of the model.
template <typename Fixture>
class FixtureCodec final : public ModelCodec {
 public:
  explicit FixtureCodec(const Fixture& model) : ModelCodec(model.item()), model_(model) {}
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override { return plan_of(model_); }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    const auto values = examples.rows.template values<std::uint8_t>();
    return {values.begin(), values.end()};
  }

 private:
  static std::unique_ptr<CodingPlan> plan_of(const codec::SequenceCoding& coding) {
    return std::make_unique<ExactPlan>(
        [&coding] { return std::make_unique<codec::Sequential>(coding); });
  }
  static std::unique_ptr<CodingPlan> plan_of(const codec::LatentCoding& coding) {
    return std::make_unique<BitsBackPlan>(coding);
  }
  const Fixture& model_;
};
template <typename Fixture>
std::unique_ptr<ModelCodec> make_codec(const Fixture& model) {
  return std::make_unique<FixtureCodec<Fixture>>(model);
}

// Bits from p(x|z) at z ~ N(0, I), as bytes of 0 and 1.
std::unique_ptr<SamplingPlan> draw_bits(const ToyVaeModel& model) {
  return std::make_unique<testing::DrawBy>(
      model.info().data, [&model](Rows& out, std::int64_t first, Rng rng) {
        const toy::Vae vae(model.weights);
        for (std::int64_t i = 0; i < out.count; ++i) {
          DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
          std::vector<float> z(model.latents());
          for (float& value : z) value = static_cast<float>(draws.normal());
          for (const double p : vae.probabilities(z))
            out.x.push_back(static_cast<std::byte>(draws.uniform() < p ? 1 : 0));
        }
      });
}

}  // namespace

void register_coding_models() {
  for (const Family& family : families())
    if (family.name == "markov-fixture") return;
  register_family({.name = "markov-fixture",
                   .summary = "a table of neighbours, for tests",
                   .trainer = "bits-back-fixture",
                   .draft = [] { return std::make_unique<Draft<MarkovConfig, MarkovModel>>(); },
                   .code = from_model(make_codec<MarkovModel>)});
  register_family({.name = "toy-vae-resident",
                   .summary = "a small VAE with random weights, for tests",
                   .trainer = "bits-back-fixture",
                   .draft = [] { return std::make_unique<Draft<ToyVaeConfig, ToyVaeModel>>(); },
                   .sample = from_model(draw_bits),
                   .code = from_model(make_codec<ToyVaeModel>),
                   .knobs = {.code = list_knobs<BitsBackKnobs>}});
}

}  // namespace logpx
