// Answers about rows with missing values, computed in double.   [pc/README 9]
#pragma once

#include "libcore/families/pc/constant/ln_z.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/queries/leaf_tables.hpp"
#include "libcore/families/pc/symbol_rows.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace logpx::pc {

class FilterPlan;

class Queries final : public ModelQueries {
 public:
  enum class Precision { doubles, floats };
  // The arguments outlive them.
  Queries(const PassPlan& plan, const ParamSet& params, const SymbolRows& rows)
      : plan_(plan), params_(params), rows_(rows), ln_z_(plan) {}
  // Computes with these numbers in place of the parameters.
  Queries(const PassPlan& plan, const ParamSet& params, const SymbolRows& rows,
          std::vector<double> theta, Precision precision = Precision::doubles)
      : plan_(plan),
        params_(params),
        rows_(rows),
        ln_z_(plan),
        precision_(precision),
        given_(std::make_shared<const std::vector<double>>(std::move(theta))) {}

  [[nodiscard]] Evidence observed(const Examples& examples) const override;
  [[nodiscard]] std::vector<double> log_p(const Evidence& rows) const override {
    return log_p_pruned(rows, {});
  }
  [[nodiscard]] std::vector<double> log_p_pruned(const Evidence& rows,
                                                 const StatePruning& pruning) const override;
  using ModelQueries::tables;
  [[nodiscard]] ValueTables tables(const Evidence& rows, Tails tails) const override;
  [[nodiscard]] std::vector<NormalMixture> mixtures(const Evidence& rows,
                                                    std::int64_t place) const override;
  [[nodiscard]] std::vector<double> next(const Evidence& rows) const override;
  [[nodiscard]] std::vector<std::int64_t> next_order(std::int64_t width) const override;
  [[nodiscard]] FilledRows fill(const Evidence& rows, FillBy how, Rng rng,
                                std::uint32_t draw) const override;
  [[nodiscard]] std::unique_ptr<ModelQueries> tempered(double temperature) const override;
  [[nodiscard]] std::unique_ptr<ModelQueries> in_floats() const override;
  [[nodiscard]] std::unique_ptr<MatchingRows> matching(const Automaton& automaton) const override;
  [[nodiscard]] std::vector<double> states(const Evidence& rows) const override;
  [[nodiscard]] std::int64_t hidden_states() const override;
  [[nodiscard]] double joint_entropy(std::int64_t width) const override;
  [[nodiscard]] double log_inner(const ModelQueries& other, std::int64_t width) const override;
  [[nodiscard]] std::int64_t free_parameters() const override;
  [[nodiscard]] std::string silent_about() const override;
  [[nodiscard]] std::string only_scores() const override;
  [[nodiscard]] std::string refuse_regions(const Evidence& rows) const override;
  [[nodiscard]] std::int64_t levels() const override;
  [[nodiscard]] std::int64_t levels_at(std::int64_t place) const override;
  [[nodiscard]] bool has_density(std::int64_t place) const override;
  [[nodiscard]] std::int64_t known_at(std::int64_t place) const override;
  [[nodiscard]] double value_at(std::int64_t place, std::int64_t category) const override;
  [[nodiscard]] double cost(std::int64_t width) const override;
  [[nodiscard]] double next_cost(std::int64_t width) const override;
  [[nodiscard]] std::vector<ModelFact> facts() const override;
  [[nodiscard]] std::string text(ModelText form) const override;

 private:
  // Some rows as columns of a pass.
  struct Part {
    std::int64_t first = 0;  // row
    Columns columns;
    std::vector<double> nats;  // room for log p of each
  };
  using Weights = std::shared_ptr<const std::vector<double>>;
  [[nodiscard]] Weights weights() const;
  [[nodiscard]] bool in_single() const { return precision_ == Precision::floats; }
  // The same in the precision of a pass.
  template <typename T>
  [[nodiscard]] std::shared_ptr<const std::vector<T>> numbers() const {
    const Weights all = weights();
    if constexpr (std::is_same_v<T, double>) return all;
    else {
      auto rounded = std::make_shared<std::vector<T>>();
      for (const double number : *all) rounded->push_back(static_cast<T>(number));
      return rounded;
    }
  }
  template <typename T>
  [[nodiscard]] std::vector<double> log_p_in(const Evidence& rows,
                                             const StatePruning& pruning) const;
  template <typename T>
  [[nodiscard]] ValueTables tables_in(const Evidence& rows, Tails tails) const;
  template <typename T>
  [[nodiscard]] std::vector<NormalMixture> mixtures_in(const Evidence& rows,
                                                       std::int64_t place) const;
  struct FillAsked {
    FillBy how;
    Rng rng;
    std::uint32_t draw;
  };
  template <typename T>
  [[nodiscard]] FilledRows fill_in(const Evidence& rows, const FillAsked& asked) const;
  template <typename T>
  [[nodiscard]] std::vector<double> states_in(const Evidence& rows) const;
  void for_parts(const Evidence& rows, const std::function<void(Part&)>& run) const;
  [[nodiscard]] Columns columns_of(const Evidence& rows, std::int64_t begin,
                                   std::int64_t end) const;
  // As the circuit reads them.
  [[nodiscard]] std::shared_ptr<const ValueRegions> regions_of(const Evidence& rows) const;
  [[nodiscard]] std::int64_t steps_of(std::int64_t length) const;
  [[nodiscard]] Transform transform() const { return rows_.rules().transform; }
  [[nodiscard]] bool reads_colours() const { return transform() != Transform::none; }
  // Rows per pass, such that the messages of all steps stay within some megabytes.
  [[nodiscard]] std::int64_t rows_at_once(std::int64_t steps) const;
  // Copies `each` numbers of every column to rows of `width` numbers.
  static void take_numbers(std::span<const double> part, std::int64_t each, std::int64_t width,
                           std::span<double> rows);
  // Turns log p of columns into that of rows: in units of the data, -inf for new values.
  void complete_nats(const Evidence& rows, const Columns& scored, Part& part) const;
  template <typename T>
  void take_moments(const LeafTables<T>& way, const Part& part, const Evidence& rows,
                    ValueTables& all) const;
  void take_reals(const Part& part, const Columns& out, const Evidence& rows,
                  FilledRows& filled) const;
  template <typename T>
  void next_of_steps(const Evidence& rows, std::span<double> all) const;
  void next_of_tree(const Evidence& rows, const FilterPlan& walk, std::span<double> all) const;
  void next_of_places(const Evidence& rows, std::span<double> all) const;

  const PassPlan& plan_;
  const ParamSet& params_;
  const SymbolRows& rows_;
  mutable LnZ<double> ln_z_;
  Precision precision_ = Precision::doubles;
  Weights given_ = {};
  // The parameters in double, renewed when they have changed.
  mutable std::mutex guard_;
  mutable Weights kept_;
};

}  // namespace logpx::pc
