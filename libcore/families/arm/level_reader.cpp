#include "libcore/families/arm/level_reader.hpp"

#include "libcore/base/index.hpp"

namespace logpx::arm {

LevelReader::LevelReader(const Config& config, const DatasetInfo& data)
    : levels_(config.levels(data)),
      coarse_(config.coarse),
      share_(static_cast<double>(coarse_) / static_cast<double>(data.levels)),
      support_(config.support(data)),
      reader_(config.rules(), *support_, "a model of these data") {}

ModelInfo LevelReader::model_info(const DatasetInfo& data) const {
  ModelInfo info = reading_info("arm", data, rules(), *support_);
  info.samples.levels = levels_;
  info.samples.value_max = static_cast<double>(levels_ - 1);
  return info;
}

std::vector<std::int32_t> LevelReader::values(const Examples& examples) const {
  std::vector<float> read(at(examples.rows.count * examples.info.dims()));
  reader_.take_supported(examples, read);
  std::vector<std::int32_t> x;
  x.reserve(read.size());
  for (const float value : read) x.push_back(level_of(static_cast<double>(value)));
  return x;
}

std::vector<std::uint8_t> LevelReader::symbols(const Examples& examples) const {
  std::vector<std::uint8_t> symbols = reader_.symbols(examples);
  for (std::uint8_t& symbol : symbols)
    symbol = static_cast<std::uint8_t>(level_of(static_cast<double>(symbol)));
  return symbols;
}

void LevelRows::take(std::int64_t row, const RowNoise& noise, std::span<std::int32_t> x) const {
  std::vector<float> read(x.size());
  rows_.take(row, noise, read);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = reader_.level_of(static_cast<double>(read[k]));
}

}  // namespace logpx::arm
