#include "tools/sessions/molecule_reference.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/judge/feature_distance.hpp"
#include "libcore/features/chemnet.hpp"
#include "libcore/judge/subset_scores.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <numeric>

namespace logpx {
namespace {

constexpr std::int64_t most_floor_rows = 20'000;
constexpr std::uint32_t floor_choice = 20;  // of the stream of subsets

std::optional<double> floor_of(std::span<const double> matrix, std::int64_t n, FeatureScale scale,
                               App& app) {
  const FeatureView rows{
      .values = matrix, .n = n, .d = std::ssize(matrix) / std::max<std::int64_t>(n, 1)};
  const auto halves = distance_of_halves(rows, {.scale = scale, .rng = app.rng()}, app.workers());
  return halves ? std::optional(halves->value) : std::nullopt;
}

// How far the mean vectors of two random halves of these rows are apart.
double neighbourhood_floor_of(const MoleculeColumns& test, const RowList& rows, App& app) {
  const std::vector<std::uint32_t> order = permutation(
      static_cast<std::uint32_t>(rows.size()), app.rng().stream(Stream::subsets, floor_choice + 2));
  RowList first, second;
  for (std::size_t i = 0; i < order.size(); ++i)
    (2 * i < order.size() ? first : second).push_back(rows[order[i]]);
  return squared_distance(neighbourhoods(test, first, app.workers()),
                          neighbourhoods(test, second, app.workers()));
}

void add_moments(MoleculeReference& reference, const MoleculeColumns& test, App& app) {
  const RowList all = test.all();
  const RowList some =
      chosen_rows(test.n(), most_floor_rows, app.rng().stream(Stream::subsets, floor_choice));
  const auto count = std::ssize(some);
  if (reference.parts.properties) {
    reference.descriptor_moments = descriptor_moments(test, all);
    const auto width = descriptor_names().size();
    std::vector<double> matrix;
    for (const std::uint32_t row : some)
      matrix.insert(matrix.end(), test.descriptors.begin() + static_cast<std::int64_t>(row * width),
                    test.descriptors.begin() + static_cast<std::int64_t>((row + 1) * width));
    reference.descriptor_floor = floor_of(matrix, count, FeatureScale::reference, app);
  }
  if (reference.parts.bits) {
    reference.environment_moments = environment_moments(test, all, app.workers());
    reference.environment_floor =
        floor_of(environment_matrix(test, some), count, FeatureScale::none, app);
  }
  if (!reference.chemnet_hash.empty()) {
    reference.chemnet_moments = chemnet_moments(test, all, app.workers());
    const std::size_t width = test.chemnet.size() / at(test.n());
    std::vector<double> matrix;
    for (const std::uint32_t row : some)
      for (std::size_t j = 0; j < width; ++j) matrix.push_back(test.chemnet[row * width + j]);
    reference.chemnet_floor = floor_of(matrix, count, FeatureScale::none, app);
  }
  if (reference.parts.graphs)
    reference.neighbourhood_floor = neighbourhood_floor_of(test, some, app);
}

h5::Value stored(std::span<const double> values, h5::Shape shape) {
  return h5::Value::of<double>(values, std::move(shape));
}

h5::Value bits_stored(const Fingerprints& prints) {
  const auto count = static_cast<std::size_t>(prints.n() * prints.words());
  const std::span<const std::uint64_t> words(count == 0 ? nullptr : prints.row(0), count);
  return h5::Value::of<std::uint64_t>(words, {prints.n(), prints.words()});
}

using Numbers = std::vector<std::pair<std::string, h5::Value>>;

void add_moments(Numbers& numbers, const std::string& name, const std::optional<Moments>& moments) {
  if (!moments) return;
  numbers.emplace_back(name + "/mean", stored(moments->mean, {moments->d()}));
  numbers.emplace_back(name + "/covariance",
                       stored(moments->covariance, {moments->d(), moments->d()}));
}

void add_scalar(Numbers& numbers, const std::string& name, std::optional<double> value) {
  if (value) numbers.emplace_back(name, h5::Value::scalar(*value));
}

void add_features(Numbers& numbers, const std::string& name, const SparseFeatures& features) {
  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  for (const SparseFeature& one : features) {
    keys.push_back(one.key);
    values.push_back(one.value);
  }
  const std::int64_t size = std::ssize(values);
  numbers.emplace_back(name + "/keys", h5::Value::of<std::uint64_t>(keys, {size}));
  numbers.emplace_back(name + "/values", stored(values, {size}));
}

// Reads the numbers of a file that anyone may have written.
class NumberReader {
 public:
  NumberReader(const ReferenceFile& file, std::int64_t valid) : file_(file), valid_(valid) {}

