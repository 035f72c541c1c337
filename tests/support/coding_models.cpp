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
    : ModelCodec({.kind = config.run ? CodedItem::Kind::run : CodedItem::Kind::raster,
                  .height = config.height,
                  .width = config.width,
                  .channels = config.channels,
                  .levels = config.levels,
                  .alphabet = config.alphabet}),
      config_(config),
      weights_(static_cast<std::size_t>(config.levels * config.levels), 1.0F) {
  info_ = {.family = "markov-fixture",
           .data = data_of({config.height, config.width, config.channels}, config.levels),
           .methods = {"exact"}};
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

std::unique_ptr<CodingPlan> MarkovModel::plan() const {
  return std::make_unique<ExactPlan>([this] { return std::make_unique<codec::Sequential>(*this); });
}

void ToyVaeConfig::describe(Fields& f) {
  f.add("height", height, "of an item").range(1, 1000);
  f.add("width", width, "of an item").range(1, 1000);
  f.add("latents", latents, "numbers of z").range(1, 64);
  f.add("hidden", hidden, "units between").range(1, 1000);
}

ToyVaeModel::ToyVaeModel(const ToyVaeConfig& config)
    : config_(config), codec_({.height = config.height, .width = config.width, .levels = 2}) {
  info_ = {.family = "toy-vae-resident",
           .data = data_of({config.height, config.width, 1}, 2),
           .methods = {"elbo"}};
  auto& w = codec_.weights;
  w.pixels = static_cast<std::size_t>(codec_.item().size());
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
  show("enc/w1", codec_.weights.enc_w1);
  show("enc/b1", codec_.weights.enc_b1);
  show("enc/wmu", codec_.weights.enc_wmu);
  show("enc/bmu", codec_.weights.enc_bmu);
  show("enc/wlv", codec_.weights.enc_wlv);
  show("enc/blv", codec_.weights.enc_blv);
  show("dec/u1", codec_.weights.dec_u1);
  show("dec/c1", codec_.weights.dec_c1);
  show("dec/u2", codec_.weights.dec_u2);
  show("dec/c2", codec_.weights.dec_c2);
}

// Bits from p(x|z) at z ~ N(0, I), as bytes of 0 and 1.
std::unique_ptr<SamplingPlan> ToyVaeModel::sampling() const {
  return std::make_unique<testing::DrawBy>(
      info_.data, [this](Rows& out, std::int64_t first, Rng rng) {
        const toy::Vae vae(codec_.weights);
        for (std::int64_t i = 0; i < out.count; ++i) {
          DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
          std::vector<float> z(codec_.weights.latents);
          for (float& value : z) value = static_cast<float>(draws.normal());
          for (const double p : vae.probabilities(z))
            out.x.push_back(static_cast<std::byte>(draws.uniform() < p ? 1 : 0));
        }
      });
}

void register_coding_models() {
  for (const Family& family : families())
    if (family.name == "markov-fixture") return;
  register_family({.name = "markov-fixture",
                   .summary = "a table of neighbours, for tests",
                   .trainer = "bits-back-fixture",
                   .capabilities = {Capability::codec},
                   .draft = [] { return std::make_unique<Draft<MarkovConfig, MarkovModel>>(); }});
  register_family({.name = "toy-vae-resident",
                   .summary = "a small VAE with random weights, for tests",
                   .trainer = "bits-back-fixture",
                   .capabilities = {Capability::codec},
                   .draft = [] { return std::make_unique<Draft<ToyVaeConfig, ToyVaeModel>>(); },
                   .knobs = {.code = list_knobs<BitsBackKnobs>}});
}

}  // namespace logpx
