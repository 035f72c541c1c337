// The finite mixture over N known latents: its exact posterior is the q of bits back, so the net
// length is exactly -log2 of the mean of p(x|z^s).   [codec/README 4.5]
#pragma once

#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/symbol_vector.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::codec {

inline constexpr std::int64_t most_codebook_entries = 1 << 19;

class CodebookCoding {
 public:
  virtual ~CodebookCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;
  [[nodiscard]] virtual std::uint32_t entries() const = 0;  // N
  // ln p(x|z^s) for all s, symbols ascending.
  virtual void log_likelihoods(std::span<const std::uint8_t> x, std::span<double> nats) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SymbolVector> likelihood(std::uint32_t entry) const = 0;
};

struct CodebookVariables {
  std::vector<std::uint8_t> x;
  std::size_t item = 0;
  std::uint32_t entry = 0;
};

class Codebook final : public StepScheme<CodebookVariables> {
 public:
  explicit Codebook(const CodebookCoding& coding);
  explicit Codebook(std::unique_ptr<const CodebookCoding> coding);
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  // ln of the mean of p(x|z^s), exactly.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;
  [[nodiscard]] Table posterior(std::span<const std::uint8_t> x) const;

 private:
  [[nodiscard]] CodebookVariables variables_for(std::span<const std::uint8_t> items,
                                                std::uint64_t block) const override;
  std::unique_ptr<const CodebookCoding> owned_;  // if the scheme owns it
  const CodebookCoding& coding_;
};

}  // namespace logpx::codec
