// Fuzz target of densities in tables. The first byte chooses how the rest is read and inverted.
// What comes out is samples that rise within the interval, or a data or numeric error; anything
// else is a bug.
#include "formats/density_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace logpx;

namespace {

constexpr std::int64_t most_points = 300;  // so that each input takes milliseconds

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void invert(const IntervalDensity& density, Inversion method) {
  const InverseCdf inverse(density, {.method = method, .nodes = 8});
  std::vector<double> u = {-1, 0, 1e-300, 1e-9, 0.25, 0.5, 0.75, 1 - 0x1p-53, 1, 2}, z(u.size());
  inverse.quantiles(u, z);
  require(std::is_sorted(z.begin(), z.end()));
  require(z.front() >= density.breaks.front() && z.back() <= density.breaks.back());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto column = static_cast<DensityColumn>(data[0] % 3);
  const auto curve = data[0] / 3 % 2 == 0 ? TableCurve::cubic : TableCurve::linear;
  const auto method = static_cast<Inversion>(data[0] / 6 % 4);
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  try {
    const NumberTable table =
        read_number_table(ByteSource("density", {bytes.begin(), bytes.end()}));
    if (table.rows > most_points) return 0;
    const DensityTable read = density_of(table, column);
    invert(column == DensityColumn::counts ? histogram_density(read.z, read.density)
                                           : tabulated_density(read.z, read.density, curve),
           method);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data || error.kind() == ErrorKind::numeric);
  }
  return 0;
}
