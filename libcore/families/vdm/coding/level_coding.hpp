// The conditionals of a model of T steps as the two orders of coding need them. z is that of the
// variance-preserving process, whichever the model was trained with.
// [vdm/README 12; codec/README 4.4]
#pragma once

#include "libcore/codec/lattice.hpp"
#include "libcore/codec/levels.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/vdm/denoiser.hpp"
#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/families/vdm/process.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace logpx::vdm {

// The Gaussians of a model of T steps as a coder needs them: the levels, the steps between them,
// and a lattice for each level that is fine enough for both of the Gaussians coded on it.
// [vdm/README 12]
inline constexpr int lattice_precision = 26;

// 2^-fineness times the smaller deviation of p(z_i|z_i+1) and q(z_i|z_i-1), for i = 0 .. T.
[[nodiscard]] std::vector<double> lattice_spacings(std::span<const double> gammas, int fineness);

struct LevelGrid {
  std::vector<NoiseLevel> levels;  // T + 1
  std::vector<Transition> steps;   // T; steps[i] is from level i to level i + 1
  std::vector<codec::Lattice> lattices;

  // For the variance-preserving process. A data error where the deviations on a level differ so
  // much that no lattice serves both.
  explicit LevelGrid(std::span<const double> gammas);
  [[nodiscard]] std::size_t top() const { return steps.size(); }
};

struct CodedSteps {
  std::vector<double> gammas;   // T + 1
  std::optional<double> limit;  // of x_hat
};

// What both orders have in common.
class StepConditionals {
 public:
  StepConditionals(const DiffusionModel& model, const CodedSteps& steps);

  [[nodiscard]] const LevelGrid& grid() const { return grid_; }
  [[nodiscard]] std::size_t dims() const { return dims_; }
  // q(z_i|x); p(z_i|z_i+1), and p(z_T).
  void noised(std::size_t i, std::span<const std::uint8_t> x, codec::NormalVector q) const;
  void denoised(std::size_t i, std::span<const double> above, codec::NormalVector p) const;
  void prior(codec::NormalVector p) const;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(std::span<const double> z) const;
  // x, channels first, from symbols in the order of the dataset.
  void values(std::span<const std::uint8_t> symbols, std::span<double> x) const;

 private:
  std::unique_ptr<const NoisePredictor> network_;
  Denoiser denoiser_;
  LevelGrid grid_;
  ChannelsFirst places_;
  std::int64_t levels_;
  std::size_t dims_;
  bool has_classes_;
};

// --order bitswap: q runs upwards from x.
class UpwardCoding final : public codec::ChainCoding {
 public:
  explicit UpwardCoding(std::shared_ptr<const StepConditionals> steps) : steps_(std::move(steps)) {}
  [[nodiscard]] std::size_t item_size() const override { return steps_->dims(); }
  [[nodiscard]] std::size_t levels() const override { return steps_->grid().levels.size(); }
  [[nodiscard]] std::size_t latents(std::size_t) const override { return steps_->dims(); }
  [[nodiscard]] codec::Lattice lattice(std::size_t level) const override {
    return steps_->grid().lattices[level];
  }
  void first(std::span<const std::uint8_t> x, codec::NormalVector q) const override {
    steps_->noised(0, x, q);
  }
  void up(std::size_t level, std::span<const double> below, codec::NormalVector q) const override;
  void down(std::size_t level, std::span<const double> above, codec::NormalVector p) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const double> z_0) const override {
    return steps_->likelihood(z_0);
  }

 private:
  std::shared_ptr<const StepConditionals> steps_;
};

// --order bb-ans: q runs downwards from z_1.
class DownwardCoding final : public codec::HierarchyCoding {
 public:
  explicit DownwardCoding(std::shared_ptr<const StepConditionals> steps)
      : steps_(std::move(steps)) {}
  [[nodiscard]] std::size_t item_size() const override { return steps_->dims(); }
  [[nodiscard]] std::size_t levels() const override { return steps_->grid().levels.size(); }
  [[nodiscard]] std::size_t latents(std::size_t) const override { return steps_->dims(); }
  void prior(std::size_t level, codec::LevelValues z, codec::NormalVector p) const override;
  void posterior(std::size_t level, std::span<const std::uint8_t> x, codec::LevelValues z,
                 codec::NormalVector q) const override;
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      codec::LevelValues z) const override {
    return steps_->likelihood(z[0]);
  }

 private:
  std::shared_ptr<const StepConditionals> steps_;
};

}  // namespace logpx::vdm
