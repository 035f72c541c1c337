// The smallest model of each coding interface, with the numbers given: those of a golden file, or
// random ones. Their formulas are those of tests/golden/coding.md.
#pragma once

#include "libcore/codec/bits_back.hpp"
#include "libcore/codec/codebook.hpp"
#include "libcore/codec/levels.hpp"
#include "libcore/codec/ordered.hpp"
#include "libcore/codec/sequence.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace logpx::toy {

// One tanh layer each way over `pixels` bits.
class Vae final : public codec::LatentCoding {
 public:
  struct Weights {
    std::size_t pixels = 0, latents = 0, hidden = 0;
    int likelihood_precision = 24;
    std::vector<float> enc_w1, enc_b1, enc_wmu, enc_bmu, enc_wlv, enc_blv;
    std::vector<float> dec_u1, dec_c1, dec_u2, dec_c2;
  };
  explicit Vae(Weights weights) : w_(std::move(weights)) {}
  static Vae random(std::size_t pixels, std::size_t latents, std::size_t hidden);

  [[nodiscard]] std::size_t item_size() const override { return w_.pixels; }
  [[nodiscard]] std::size_t latents() const override { return w_.latents; }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override;
  [[nodiscard]] std::vector<double> probabilities(std::span<const float> z) const;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override;

 private:
  Weights w_;
};

// The same networks under priors that are not normal, one for the even latents and one for the odd.
class OtherPriors final : public codec::LatentCoding {
 public:
  explicit OtherPriors(Vae vae) : vae_(std::move(vae)) {}
  [[nodiscard]] std::size_t item_size() const override { return vae_.item_size(); }
  [[nodiscard]] std::size_t latents() const override { return vae_.latents(); }
  [[nodiscard]] std::vector<const codec::Bins*> bins(int bits, Workers& workers) const override;
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    vae_.posterior(items, mean, log_var);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override {
    return vae_.likelihood(z);
  }

 private:
  Vae vae_;
  mutable std::map<int, std::array<codec::Bins, 2>> bins_;  // by their bits
};

// `width` chains, each of one latent per level on one lattice under a symbol of 0..7.
class Chain final : public codec::ChainCoding {
 public:
  Chain(std::size_t levels, const codec::Lattice& lattice, std::size_t width = 1)
      : levels_(levels), width_(width), lattice_(lattice) {}
  [[nodiscard]] std::size_t item_size() const override { return width_; }
  [[nodiscard]] std::size_t levels() const override { return levels_; }
  [[nodiscard]] std::size_t latents(std::size_t) const override { return width_; }
  [[nodiscard]] codec::Lattice lattice(std::size_t) const override { return lattice_; }
  void first(std::span<const std::uint8_t> x, codec::NormalVector q) const override;
  void up(std::size_t level, std::span<const double> below, codec::NormalVector q) const override;
  void down(std::size_t level, std::span<const double> above, codec::NormalVector p) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const double> z_0) const override;

 private:
  std::size_t levels_, width_;
  codec::Lattice lattice_;
};

// Three levels of 2, 3 and 1 latents over two symbols of 0..7, each level leaning on the one above.
class Hierarchy final : public codec::HierarchyCoding {
 public:
  [[nodiscard]] std::size_t item_size() const override { return 2; }
  [[nodiscard]] std::size_t levels() const override { return 3; }
  [[nodiscard]] std::size_t latents(std::size_t level) const override;
  void prior(std::size_t level, codec::LevelValues z, codec::NormalVector p) const override;
  void posterior(std::size_t level, std::span<const std::uint8_t> x, codec::LevelValues z,
                 codec::NormalVector q) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      codec::LevelValues z) const override;
};

// A hidden Markov model; windows of `length` symbols.
class Hmm final : public codec::SequenceCoding {
 public:
  struct Weights {
    std::size_t states = 0, symbols = 0, length = 0;
    std::vector<double> pi, a, b;  // A[from][to], B[state][symbol]
  };
  explicit Hmm(Weights weights) : w_(std::move(weights)) {}
  static Hmm random(std::size_t length);
  [[nodiscard]] std::size_t item_size() const override { return w_.length; }
  [[nodiscard]] bool carries() const override { return true; }
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;

 private:
  Weights w_;
};

// Order and bits by logits g and couplings theta.
class LoArm final : public codec::OrderedCoding {
 public:
  LoArm(std::vector<double> g, std::vector<double> theta)
      : g_(std::move(g)), theta_(std::move(theta)) {}
  static LoArm random(std::size_t dims);
  [[nodiscard]] std::size_t item_size() const override { return g_.size(); }
  [[nodiscard]] std::unique_ptr<codec::OrderWalk> walk() const override;
  [[nodiscard]] std::unique_ptr<codec::OrderPosterior> posterior() const override;

 private:
  std::vector<double> g_, theta_;
};

// p[entry][pixel] of a one.
class BernoulliBook final : public codec::CodebookCoding {
 public:
  BernoulliBook(std::uint32_t entries, std::vector<double> p, int precision)
      : entries_(entries), p_(std::move(p)), precision_(precision) {}
  static BernoulliBook random(std::uint32_t entries, std::size_t pixels);
  [[nodiscard]] std::size_t item_size() const override { return p_.size() / entries_; }
  [[nodiscard]] std::uint32_t entries() const override { return entries_; }
  void log_likelihoods(std::span<const std::uint8_t> x, std::span<double> nats) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(std::uint32_t entry) const override;

 private:
  std::uint32_t entries_;
  std::vector<double> p_;
  int precision_;
};

}  // namespace logpx::toy
