// A codebook of heads: what a likelihood says under each of N sets of them, in the numbers that the
// entropy coder takes.   [codec/README 4.5]
//
//   auto book = std::make_unique<HeadCodebook>(likelihood, HeadCodebook::Form{1024, 784, place});
//   book->take(entry, heads);     // each entry, before the book is used
//   const codec::Codebook scheme(std::move(book));
#pragma once

#include "libcore/codec/codebook.hpp"
#include "libcore/model/likelihood.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace logpx {

class HeadCodebook final : public codec::CodebookCoding {
 public:
  struct Form {
    std::int64_t entries, dims;
    ChannelsFirst place;  // element i of an item is dimension place(i)
  };
  // A usage error of --codebook when the heads take more than a gigabyte.
  HeadCodebook(const Likelihood& likelihood, const Form& form);
  // From any thread, for different entries. A numeric error if heads are not finite.
  void take(std::int64_t entry, const Likelihood::HeadValues& heads);

  [[nodiscard]] std::size_t item_size() const override { return dims_; }
  [[nodiscard]] std::uint32_t entries() const override {
    return static_cast<std::uint32_t>(entries_);
  }
  void log_likelihoods(std::span<const std::uint8_t> x, std::span<double> nats) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(std::uint32_t entry) const override;

 private:
  struct Head {
    std::size_t per_dim;
    bool shared;
    std::vector<float> values;  // [dims,entries,per_dim], or [1]
  };
  // ln p(x_i = symbol) under all entries: a kept column, or written to `space`.
  [[nodiscard]] std::span<const double> column(std::size_t i, std::uint8_t symbol,
                                               std::vector<double>& space) const;
  [[nodiscard]] std::vector<double> made_column(std::size_t i, std::uint8_t symbol) const;

  const Likelihood& likelihood_;
  std::size_t entries_, dims_;
  ChannelsFirst place_;
  std::vector<Head> heads_;
  // Columns that were asked for are kept while there is room.
  mutable std::mutex mutex_;
  mutable std::deque<std::vector<double>> kept_;
  mutable std::vector<std::atomic<const double*>> columns_;  // [dims,levels]
};

}  // namespace logpx
