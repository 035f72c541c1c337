#include "libcore/families/vae/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/families/vae/model.hpp"
#include "libcore/model/repeatable_net.hpp"

#include <algorithm>
#include <array>

namespace logpx::vae {
namespace {

constexpr int pixel_precision = 24;
constexpr std::int64_t rows_coded_at_a_time =
    64;  // of the encoder; an item's numbers do not depend on it
constexpr std::size_t most_components = 64;

// Heads of one item, in the order of the model's dimensions (channels first).
using HeadValues = std::vector<std::vector<float>>;

// 256 (or fewer) cells of equal width on [-1, 1]; the outer ones take the tails.
codec::Cells cells_of(std::int64_t levels) {
  const auto top = static_cast<double>(levels - 1);
  return {.lo = -1.0 - 1.0 / top, .h = 2.0 / top, .n = static_cast<std::uint32_t>(levels)};
}

codec::Logistic logistic_of(float mean, float log_scale) {
  return {static_cast<double>(mean), codec::scale_of(static_cast<double>(log_scale))};
}

class Coding final : public codec::LatentCoding {
 public:
  explicit Coding(const VaeModel& model)
      : model_(model),
        places_(model.info().samples),
        encoder_(model.param_set(),
                 [&model](Graph& graph, std::int64_t rows) {
                   const Gaussian q = model.encode(graph.input("x", {rows, model.dims()}));
                   graph.output("mean", q.mean);
                   graph.output("log_var", q.log_var);
                 }),
        decoder_(model.param_set(), [&model](Graph& graph, std::int64_t rows) {
          const Heads heads = model.decode(graph.input("z", {rows, model.latent()}));
          for (std::size_t h = 0; h < heads.size(); ++h)
            graph.output("head" + std::to_string(h), heads[h]);
        }) {}

  [[nodiscard]] std::size_t item_size() const override { return at(model_.dims()); }
  [[nodiscard]] std::size_t latents() const override { return at(model_.latent()); }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override;

 private:
  [[nodiscard]] HeadValues decode(std::span<const float> z) const;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> mixture(HeadValues heads) const;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> categories(HeadValues heads) const;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> beta_binomial(const HeadValues& heads) const;

  const VaeModel& model_;
  ChannelsFirst places_;
  RepeatableNet encoder_, decoder_;
};

void Coding::posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                       std::span<float> log_var) const {
  const std::size_t size = item_size(), latent = latents(), count = items.size() / size;
  std::vector<float> x;
  for (std::size_t first = 0; first < count; first += at(rows_coded_at_a_time)) {
    const std::size_t held = std::min(at(rows_coded_at_a_time), count - first);
    const std::size_t rows =
        held == 1 ? 1 : at(rows_coded_at_a_time);  // two plans serve all numbers
    x.assign(rows * size, 0.0F);
    for (std::size_t r = 0; r < held; ++r)
      for (std::size_t i = 0; i < size; ++i)
        x[r * size + places_(i)] = static_cast<float>(items[(first + r) * size + i]);
    encoder_.run({{"x", x}}, static_cast<std::int64_t>(rows), [&](const Executor<float>& done) {
      const auto means = done.output("mean").span(), log_vars = done.output("log_var").span();
      for (std::size_t i = 0; i < held * latent; ++i) {
        mean[first * latent + i] = means[i];
        log_var[first * latent + i] = log_vars[i % log_vars.size()];  // one for all may repeat
      }
    });
  }
}

HeadValues Coding::decode(std::span<const float> z) const {
  HeadValues heads;
  decoder_.run({{"z", z}}, 1, [&](const Executor<float>& done) {
    const std::size_t count = head_forms(model_.config(), model_.likelihood().levels()).size();
    for (std::size_t h = 0; h < count; ++h) {
      const auto values = done.output("head" + std::to_string(h)).span();
      heads.emplace_back(values.begin(), values.end());
    }
  });
  return heads;
}

std::unique_ptr<codec::SymbolVector> Coding::likelihood(std::span<const float> z) const {
  HeadValues heads = decode(z);
  const ChannelsFirst place = places_;
  const std::int64_t levels = model_.likelihood().levels();
  switch (model_.config().likelihood) {
    case Likelihood::bernoulli: {
      std::vector<double> p(heads[0].size());
      det::sigmoid(heads[0], p);
      return codec::symbols_of([p = std::move(p), place](std::size_t i, auto) {
        return codec::Bernoulli(p[place(i)], pixel_precision);
      });
    }
    case Likelihood::logistic256:
      return codec::symbols_of(
          [heads = std::move(heads), place, cells = cells_of(levels)](std::size_t i, auto) {
            const std::size_t d = place(i);
            return codec::Analytic(cells, logistic_of(heads[0][d], heads[1][d]), pixel_precision);
          });
    case Likelihood::logistic_mix256: return mixture(std::move(heads));
    case Likelihood::beta_binomial: return beta_binomial(heads);
    case Likelihood::categorical: return categories(std::move(heads));
    case Likelihood::gaussian:
    case Likelihood::gaussian_fixed: break;
  }
  LOGPX_ASSERT(false);
  return nullptr;
}

void softmax_of(std::span<const float> logits, std::span<double> weights) {
  std::ranges::copy(logits, weights.begin());
  det::softmax(weights, weights);
}

std::unique_ptr<codec::SymbolVector> Coding::mixture(HeadValues heads) const {
  using Logistic = codec::Logistic;
  struct Pixel {
    std::array<double, most_components> weights;
    std::array<Logistic, most_components> logistics;
  };
  const auto k = at(model_.config().components);
  const codec::Cells cells = cells_of(model_.likelihood().levels());
  return codec::symbols_of([heads = std::move(heads), place = places_, cells, k, pixel = Pixel()](
                               std::size_t i, auto) mutable {
    const std::size_t first = place(i) * k;
    softmax_of(std::span(heads[0]).subspan(first, k), std::span(pixel.weights).first(k));
    for (std::size_t c = 0; c < k; ++c)
      pixel.logistics[c] = logistic_of(heads[1][first + c], heads[2][first + c]);
    const codec::Mixture<Logistic> density{std::span<const double>(pixel.weights).first(k),
                                           std::span<const Logistic>(pixel.logistics).first(k)};
    return codec::Analytic(cells, density, pixel_precision);
  });
}

std::unique_ptr<codec::SymbolVector> Coding::categories(HeadValues heads) const {
  const auto k = at(model_.likelihood().levels());
  return codec::symbols_of([
    heads = std::move(heads), place = places_, k, weights = std::vector<double>(k),
    table = codec::Table()
  ](std::size_t i, auto) mutable -> const auto& {
    softmax_of(std::span(heads[0]).subspan(place(i) * k, k), weights);
    table.assign_leaky(weights, pixel_precision);
    return table;
  });
}

std::unique_ptr<codec::SymbolVector> Coding::beta_binomial(const HeadValues& heads) const {
  std::array<std::vector<double>, 2> shapes;  // alpha, beta
  for (std::size_t h = 0; h < 2; ++h) {
    shapes[h].assign(heads[h].begin(), heads[h].end());
    det::exp(shapes[h], shapes[h]);
  }
  const auto levels = at(model_.likelihood().levels());
  return codec::symbols_of([
    shapes = std::move(shapes), place = places_, dist = codec::BetaBinomial(levels, pixel_precision)
  ](std::size_t i, auto) mutable -> const auto& {
    dist.assign(shapes[0][place(i)], shapes[1][place(i)]);
    return dist;
  });
}

class VaeCodec final : public ModelCodec {
 public:
  VaeCodec(const VaeModel& model, const CodedItem& item)
      : model_(model), item_(item), coding_(model) {}