  [[nodiscard]] std::vector<double> reals(const std::string& name, const h5::Shape& shape) const {
    const auto values = checked(name, h5::ValueType::f64, shape).as<double>();
    return {values.begin(), values.end()};
  }
  [[nodiscard]] Moments moments(const std::string& name, std::int64_t d) const {
    return {.n = valid_,
            .mean = reals(name + "/mean", {d}),
            .covariance = reals(name + "/covariance", {d, d})};
  }
  [[nodiscard]] std::optional<double> scalar(const std::string& name) const {
    if (file_.numbers(name) == nullptr) return std::nullopt;
    return reals(name, {})[0];
  }
  [[nodiscard]] SparseFeatures features(const std::string& name) const {
    const h5::Value* const given = file_.numbers(name + "/keys");
    const std::int64_t size = given != nullptr && given->shape.size() == 1 ? given->shape[0] : 0;
    const auto keys = checked(name + "/keys", h5::ValueType::u64, {size}).as<std::uint64_t>();
    const std::vector<double> values = reals(name + "/values", {size});
    SparseFeatures made;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0 && keys[i] <= keys[i - 1])
        fail(ErrorKind::data, file_.name() + " /numbers/" + name + "/keys",
             "element " + std::to_string(i) + " does not rise");
      made.push_back({keys[i], values[i]});
    }
    return made;
  }
  [[nodiscard]] Fingerprints fingerprints(const std::string& name, FingerprintKind kind) const {
    Fingerprints prints(bits_of(kind));
    const h5::Value& value = checked(name, h5::ValueType::u64, {valid_, (bits_of(kind) + 63) / 64});
    const auto words = value.as<std::uint64_t>();
    for (std::int64_t i = 0; i < valid_; ++i)
      prints.append(words.subspan(at(i * prints.words()), at(prints.words())));
    return prints;
  }

 private:
  [[nodiscard]] const h5::Value& checked(const std::string& name, h5::ValueType type,
                                         const h5::Shape& shape) const {
    const h5::Value* const value = file_.numbers(name);
    if (value == nullptr) fail(ErrorKind::data, file_.name(), "has no /numbers/" + name);
    if (value->type != type || value->shape != shape)
      fail(ErrorKind::data, file_.name() + " /numbers/" + name,
           std::string("is ") + h5::word_of(value->type) + ' ' + h5::shape_text(value->shape) +
               ", expected " + h5::word_of(type) + ' ' + h5::shape_text(shape));
    return *value;
  }
  const ReferenceFile& file_;
  std::int64_t valid_;
};

void read_parts(MoleculeReference& reference, const ReferenceFile& file) {
  const NumberReader read(file, reference.valid);
  const auto counts = [&](const char* name) {
    const auto* const found = file.counts(name);
    return found == nullptr ? NamedCounts() : *found;
  };
  const bool several = reference.valid >= 2;
  if (reference.parts.properties) {
    for (std::size_t p = 0; p < property_names.size(); ++p)
      reference.properties[p] =
          read.reals(std::string("properties/") + property_names[p], {reference.valid});
    const std::int64_t d = std::ssize(descriptor_names());
    reference.descriptors = read.reals("descriptors/rows", {reference.valid, d});
    if (several) reference.descriptor_moments = read.moments("descriptors", d);
    reference.descriptor_floor = read.scalar("descriptors/halves");
  }
  if (reference.parts.bits) {
    reference.morgan = read.fingerprints("morgan", FingerprintKind::morgan);
    if (several) reference.environment_moments = read.moments("environments", environment_places);
    reference.environment_floor = read.scalar("environments/halves");
  }
  if (!reference.chemnet_hash.empty() && several) {
    reference.chemnet_moments = read.moments("chemnet", ChemNetSizes().upper);
    reference.chemnet_floor = read.scalar("chemnet/halves");
  }
  if (reference.parts.graphs) {
    reference.neighbourhoods = read.features("neighbourhoods");
    reference.neighbourhood_floor = read.scalar("neighbourhoods/halves");
  }
  reference.scaffolds = counts("scaffolds");
  reference.pieces = counts("pieces");
  reference.sizes = counts("atoms");
  reference.rings = counts("rings");
  reference.valences = counts("valences");
}

}  // namespace

