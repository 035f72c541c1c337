// Bits back with a chain of latent levels z_0 .. z_L under x, each vector normal given a neighbour.
// [Bit-Swap; codec/README 4.4]
//
// BitSwap: q runs upwards from x, so each level is drawn when the one below is known and paid for
// at once; levels lie on lattices. Few first bits.
//
// TopDown: q runs downwards from the top; all levels are drawn, then all are paid for. Levels lie
// in bins of equal mass under p(z_l|z_l+1), so the prior costs exactly b bits each.
#pragma once

#include "libcore/codec/bins.hpp"
#include "libcore/codec/lattice.hpp"
#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/symbol_vector.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::codec {

// N(mean, deviation^2) for each element; deviations are above 0.
struct NormalVector {
  std::span<double> mean, deviation;
};

// All numbers are computed by libcore/det. Any thread may call it. Levels count from 0, next to x.
class LevelCoding {
 public:
  virtual ~LevelCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;
  [[nodiscard]] virtual std::size_t levels() const = 0;
  [[nodiscard]] virtual std::size_t latents(std::size_t level) const = 0;
};

class ChainCoding : public LevelCoding {
 public:
  [[nodiscard]] virtual Lattice lattice(std::size_t level) const = 0;

  virtual void first(std::span<const std::uint8_t> x, NormalVector q) const = 0;  // q(z_0|x)
  // q(z_level|below), level > 0.
  virtual void up(std::size_t level, std::span<const double> below, NormalVector q) const = 0;
  // p(z_level|above); nothing is above the highest.
  virtual void down(std::size_t level, std::span<const double> above, NormalVector p) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SymbolVector> likelihood(
      std::span<const double> z_0) const = 0;
};

// z[l] for all levels; those above the level asked for are known.
using LevelValues = std::span<const std::vector<double>>;

class HierarchyCoding : public LevelCoding {
 public:
  virtual void prior(std::size_t level, LevelValues z, NormalVector p) const = 0;
  // q(z_level|x, above), once p(z_level|above) is known.
  virtual void posterior(std::size_t level, std::span<const std::uint8_t> x, LevelValues z,
                         NormalVector q) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SymbolVector> likelihood(LevelValues z) const = 0;
};

struct LevelVariables {
  std::vector<std::uint8_t> x;
  std::size_t item = 0;
  struct Level {
    std::vector<std::uint32_t> symbols;               // cells or bins
    std::vector<double> prior_mean, prior_deviation;  // TopDown: while they are needed
  };
  std::vector<Level> levels;
  std::vector<std::vector<double>> z;  // the values of the symbols
  std::vector<double> mean, deviation;
};

class BitSwap final : public StepScheme<LevelVariables> {
 public:
  BitSwap(const ChainCoding& coding, int precision, BeforeDraws before = BeforeDraws::nothing);
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  // ln p(x|z_0) + sum of ln p - ln q at one draw of the chain.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  [[nodiscard]] LevelVariables variables_for(std::span<const std::uint8_t> items,
                                             std::uint64_t block) const override;
  void code_up(std::size_t level);    // z_level drawn under q
  void code_down(std::size_t level);  // z_level coded under p
  void push_drawn(Message& m, LevelVariables& v, std::size_t level) const;
  void draw(Message& m, LevelVariables& v, std::size_t level) const;
  void know_up(LevelVariables& v, std::size_t level) const;
  void know_down(LevelVariables& v, std::size_t level) const;
  void place(LevelVariables& v, std::size_t level) const;
  [[nodiscard]] LatticeNormal normal(const LevelVariables& v, std::size_t level, std::size_t d,
                                     Leak leak) const {
    return {lattices_[level], {v.mean[d], v.deviation[d]}, precision_, leak};
  }

  const ChainCoding& coding_;
  int precision_;
  BeforeDraws before_draws_;
  std::vector<Lattice> lattices_;
};

class TopDown final : public StepScheme<LevelVariables> {
 public:
  // `bins` are of N(0, 1).
  TopDown(const HierarchyCoding& coding, const Bins& bins, int precision);
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  [[nodiscard]] LevelVariables variables_for(std::span<const std::uint8_t> items,
                                             std::uint64_t block) const override;
  void draw_level(std::size_t level);
  void code_level(std::size_t level);
  void know_prior(LevelVariables& v, std::size_t level) const;
  void know_posterior(LevelVariables& v, std::size_t level) const;
  void place(LevelVariables& v, std::size_t level) const;
  [[nodiscard]] PosteriorBins relative(const LevelVariables& v, std::size_t level,
                                       std::size_t d) const;

  const HierarchyCoding& coding_;
  const Bins& bins_;
  int precision_;
};

}  // namespace logpx::codec
