#include "libcore/model/context_walk.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

// Heads of `count` elements from `begin` on.
Likelihood::ItemHeads part_of(const Likelihood::ItemHeads& all, const Likelihood& likelihood,
                              std::size_t begin, std::size_t count) {
  Likelihood::ItemHeads part;
  const std::vector<HeadForm> forms = likelihood.heads();
  for (std::size_t h = 0; h < all.size(); ++h) {
    const std::size_t each = at(forms[h].per_dim);
    const auto first = all[h].begin() + static_cast<std::ptrdiff_t>(begin * each);
    if (forms[h].shared) part.push_back(all[h]);
    else part.emplace_back(first, first + static_cast<std::ptrdiff_t>(count * each));
  }
  return part;
}

// Symbols are coded in the order of the fronts, and each front is a vector of its own.
class FrontSymbols final : public codec::SymbolVector {
 public:
  FrontSymbols(const ContextWalk& walk, std::vector<float> features)
      : walk_(walk), features_(std::move(features)), x_(at(walk.table().dims())) {}

  void push(codec::Message& message, std::span<const std::uint8_t> symbols) override {
    const Likelihood::ItemHeads heads = know(symbols);
    std::size_t end = x_.size();
    for (std::size_t f = walk_.fronts().size(); f-- > 0;) {
      const std::size_t count = walk_.fronts()[f].size();
      end -= count;
      vector_of(part_of(heads, walk_.likelihood(), end, count))
          ->push(message, std::span(ordered_).subspan(end, count));
    }
  }

  void pop(codec::Message& message, std::span<std::uint8_t> symbols) override {
    std::ranges::fill(x_, 0.0F);
    for (const std::vector<std::int32_t>& front : walk_.fronts()) {
      ordered_.resize(front.size());
      vector_of(walk_.heads({features_, x_}, front))->pop(message, ordered_);
      for (std::size_t i = 0; i < front.size(); ++i) {
        symbols[element_of(front[i])] = ordered_[i];
        x_[at(front[i])] = static_cast<float>(ordered_[i]);
      }
    }
  }

  double add_log_probability(std::span<const std::uint8_t> symbols, double sum) override {
    const Likelihood::ItemHeads heads = know(symbols);
    return vector_of(heads)->add_log_probability(ordered_, sum);
  }

  void log_probabilities(std::span<const std::uint8_t> symbols, std::span<double> nats) override {
    const Likelihood::ItemHeads heads = know(symbols);
    std::vector<double> in_order(ordered_.size());
    vector_of(heads)->log_probabilities(ordered_, in_order);
    for (std::size_t i = 0; i < in_order.size(); ++i)
      nats[element_of(walk_.order()[i])] = in_order[i];
  }

 private:
  // Channels come last in an item.
  [[nodiscard]] std::size_t element_of(std::int32_t dim) const {
    const ContextTable& table = walk_.table();
    return at(dim % table.pixels * table.channels + dim / table.pixels);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> vector_of(Likelihood::ItemHeads heads) const {
    return walk_.likelihood().coding_of(std::move(heads), 0);
  }
  // All heads of an item; also puts its symbols in order.
  Likelihood::ItemHeads know(std::span<const std::uint8_t> symbols) {
    ordered_.clear();
    for (const std::int32_t dim : walk_.order()) {
      ordered_.push_back(symbols[element_of(dim)]);
      x_[at(dim)] = static_cast<float>(ordered_.back());
    }
    return walk_.heads({features_, x_}, walk_.order());
  }

  const ContextWalk& walk_;
  std::vector<float> features_, x_;
  std::vector<std::uint8_t> ordered_;
};

}  // namespace

ContextWalk::ContextWalk(Parts parts)
    : parts_(std::move(parts)),
      fronts_(fronts_of(table())),
      decoder_(parts_.params,
               [this](Graph& graph, std::int64_t rows) {
                 name_outputs(graph, {parts_.features(graph.input("z", {rows, parts_.latents}))});
               }),
      net_(parts_.params, [this](Graph& graph, std::int64_t rows) {
        const Var seen = graph.input("seen", {1, rows, parts_.heads.width()});
        name_outputs(graph, parts_.heads.heads(parts_.params, seen));
      }) {
  for (const auto& front : fronts_) order_.insert(order_.end(), front.begin(), front.end());
}

std::vector<float> ContextWalk::features(std::span<const float> z) const {
  return decoder_.outputs({{"z", z}}, std::ssize(z) / parts_.latents)[0];
}

Likelihood::ItemHeads ContextWalk::heads(const RowsInPart& rows,
                                         std::span<const std::int32_t> dims) const {
  const std::size_t width = at(parts_.heads.width()), own = at(ContextHeads::features_per_pixel),
                    size = at(table().dims()), pixels = at(table().pixels),
                    count = rows.x.size() / size;
  std::vector<float> seen(count * dims.size() * width);
  float* to = seen.data();
  for (std::size_t row = 0; row < count; ++row)
    for (const std::int32_t dim : dims) {
      const std::size_t pixel = row * pixels + at(dim) % pixels;
      std::copy_n(rows.features.data() + pixel * own, own, to);
      table().read(rows.x.data() + row * size, dim, to + own);
      to += width;
    }
  return net_.outputs({{"seen", seen}}, static_cast<std::int64_t>(count * dims.size()));
}

std::vector<float> ContextWalk::draw(std::span<const float> z, std::int64_t first,
                                     const Rng& rng) const {
  const std::vector<float> made = features(z);
  const std::size_t size = at(table().dims()), count = z.size() / at(parts_.latents);
  std::vector<float> x(count * size);
  std::vector<DrawCursor> draws;
  for (std::size_t i = 0; i < count; ++i)
    draws.emplace_back(rng.stream(
        Stream::sample_model, static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i)));
  for (const std::vector<std::int32_t>& front : fronts_) {
    const Likelihood::ItemHeads all = heads({made, x}, front);
    const Likelihood::HeadValues values(all.begin(), all.end());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < front.size(); ++k)
        x[i * size + at(front[k])] =
            static_cast<float>(likelihood().draw(values, i * front.size() + k, draws[i]));
  }
  return x;
}

std::unique_ptr<codec::SymbolVector> ContextWalk::symbols(std::span<const float> z) const {
  return std::make_unique<FrontSymbols>(*this, features(z));
}

std::vector<float> ContextWalk::mean(std::span<const float> z, std::span<const float> x) const {
  const std::vector<float> made = features(z);
  const Likelihood::ItemHeads all = heads({made, x}, order_);
  const Likelihood::HeadValues values(all.begin(), all.end());
  std::vector<float> means(x.size());
  for (std::size_t e = 0; e < means.size(); ++e) {
    const std::size_t dim = at(order_[e % order_.size()]);
    means[e / order_.size() * order_.size() + dim] =
        static_cast<float>(likelihood().mean(values, e));
  }
  return means;
}

}  // namespace logpx
