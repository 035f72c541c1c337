// What a circuit answers about rows with missing values, in double.   [spec/pc.md section 9]
#pragma once

#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/symbol_rows.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

class Queries final : public ModelQueries {
 public:
  // What they refer to outlives them.
  Queries(const PassPlan& plan, const ParamSet& params, const SymbolRows& rows)
      : plan_(plan), params_(params), rows_(rows) {}

  [[nodiscard]] std::vector<std::int32_t> observed(const Examples& examples) const override;
  [[nodiscard]] std::vector<double> tables(const Examples& examples) const override;
  [[nodiscard]] FilledRows fill(const Examples& examples, FillBy how, Rng rng,
                                std::uint32_t draw) const override;

 private:
  [[nodiscard]] std::vector<double> weights() const;
  // So many rows at once that the messages of all steps stay within some megabytes.
  [[nodiscard]] std::int64_t rows_at_once(std::int64_t steps) const;

  const PassPlan& plan_;
  const ParamSet& params_;
  const SymbolRows& rows_;
};

}  // namespace logpx::pc
