#include "libcore/families/kaem/shard_rows.hpp"

#include "libcore/base/index.hpp"

namespace logpx::kaem {

std::vector<float> rows_of_shard(const KaemModel& model, const TrainingRows& rows,
                                 const Shard& shard) {
  std::vector<float> x;
  take_rows_of_shard(model, rows, shard, x);
  return x;
}

void take_rows_of_shard(const KaemModel& model, const TrainingRows& rows, const Shard& shard,
                        std::vector<float>& x) {
  const std::size_t dims = at(model.dims());
  x.resize(at(shard.count) * dims);
  const RowNoise noise = training_noise(model.reader().rules(), Rng(shard.place.seed),
                                        static_cast<std::uint32_t>(shard.place.epoch));
  for (std::size_t i = 0; i < shard.rows.size(); ++i)
    rows.take(shard.rows[i], noise, std::span(x).subspan(i * dims, dims));
}

bool measures_distance(const KaemModel& model) {
  return model.likelihood().takes() != ValuesOfX::levels;
}

}  // namespace logpx::kaem
