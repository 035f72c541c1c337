#include "formats/feature_set.hpp"

#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/import/container.hpp"
#include "formats/number_table.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t rows_at_once = 4096;
constexpr std::size_t most_names = 20;
constexpr double most_asymmetry = 1e-5;  // of the largest entry: some keep single precision

std::string pair_text(std::int64_t rows, std::int64_t columns) {
  return '[' + std::to_string(rows) + ", " + std::to_string(columns) + ']';
}

void require_finite_values(std::span<const double> values, std::int64_t width,
                           const std::function<std::string(std::int64_t)>& place) {
  const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
  if (bad != values.end())
    fail(ErrorKind::data, place((bad - values.begin()) / width),
         "holds a value that is not finite");
}

bool rows_are_all_the_same(const FeatureSet& set) {
  for (std::int64_t e = set.info.d; e < std::ssize(set.rows); ++e)
    if (set.rows[static_cast<std::size_t>(e)] != set.rows[static_cast<std::size_t>(e % set.info.d)])
      return false;
  return true;
}

// The mean of both triangles, unless they differ by more than rounding.
void make_symmetric(FeatureSet& set, const std::string& subject) {
  const auto entry = [&](std::int64_t i, std::int64_t j) -> double& {
    return set.covariance[static_cast<std::size_t>(i * set.info.d + j)];
  };
  double largest = 0;
  for (const double value : set.covariance) largest = std::max(largest, std::fabs(value));
  for (std::int64_t i = 0; i < set.info.d; ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      if (std::fabs(entry(i, j) - entry(j, i)) > most_asymmetry * largest)
        fail(ErrorKind::data, subject,
             "is not symmetric: " + four_digits(entry(i, j)) + " at " + pair_text(i, j) + " and " +
                 four_digits(entry(j, i)) + " at " + pair_text(j, i));
      entry(i, j) = entry(j, i) = entry(i, j) / 2 + entry(j, i) / 2;
    }
  if (largest == 0)
    fail(ErrorKind::data, subject, "is 0 everywhere, so there is nothing to compare");
}

void check_statistics(FeatureSet& set, const std::string& mean_name, const std::string& sigma) {
  const std::string subject = set.name + ": " + sigma;
  require_finite_values(set.mean, 1, [&](std::int64_t i) {
    return set.name + ": " + mean_name + ": entry " + std::to_string(i);
  });
  require_finite_values(set.covariance, set.info.d,
                        [&](std::int64_t row) { return subject + ": row " + std::to_string(row); });
  make_symmetric(set, subject);
}

FeatureSet of_artifact(SeekableInput&& input) {
  ArtifactFile artifact(std::move(input));
  if (artifact.kind() == ArtifactKind::dataset || artifact.kind() == ArtifactKind::samples)
    fail(ErrorKind::data, artifact.name(), "holds rows, and features of them are compared",
         "--extractor pixels, or --extractor random-conv:1:64 for pictures");
  artifact.require_kind(ArtifactKind::features);
  const FeaturesFile file(std::move(artifact));
  FeatureSet set{.name = file.name(),
                 .kind = "features",
                 .info = file.info(),
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()};
  if (set.info.d < 1) fail(ErrorKind::data, set.name, "has features of width 0");
  if (!file.has_rows()) {
    set.info.classes = 0;
    set.mean = file.mean();
    set.covariance = file.covariance();
    check_statistics(set, "/mean", "/cov");
    return set;
  }
  for (std::int64_t begin = 0; begin < set.info.n; begin += rows_at_once) {
    const FeatureRows rows = file.read(begin, std::min(set.info.n, begin + rows_at_once));
    set.rows.insert(set.rows.end(), rows.features.begin(), rows.features.end());
    set.logits.insert(set.logits.end(), rows.logits.begin(), rows.logits.end());
  }
  if (set.info.classes > 0)
    require_finite_values(set.logits, set.info.classes, [&](std::int64_t row) {
      return set.name + ": /logits: row " + std::to_string(row);
    });
  check_rows(set);
  return set;
}

FeatureSet of_table(NumberTable table) {
  require_finite_values(table.values, table.columns,
                        [&](std::int64_t row) { return table.place(row); });
  FeatureSet set{.name = table.name,
                 .kind = "table",
                 .info = {.n = table.rows, .d = table.columns},
                 .rows = std::move(table.values),
                 .bytes = table.source.bytes,
                 .content_hash = table.source.sha256};
  check_rows(set);
  return set;
}

