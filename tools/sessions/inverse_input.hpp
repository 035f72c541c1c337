// The inputs of samples by inverse transform: a density given as a table, and the uniform
// numbers.   [eval/README 7]
//
//   refuse_unread(app.fields(), app.fields());
//   const OpenDensity open = density.open(app);
//   const ChosenNumbers numbers = uniforms.choose(app, source.uniforms());
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/math/interval_density.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/unit_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx {

class App;

struct OpenDensity {
  IntervalDensity density;
  std::string hash;           // SHA-256 of the table
  std::int64_t segments = 1;  // between its points
};

struct DensityInput {
  std::string path;
  bool logarithm = false, histogram = false;
  TableCurve curve = TableCurve::cubic;

  void describe(Fields& fields);
  [[nodiscard]] OpenDensity open(App& app) const;
};

// --its and --nquad.
struct InversionChoice {
  Inversion method = Inversion::exact;
  std::int64_t nodes = 200;

  void describe(Fields& fields);
  // For a table of so many segments: hermite shares its steps among them.
  [[nodiscard]] InversionOptions options(std::int64_t segments) const;
  [[nodiscard]] const char* word() const;  // "exact"
};

struct ChosenNumbers {
  std::unique_ptr<UnitPoints> points = {};
  std::int64_t n = 0;               // in the whole run
  std::int64_t begin = 0, end = 0;  // the wanted ones
  std::string kind = {};            // "none", "sobol", "lhs", "given"
};

struct UniformChoice {
  enum class Spread { none, sobol, lhs };
  std::optional<std::int64_t> num;
  std::optional<RowRange> rows;
  Spread spread = Spread::none;
  std::string u_file;

  void describe(Fields& fields);
  // Numbers of so many dimensions. A usage error for impossible choices.
  [[nodiscard]] ChosenNumbers choose(App& app, std::int64_t dims) const;

 private:
  void check(std::int64_t dims) const;
};

}  // namespace logpx