  [[nodiscard]] const CodedItem& item() const override { return item_; }
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    const Config& config = model_.config();
    if (is_density(config.likelihood))
      fail(ErrorKind::data, "", "has a likelihood of real numbers, and bytes are coded",
           "one of levels codes, as trained with --likelihood beta-binomial");
    if (config.inference != Inference::encoder)
      fail(ErrorKind::data, "", "has no encoder, and bits back takes one",
           "coding takes an encoder and at most 256 levels");
    if (model_.likelihood().levels() > 256)
      fail(ErrorKind::data, "", "has more than 256 levels, and bytes are coded");
    if (config.allow_gray)
      fail(ErrorKind::data, "", "is a surrogate for gray values, not a likelihood",
           "train-vae --binarise static, or --likelihood beta-binomial");
    return std::make_unique<BitsBackPlan>(coding_);
  }
  [[nodiscard]] std::vector<std::uint8_t> items(const Examples& examples) const override {
    std::vector<float> x(at(examples.rows.count * model_.dims()));
    model_.take_rows(examples, evaluation_noise(model_.rules()), x);
    model_.require_support(examples, x);
    const ChannelsFirst place(model_.info().samples);
    const std::size_t size = at(model_.dims());
    std::vector<std::uint8_t> symbols(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      symbols[i] = static_cast<std::uint8_t>(x[i / size * size + place(i % size)]);
    return symbols;
  }

 private:
  const VaeModel& model_;
  CodedItem item_;
  Coding coding_;
};

CodedItem item_of(const VaeModel& model) {
  const DatasetInfo& data = model.info().samples;
  CodedItem item;
  item.levels = model.likelihood().levels();
  const Extents extents(data);
  item.height = extents.height;
  item.width = extents.width;
  item.channels = extents.channels;
  if (item.size() == data.dims()) return item;
  item.width = data.dims();  // no picture
  if (data.content == Content::bytes || data.content == Content::symbols)
    item.kind = CodedItem::Kind::run;
  for (const std::uint32_t letter : data.alphabet) item.alphabet += static_cast<char>(letter);
  return item;
}

}  // namespace

std::unique_ptr<ModelCodec> make_codec(const VaeModel& model) {
  return std::make_unique<VaeCodec>(model, item_of(model));
}

}  // namespace logpx::vae
