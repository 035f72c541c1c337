#include "libcore/model/head_codebook.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int64_t most_head_values = std::int64_t{1} << 28;  // a gigabyte of floats
constexpr std::size_t most_kept_values = std::size_t{1} << 25;    // 256 MiB of columns

void check_room(const Likelihood& likelihood, const HeadCodebook::Form& form) {
  std::int64_t numbers = 0;  // for one entry
  for (const HeadForm& head : likelihood.heads())
    if (!head.shared) numbers += form.dims * head.per_dim;
  const std::int64_t most = std::max<std::int64_t>(1, most_head_values / numbers);
  if (form.entries > most)
    fail(ErrorKind::usage, "--codebook",
         "is " + std::to_string(form.entries) + ", but there is room for " + std::to_string(most) +
             " samples of this model");
}

}  // namespace

HeadCodebook::HeadCodebook(const Likelihood& likelihood, const Form& form)
    : likelihood_(likelihood),
      entries_(at(form.entries)),
      dims_(at(form.dims)),
      place_(form.place),
      columns_((check_room(likelihood, form), dims_ * at(likelihood.levels()))) {
  for (const HeadForm& head : likelihood.heads()) {
    const std::size_t size = head.shared ? 1 : dims_ * entries_ * at(head.per_dim);
    heads_.push_back({at(head.per_dim), head.shared, std::vector<float>(size)});
  }
}

void HeadCodebook::take(std::int64_t entry, const Likelihood::HeadValues& heads) {
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    Head& head = heads_[h];
    const std::span<const float> from = heads[h];
    if (!std::ranges::all_of(from, [](float value) { return std::isfinite(value); }))
      fail(ErrorKind::numeric, "model", "produced a non-finite value at head" + std::to_string(h));
    if (head.shared) {
      if (entry == 0) head.values[0] = from[0];
      continue;
    }
    for (std::size_t d = 0; d < dims_; ++d)
      std::copy_n(&from[d * head.per_dim], head.per_dim,
                  &head.values[(d * entries_ + at(entry)) * head.per_dim]);
  }
}

void HeadCodebook::log_likelihoods(std::span<const std::uint8_t> x, std::span<double> nats) const {
  std::vector<double> space;
  std::ranges::fill(nats, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] >= likelihood_.levels())
      fail(ErrorKind::data, "",
           "holds " + std::to_string(x[i]) + ", and the model knows 0 to " +
               std::to_string(likelihood_.levels() - 1));
    const std::span<const double> each = column(i, x[i], space);
    for (std::size_t s = 0; s < nats.size(); ++s) nats[s] = nats[s] + each[s];
  }
}

std::span<const double> HeadCodebook::column(std::size_t i, std::uint8_t symbol,
                                             std::vector<double>& space) const {
  std::atomic<const double*>& slot = columns_[i * at(likelihood_.levels()) + symbol];
  if (const double* const known = slot.load(std::memory_order_acquire)) return {known, entries_};
  space = made_column(i, symbol);
  const std::lock_guard lock(mutex_);
  if (slot.load(std::memory_order_relaxed) == nullptr &&
      (kept_.size() + 1) * entries_ <= most_kept_values) {
    kept_.push_back(space);
    slot.store(kept_.back().data(), std::memory_order_release);
  }
  return space;
}

// Dimensions are independent given z, so those of all entries are coded as if they were one item's.
std::vector<double> HeadCodebook::made_column(std::size_t i, std::uint8_t symbol) const {
  Likelihood::ItemHeads heads;
  for (const Head& head : heads_) {
    const std::size_t size = head.shared ? 1 : entries_ * head.per_dim;
    const auto begin =
        head.values.begin() + static_cast<std::ptrdiff_t>(head.shared ? 0 : place_(i) * size);
    heads.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  const std::vector<std::uint8_t> symbols(entries_, symbol);
  std::vector<double> nats(entries_);
  likelihood_.coding_of(std::move(heads), place_(i))->log_probabilities(symbols, nats);
  return nats;
}

std::unique_ptr<codec::SymbolVector> HeadCodebook::likelihood(std::uint32_t entry) const {
  Likelihood::ItemHeads heads;
  for (const Head& head : heads_) {
    if (head.shared) {
      heads.push_back(head.values);
      continue;
    }
    std::vector<float>& own = heads.emplace_back(dims_ * head.per_dim);
    for (std::size_t d = 0; d < dims_; ++d)
      std::copy_n(&head.values[(d * entries_ + entry) * head.per_dim], head.per_dim,
                  &own[d * head.per_dim]);
  }
  return likelihood_.coding(std::move(heads), place_);
}

}  // namespace logpx
