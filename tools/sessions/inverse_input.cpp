#include "tools/sessions/inverse_input.hpp"

#include "formats/density_file.hpp"
#include "formats/uniforms_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t default_count = 1000;                 // samples
constexpr std::int64_t most_spread = std::int64_t{1} << 32;  // points that 32 bits number
constexpr std::int64_t least_steps = 8;                      // of hermite between two points

constexpr WordsOf<Inversion> inversion_words = {
    {"exact", Inversion::exact, "to |F(z) - u| <= 1e-10"},
    {"hermite", Inversion::hermite, "cubic pieces of the inverse: fast, and nearly exact"},
    {"cells", Inversion::cells, "exact within cells of a table"},
    {"nodes", Inversion::nodes, "partial sums of a rule at its nodes, for comparison only"}};

}  // namespace

void DensityInput::describe(Fields& f) {
  const Condition table{[this] { return !path.empty(); }, "--density"},
      bars{[this] { return histogram; }, "--histogram"};
  f.group("density");
  f.add("density", path, "its table, CSV or npy: columns z and density; - is stdin")
      .metavar("FILE")
      .external()
      .hidden_default()
      .files("*.{csv,npy}");
  f.add("log", logarithm, "the second column is the logarithm of the density")
      .when(table)
      .unless(bars);
  f.add("histogram", histogram, "columns are edges of bars and counts").when(table);
  f.add("interpolate", curve,
        {{"cubic", TableCurve::cubic, "smooth, monotone where the data are, and never below 0"},
         {"linear", TableCurve::linear, "straight"}},
        "between points; cubic is monotone where the data are, and never below 0")
      .when(table)
      .unless({bars.holds, "--histogram, whose bars are flat"})
      .rank(Rank::manual);
}

OpenDensity DensityInput::open(App& app) const {
  const NumberTable table = read_number_table(path);
  app.add_input({.role = "density",
                 .path = path,
                 .kind = "table",
                 .bytes = table.source.bytes,
                 .content_hash = table.source.sha256});
  const DensityTable read = density_of(table, histogram   ? DensityColumn::counts
                                              : logarithm ? DensityColumn::logarithm
                                                          : DensityColumn::density);
  return {histogram ? histogram_density(read.z, read.density)
                    : tabulated_density(read.z, read.density, curve),
          table.source.sha256, std::ssize(read.z) - 1};
}

void InversionChoice::describe(Fields& f) {
  f.add("its", method, inversion_words, "how F is inverted");
  f.add("nquad", nodes, "evaluations of the density, for the other three")
      .range(4, 2000)
      .rank(Rank::manual);
}

InversionOptions InversionChoice::options(std::int64_t segments) const {
  InversionOptions options{.method = method, .nodes = nodes};
  if (method == Inversion::hermite)
    options.nodes = std::max(least_steps, (nodes + segments - 1) / segments / 2 * 2);
  return options;
}

const char* InversionChoice::word() const {
  return std::ranges::find(inversion_words, method, &WordOf<Inversion>::value)->word;
}

void UniformChoice::describe(Fields& f) {
  f.group("samples");
  f.add("num", num, "how many samples")
      .short_name('n')
      .range(1, 1e12)
      .shows_default("1000; all rows of --u-file");
  f.add("qmc", spread,
        {{"none", Spread::none, "independent numbers"},
         {"sobol", Spread::sobol, "a Sobol sequence, scrambled by the seed"},
         {"lhs", Spread::lhs, "a Latin hypercube: every margin is even"}},
        "evenly spread numbers: a Sobol sequence, scrambled by the seed, or a Latin hypercube")
      .unless({[this] { return !u_file.empty(); }, "--u-file"});
  f.add("u-file", u_file, "these numbers in [0,1], one for each sample: npy, CSV, or /codes/u")
      .metavar("FILE")
      .external()
      .files("*.{h5,npy,csv}")
      .hidden_default();
  describe_made_rows(f, rows);
}

void UniformChoice::check(std::int64_t dims) const {
  if (spread == Spread::sobol && dims > most_sobol_dims)
    fail(ErrorKind::usage, "--qmc",
         "sobol has " + std::to_string(most_sobol_dims) + " dimensions, and a sample takes " +
             std::to_string(dims) + " numbers",
         "--qmc lhs");
  if (spread != Spread::none && num.value_or(0) >= most_spread)
    fail(ErrorKind::usage, "--num",
         "is " + std::to_string(*num) + ", and --qmc has fewer than " +
             std::to_string(most_spread) + " points");
}

ChosenNumbers UniformChoice::choose(App& app, std::int64_t dims) const {
  check(dims);
  ChosenNumbers chosen{.n = num.value_or(default_count)};
  if (!u_file.empty()) {
    UniformsFile file = read_uniforms(u_file, dims, num);
    app.add_input({.role = "uniforms",
                   .path = u_file,
                   .kind = file.content_hash.empty() ? "table" : "samples",
                   .content_hash = file.content_hash});
    chosen.n = file.rows;
    chosen.points = given_points(std::move(file.u), dims);
    chosen.kind = "given";
  } else if (spread == Spread::none) {
    chosen.points = random_points(dims, app.rng());
    chosen.kind = "none";
  } else {
    const bool sobol = spread == Spread::sobol;
    chosen.points = sobol ? sobol_points(dims, app.rng()) : latin_points(chosen.n, dims, app.rng());
    chosen.kind = sobol ? "sobol" : "lhs";
  }
  const RowRange wanted = rows.value_or(RowRange{});
  chosen.begin = wanted.begin;
  chosen.end = wanted.end < 0 ? chosen.n : wanted.end;
  if (chosen.begin >= chosen.end || chosen.end > chosen.n)
    fail(ErrorKind::usage, "--rows",
         '\'' + to_text(wanted) + "' is not inside the " + std::to_string(chosen.n) + " samples");
  return chosen;
}

}  // namespace logpx