// The arrays of an .npz by their names.
class NamedArrays {
 public:
  explicit NamedArrays(std::shared_ptr<const Container> archive) : archive_(std::move(archive)) {
    for (const Container::Member& member : archive_->members()) {
      names_.push_back(member.name);
      if (names_.back().ends_with(".npy")) names_.back().resize(names_.back().size() - 4);
    }
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::ranges::find(names_, name) != names_.end();
  }
  [[nodiscard]] NumberTable read(const std::string& name) const {
    const auto number = std::ranges::find(names_, name) - names_.begin();
    NumberTable table = read_number_table(open_inside(archive_, static_cast<std::size_t>(number)));
    table.name = archive_->name() + ": " + shown_name(name);
    require_finite_values(table.values, table.columns,
                          [&](std::int64_t row) { return table.place(row); });
    return table;
  }
  // `features`, or the one array that there is.
  [[nodiscard]] std::string features_name() const {
    if (has("features")) return "features";
    if (names_.size() == 1) return names_[0];
    std::vector<std::string> shown;
    for (const std::string& name : names_) shown.push_back(shown_name(name));
    if (shown.size() > most_names) shown.resize(most_names), shown.emplace_back("...");
    fail(ErrorKind::data, archive_->name(),
         "has neither features nor mu and sigma (has: " + join_text(shown, ", ") + ')');
  }
  [[nodiscard]] const Container& archive() const { return *archive_; }

 private:
  std::shared_ptr<const Container> archive_;
  std::vector<std::string> names_;
};

void take_statistics(FeatureSet& set, const NamedArrays& arrays) {
  NumberTable mu = arrays.read("mu"), sigma = arrays.read("sigma");
  const std::int64_t d = std::ssize(mu.values);
  if (std::min(mu.rows, mu.columns) != 1)
    fail(ErrorKind::data, mu.name, "has shape " + mu.shape_text() + ", expected one row");
  if (sigma.rows != d || sigma.columns != d)
    fail(ErrorKind::data, sigma.name,
         "has shape " + sigma.shape_text() + ", expected " + pair_text(d, d) + " since mu has " +
             std::to_string(d) + " entries");
  set.info.d = d;
  set.mean = std::move(mu.values);
  set.covariance = std::move(sigma.values);
  check_statistics(set, "mu", "sigma");
}

void take_logits(FeatureSet& set, NumberTable logits) {
  if (logits.rows != set.info.n)
    fail(ErrorKind::data, logits.name,
         "has " + std::to_string(logits.rows) + " rows, the features have " +
             std::to_string(set.info.n));
  set.info.classes = logits.columns;
  set.logits = std::move(logits.values);
}

// Spooled input keeps its name in messages.
ByteSource opened(const SeekableInput& input, const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 36;
  if (input.path() == path) return ByteSource(path);
  ByteSource copy(input.path().string());
  return ByteSource(input.name(), read_whole(copy, most));
}

bool has_statistics(const NamedArrays& arrays) {
  return !arrays.has("features") && arrays.has("mu") && arrays.has("sigma");
}

}  // namespace

void check_rows(const FeatureSet& set) {
  if (set.info.n < 2)
    fail(ErrorKind::data, set.name,
         "has " + std::string(set.info.n == 1 ? "one row" : "no rows") + ", expected two or more");
  if (rows_are_all_the_same(set))
    fail(
        ErrorKind::data, set.name,
        "all " + std::to_string(set.info.n) + " rows are the same, so there is nothing to compare");
}

bool holds_statistics(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  ByteSource source(path);
  const std::span<const std::byte> first = source.peek(512);
  if (begins_with(first, hdf5_magic)) {
    const ArtifactFile artifact(path);
    return artifact.kind() == ArtifactKind::features && !artifact.has("/features");
  }
  return packing_of(first) == Packing::zip &&
         has_statistics(NamedArrays(std::make_shared<const Container>(std::move(source))));
}

FeatureSet feature_set_of(std::shared_ptr<const Container> archive) {
  const NamedArrays arrays(std::move(archive));
  FeatureSet set{.name = arrays.archive().name(),
                 .kind = "npz",
                 .bytes = arrays.archive().record().bytes,
                 .content_hash = arrays.archive().record().sha256};
  const bool has_mu = arrays.has("mu"), has_sigma = arrays.has("sigma");
  if (!arrays.has("features") && has_mu != has_sigma)
    fail(ErrorKind::data, set.name, has_mu ? "has mu without sigma" : "has sigma without mu");
  if (has_statistics(arrays)) {
    take_statistics(set, arrays);
    return set;
  }
  NumberTable features = arrays.read(arrays.features_name());
  set.info.n = features.rows;
  set.info.d = features.columns;
  set.rows = std::move(features.values);
  check_rows(set);
  if (arrays.has("logits")) take_logits(set, arrays.read("logits"));
  return set;
}

FeatureSet read_feature_set(const std::string& path) {
  SeekableInput input(path);
  ByteSource source = opened(input, path);
  const std::span<const std::byte> first = source.peek(512);
  if (begins_with(first, hdf5_magic)) return of_artifact(std::move(input));
  if (packing_of(first) == Packing::zip)
    return feature_set_of(std::make_shared<const Container>(std::move(source)));
  return of_table(read_number_table(std::move(source)));
}

}  // namespace logpx
