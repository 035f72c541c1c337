// The whole distribution of single real numbers.   [pc/README 9.2]
#include "libcore/base/index.hpp"
#include "libcore/families/pc/queries/leaf_normals.hpp"
#include "libcore/families/pc/queries/queries.hpp"

namespace logpx::pc {

std::vector<NormalMixture> Queries::mixtures(const Evidence& rows, std::int64_t place) const {
  Evidence others = rows;
  for (std::int64_t i = 0; i < others.count(); ++i) others.set(i, place, -1);
  return in_single() ? mixtures_in<float>(others, place) : mixtures_in<double>(others, place);
}

template <typename T>
std::vector<NormalMixture> Queries::mixtures_in(const Evidence& rows, std::int64_t place) const {
  const auto theta = numbers<T>();
  std::vector<NormalMixture> all(at(rows.count()));
  Pass<T> pass(plan_, {});
  for_parts(rows, [&](Part& part) {
    const std::span<NormalMixture> own =
        std::span(all).subspan(at(part.first), at(part.columns.count));
    LeafNormals<T> way(plan_.circuit(), place, own);
    pass.descend({.theta = *theta}, part.columns, part.nats, way);
    way.normalise();
    const std::vector<double>& deviation = rows_.rules().columns.deviation;
    for (NormalMixture& mixture : own)
      for (NormalMixture::Part& normal : mixture.parts) {
        normal.mean = rows_.in_units(normal.mean, place);
        if (!deviation.empty()) normal.deviation *= deviation[at(place)];
      }
  });
  return all;
}

}  // namespace logpx::pc