MoleculeReference reference_of(const MoleculeColumns& test, const ReferenceMaking& making,
                               App& app) {
  const FactParts& parts = making.parts;
  MoleculeReference reference{.name = test.set->name,
                              .chemistry = chemistry().version(),
                              .sa_hash = making.sa_hash,
                              .chemnet_hash = making.chemnet_hash,
                              .parts = parts,
                              .n = test.set->n,
                              .valid = test.n(),
                              .descriptors = test.descriptors,
                              .morgan = test.morgan,
                              .sizes = size_counts(test),
                              .rings = ring_counts(test),
                              .valences = valence_counts(test)};
  const RowList all = test.all();
  if (parts.properties)
    for (std::size_t p = 0; p < property_names.size(); ++p)
      reference.properties[p] = test.property(p, all);
  if (parts.pieces) {
    reference.scaffolds = scaffold_counts(test, all);
    reference.pieces = piece_counts(test, all);
  }
  if (parts.graphs) reference.neighbourhoods = neighbourhoods(test, all, app.workers());
  if (test.n() >= 2) add_moments(reference, test, app);
  return reference;
}

ReferenceContents contents_of(const MoleculeReference& reference) {
  ReferenceContents contents{.chemistry = reference.chemistry,
                             .sa_hash = reference.sa_hash,
                             .chemnet_hash = reference.chemnet_hash,
                             .parts = {},
                             .n = reference.n,
                             .numbers = {},
                             .counts = {{"scaffolds", reference.scaffolds},
                                        {"pieces", reference.pieces},
                                        {"atoms", reference.sizes},
                                        {"rings", reference.rings},
                                        {"valences", reference.valences}}};
  for (const FactPart& part : fact_parts)
    if (reference.parts.*part.member) contents.parts.emplace_back(part.word);
  Numbers& numbers = contents.numbers;
  numbers.emplace_back("molecules", h5::Value::scalar(reference.valid));
  if (reference.parts.properties) {
    for (std::size_t p = 0; p < property_names.size(); ++p)
      numbers.emplace_back(std::string("properties/") + property_names[p],
                           stored(reference.properties[p], {reference.valid}));
    numbers.emplace_back(
        "descriptors/rows",
        stored(reference.descriptors, {reference.valid, std::ssize(descriptor_names())}));
  }
  if (reference.parts.bits) numbers.emplace_back("morgan", bits_stored(reference.morgan));
  if (reference.parts.graphs) add_features(numbers, "neighbourhoods", reference.neighbourhoods);
  add_moments(numbers, "chemnet", reference.chemnet_moments);
  add_scalar(numbers, "chemnet/halves", reference.chemnet_floor);
  add_scalar(numbers, "neighbourhoods/halves", reference.neighbourhood_floor);
  add_moments(numbers, "descriptors", reference.descriptor_moments);
  add_moments(numbers, "environments", reference.environment_moments);
  add_scalar(numbers, "descriptors/halves", reference.descriptor_floor);
  add_scalar(numbers, "environments/halves", reference.environment_floor);
  return contents;
}

MoleculeReference reference_from(const ReferenceFile& file) {
  const ReferenceContents& contents = file.contents();
  const std::string ours = chemistry().version();
  if (contents.chemistry != ours)
    fail(ErrorKind::data, file.name(),
         "was made by " + contents.chemistry + ", and this is " + ours +
             ", which may number fragments in another way",
         "mol-metrics TEST.smi --make-reference -o " + shell_word(file.name()) + " --force");
  MoleculeReference reference{.name = file.name(),
                              .chemistry = contents.chemistry,
                              .sa_hash = contents.sa_hash,
                              .chemnet_hash = contents.chemnet_hash,
                              .parts = {false, false, false, false, false, false},
                              .n = contents.n};
  for (const FactPart& part : fact_parts)
    reference.parts.*part.member = std::ranges::count(contents.parts, part.word) > 0;
  const h5::Value* const valid = file.numbers("molecules");
  if (valid == nullptr || valid->type != h5::ValueType::i64 || !valid->shape.empty() ||
      valid->as<std::int64_t>()[0] < 0 || valid->as<std::int64_t>()[0] > contents.n)
    fail(ErrorKind::data, file.name() + " /numbers/molecules", "is no number of molecules");
  reference.valid = valid->as<std::int64_t>()[0];
  read_parts(reference, file);
  return reference;
}

}  // namespace logpx
