#include "libcore/data/synthetic.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/data/splits.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

// How many rows a thread makes at a time.
constexpr std::int64_t rows_per_block = 64;
bool knows(const GeneratorEntry& entry, const std::string& option) {
  return std::any_of(entry.options.begin(), entry.options.end(),
                     [&](const KnownOption& known) { return known.name == option; });
}

std::string owners(const std::string& option) {
  std::vector<std::string> names;
  for (const GeneratorEntry& entry : generators())
    if (knows(entry, option)) names.emplace_back(entry.name);
  return join_text(names, ", ") + (names.size() == 1 ? " has it" : " have it");
}

}  // namespace

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const GeneratorEntry& entry : generators()) names.emplace_back(entry.name);
  return names;
}

const GeneratorEntry& find_generator(std::string_view name) {
  for (const GeneratorEntry& entry : generators())
    if (entry.name == name) return entry;
  const std::vector<std::string> names = generator_names();
  fail(ErrorKind::usage, "",
       "no built-in dataset is named '" + std::string(name) + "'" + did_you_mean(name, names),
       "one of " + join_text(names, ", "));
}

void complete(SyntheticOptions& options, const GeneratorEntry& entry) {
  Fields given, untouched;
  SyntheticOptions fresh;
  options.describe(given);
  fresh.describe(untouched);
  for (std::size_t i = 0; i < given.all().size(); ++i) {
    Field& field = given.all()[i];
    if (field.text() != untouched.all()[i].text()) {
      if (!knows(entry, field.name()))
        fail(ErrorKind::usage, "",
             (field.is_positional() ? field.metavar() : field.option()) + " is not an option of " +
                 entry.name + " (" + owners(field.name()) + ")");
      continue;
    }
    for (const KnownOption& known : entry.options)
      if (known.name == field.name() && *known.fallback != 0)
        field.read(known.fallback, field.option(), Origin::fallback);
  }
}

SyntheticRows::SyntheticRows(std::unique_ptr<Generator> generator, const GeneratorEntry& entry,
                             const SyntheticRequest& request, Workers& workers)
    : generator_(std::move(generator)),
      info_(generator_->info()),
      seed_(request.seed),
      number_(entry.number),
      workers_(workers) {
  const std::int64_t n =
      generator_->fixed_n().value_or(generator_->most_n().value_or(entry.default_n));
  if (generator_->fixed_n() && request.n && *request.n != n)
    fail(ErrorKind::usage, "--num", "the whole table has " + std::to_string(n) + " rows");
  if (generator_->most_n() && request.n && *request.n > n)
    fail(ErrorKind::usage, "--num",
         "'" + std::to_string(*request.n) + "' is more than the " + std::to_string(n) +
             " that there are");
  info_.n = request.n.value_or(n);
  // Beyond it the words of an example would run into those of the shared structure.
  if (info_.n < 1 || info_.n >= std::int64_t{1} << 43)
    fail(ErrorKind::usage, "--num", "'" + std::to_string(info_.n) + "' is not between 1 and 2^43");
  if (info_.name.empty()) info_.name = entry.name;
  info_.source_kind = "synthetic";
  info_.licence = "public domain (CC0), made by logpx";
  info_.splits = default_splits(info_.n);
  generator_->arrange(Substream(seed_, Stream::synthetic, number_));
}

SyntheticRows::~SyntheticRows() = default;

Rows SyntheticRows::read(std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= info_.n);
  const auto count = static_cast<std::size_t>(end - begin);
  Rows rows;
  rows.count = end - begin;
  rows.x.resize(count * info_.row_bytes());
  if (info_.has_labels) rows.y.resize(count);
  if (info_.has_lengths) rows.length.resize(count);
  if (info_.has_true_logp) rows.true_logp.resize(count);
  rows.latent.resize(count * static_cast<std::size_t>(info_.latent_dim));
  const std::int64_t blocks = (rows.count + rows_per_block - 1) / rows_per_block;
  workers_.run(blocks, [&](std::int64_t block) {
    const std::int64_t first = begin + block * rows_per_block;
    make_block(rows, begin, first, std::min(first + rows_per_block, end));
  });
  return rows;
}

void SyntheticRows::make_block(Rows& rows, std::int64_t begin, std::int64_t first,
                               std::int64_t last) const {
  const Substream substream(seed_, Stream::synthetic, number_);
  const auto dims = static_cast<std::size_t>(info_.dims());
  const auto latents = static_cast<std::size_t>(info_.latent_dim);
  for (std::int64_t i = first; i < last; ++i) {
    const auto row = static_cast<std::size_t>(i - begin);
    ExampleDraws draws(substream, i);
    Example example;
    if (info_.element == Element::u8)
      example.bytes = rows.values<std::uint8_t>().subspan(row * dims, dims);
    else example.reals = rows.values<float>().subspan(row * dims, dims);
    example.latent = std::span(rows.latent).subspan(row * latents, latents);
    generator_->make(draws, example);
    LOGPX_ASSERT(draws.within_range());
    if (info_.has_labels) rows.y[row] = example.label;
    if (info_.has_lengths) rows.length[row] = example.length;
    if (info_.has_true_logp) rows.true_logp[row] = generator_->log_p(example);
  }
}

double SyntheticRows::log_p(std::span<const std::byte> x) const {
  LOGPX_ASSERT(info_.has_true_logp && x.size() == info_.row_bytes());
  Rows one;
  one.x.assign(x.begin(), x.end());
  Example example;
  if (info_.element == Element::u8) example.bytes = one.values<std::uint8_t>();
  else example.reals = one.values<float>();
  return generator_->log_p(example);
}

std::unique_ptr<SyntheticRows> make_synthetic(const SyntheticRequest& request, Workers& workers) {
  const GeneratorEntry& entry = find_generator(request.name);
  SyntheticOptions options = request.options;
  complete(options, entry);
  return std::make_unique<SyntheticRows>(entry.make(options, entry.number), entry, request,
                                         workers);
}

}  // namespace logpx
