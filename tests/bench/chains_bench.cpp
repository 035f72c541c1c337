// A hundred samples of a mixture prior of 40 x 81 components, by inverse transform with its tables
// made anew, and by short chains of unadjusted Langevin moves.   [KAEM fig. 8; kaem/README 7.2]
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/energy/energy_tables.hpp"
#include "libcore/families/kaem/prior/prior_density.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/langevin.hpp"
#include "tests/bench/bench.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

using namespace kaem;

constexpr std::int64_t samples = 100;
constexpr double eta = 0.01;

// Energies of the size that training leaves.
PriorValues trained_values() {
  PriorForm form(PriorKind::mixture, 40, 81);
  form.coupling = Coupling::independent;
  form.energies.curves = {.basis = CurveBasis::rbf, .intervals = 20};
  form.energies.activation = Activation::relu;
  form.energies.low = -1;
  form.energies.high = 1;
  PriorValues values(form);
  DrawCursor draws(Rng(1).stream(Stream::test));
  for (double& c : values.energies.coef) c = 0.2 * draws.normal();
  for (double& w : values.energies.w_spline) w = draws.normal();
  for (double& w : values.energies.w_base) w = 0.2 * draws.normal();
  for (std::int64_t f = 0; f < form.features(); ++f) {
    values.energies.domain[at(2 * f)] = form.energies.low;
    values.energies.domain[at(2 * f + 1)] = form.energies.high;
  }
  return values;
}

class Inverse {
 public:
  explicit Inverse(const PriorValues& values) : values_(values) {
    for (std::int64_t f = 0; f < values.form.features(); ++f)
      tables_.emplace_back(values.energies, f, Inversion::hermite);
    resize_draws(values.form, samples, draws_);
    prior_uniforms(values.form, Rng(1).stream(Stream::prior_samples), 0, draws_.u);
  }
  void operator()() {
    for (EnergyTables& tables : tables_) {
      tables.rebuild();
      draw_feature(values_, tables, draws_, space_);
    }
  }
  // [samples,Q]
  [[nodiscard]] std::vector<double> rows() const {
    std::vector<double> z(at(samples * values_.form.z_dims()));
    latent_rows(values_.form, draws_, z);
    return z;
  }

 private:
  const PriorValues& values_;
  std::vector<EnergyTables> tables_;
  PriorDraws draws_;
  DrawSpace space_;
};

class Chains {
 public:
  Chains(const PriorValues& values, std::vector<double> z)
      : density_(values, std::vector<double>(values.energies.form.edges())),
        of_([this](std::span<const double> at, std::span<double> log_p,
                   std::span<double> gradient) { density_(at, log_p, gradient); }),
        chains_(start_langevin(std::move(z), values.form.z_dims(), of_)),
        eta_(at(samples), eta),
        numbers_(at(samples)) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
  }
  void operator()(std::uint32_t moves) {
    for (std::uint32_t move = 0; move < moves; ++move)
      ula_move(chains_, of_, {.eta = eta_}, langevin_noise(Rng(1), move, numbers_));
  }

 private:
  PriorDensity density_;
  LangevinDensity of_;
  LangevinChains chains_;
  std::vector<double> eta_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

void bench_chains(Bench& bench) {
  single_threaded_kernels();
  const PriorValues values = trained_values();
  Inverse inverse(values);
  inverse();
  bench.add({.name = "inverse transform", .value = 1e3 * bench.seconds(inverse), .unit = "ms"});
  Chains chains(values, inverse.rows());
  for (const std::uint32_t moves : {10, 20, 30, 40, 50})
    bench.add({.name = std::to_string(moves) + " ULA moves",
               .value = 1e3 * bench.seconds([&] { chains(moves); }),
               .unit = "ms"});
}

}  // namespace logpx::bench
