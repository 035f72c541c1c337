// Built-in data: every dataset here is made from a seed, is the same bit for bit on every machine,
// and needs no file.   [data/README 4]
//
//   SyntheticOptions options;                       // defaults: those of the generator
//   Workers workers;
//   auto digits = make_synthetic({.name = "digits", .n = 1000, .seed = 1, .options = options},
//                                workers);
//   Rows first = digits->read(0, 64);
//
// Example i depends on (seed, name, options, i) only: 100 rows are the first of 1000, and neither
// threads nor the order of reading matter.
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/data/synthetic_options.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class Generator;

struct KnownOption {
  const char* name;      // as in SyntheticOptions::describe
  const char* fallback;  // its default there, as text; "" when it follows from other options
};

struct GeneratorEntry {
  std::uint32_t number;  // the substream, and so part of what the data are
  const char* name;
  const char* summary;
  std::int64_t default_n;
  std::vector<KnownOption> options;
  std::unique_ptr<Generator> (*make)(const SyntheticOptions&, std::uint32_t number);
};

[[nodiscard]] std::span<const GeneratorEntry> generators();
[[nodiscard]] std::vector<std::string> generator_names();
// A usage error that lists the names if there is no such generator.
[[nodiscard]] const GeneratorEntry& find_generator(std::string_view name);

// Refuses options that the generator does not know, naming those that do, and fills in defaults.
void complete(SyntheticOptions& options, const GeneratorEntry& entry);

struct SyntheticRequest {
  std::string name;
  std::optional<std::int64_t> n = {};  // the generator's own number when absent
  std::uint64_t seed = 1;
  SyntheticOptions options = {};
};

class SyntheticRows final : public RowSource {
 public:
  SyntheticRows(std::unique_ptr<Generator> generator, const GeneratorEntry& entry,
                const SyntheticRequest& request, Workers& workers);
  ~SyntheticRows() override;

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override;

  // The exact log-probability (or density) of any one example, where the generator knows it.
  [[nodiscard]] double log_p(std::span<const std::byte> x) const;

 private:
  void make_block(Rows& rows, std::int64_t begin, std::int64_t first, std::int64_t last) const;

  std::unique_ptr<Generator> generator_;
  DatasetInfo info_;
  std::uint64_t seed_;
  std::uint32_t number_;
  Workers& workers_;
};

[[nodiscard]] std::unique_ptr<SyntheticRows> make_synthetic(const SyntheticRequest& request,
                                                            Workers& workers);

}  // namespace logpx
