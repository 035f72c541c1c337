#include "formats/reference_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

template <typename T>
const T* find_named(const std::vector<std::pair<std::string, T>>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, [](const auto& one) { return one.first; });
  return found == all.end() ? nullptr : &found->second;
}

void check_finite(const ArtifactFile& file, const std::string& place, const h5::Value& value) {
  if (value.type != h5::ValueType::f64) return;
  const auto numbers = value.as<double>();
  const auto bad = std::ranges::find_if_not(numbers, [](double one) { return std::isfinite(one); });
  if (bad != numbers.end())
    fail(ErrorKind::data, file.file().subject(place),
         "element " + std::to_string(bad - numbers.begin()) + " is not finite");
}

}  // namespace

std::string write_reference(OutputFile& out, const ReferenceContents& reference,
                            const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::reference);
  writer.attribute("chemistry", h5::Value::text(reference.chemistry));
  writer.attribute("sa_hash", h5::Value::text(reference.sa_hash));
  writer.attribute("chemnet_hash", h5::Value::text(reference.chemnet_hash));
  writer.attribute("parts", h5::Value::text(join_text(reference.parts, ",")));
  writer.attribute("n", h5::Value::scalar(reference.n));
  for (const auto& [name, value] : reference.numbers) writer.dataset("/numbers/" + name, value);
  for (const auto& [name, counts] : reference.counts) {
    if (counts.empty()) continue;
    std::vector<std::string> names;
    std::vector<std::int64_t> values;
    for (const auto& [what, count] : counts) {
      names.push_back(what);
      values.push_back(count);
    }
    const std::int64_t size = std::ssize(values);
    writer.dataset("/counts/" + name + "/names", {h5::ValueType::str, {size}, {}, names});
    writer.dataset("/counts/" + name + "/values", h5::Value::of<std::int64_t>(values, {size}));
  }
  return writer.finish(provenance);
}

ReferenceFile::ReferenceFile(ArtifactFile artifact) : artifact_(std::move(artifact)) {
  artifact_.check();
  contents_ = {.chemistry = artifact_.text("chemistry"),
               .sa_hash = artifact_.text("sa_hash"),
               .chemnet_hash = artifact_.text("chemnet_hash"),
               .parts = split_text(artifact_.text("parts"), ','),
               .n = artifact_.integer("n"),
               .numbers = {},
               .counts = {}};
  for (NamedTensor& one : read_tensors(artifact_, "/numbers")) {
    check_finite(artifact_, "/numbers/" + one.name, one.value);
    contents_.numbers.emplace_back(one.name, std::move(one.value));
  }
  if (artifact_.has("/counts")) read_counts(read_tensors(artifact_, "/counts"));
}

void ReferenceFile::read_counts(const std::vector<NamedTensor>& tensors) {
  for (const NamedTensor& one : tensors) {
    constexpr std::string_view ending = "/names";
    if (!one.name.ends_with(ending)) continue;
    const std::string name = one.name.substr(0, one.name.size() - ending.size());
    const std::string place = artifact_.file().subject("/counts/" + name);
    const h5::Value* const values = find_tensor(tensors, name + "/values");
    if (one.value.type != h5::ValueType::str || values == nullptr ||
        values->type != h5::ValueType::i64 || values->shape != one.value.shape)
      fail(ErrorKind::data, place, "is no list of names, each with its count");
    std::map<std::string, std::int64_t> counts;
    const auto numbers = values->as<std::int64_t>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < 1 || numbers[i] > (std::int64_t{1} << 53))
        fail(ErrorKind::data, place, "element " + std::to_string(i) + " is no count");
      counts[one.value.texts[i]] = numbers[i];
    }
    contents_.counts.emplace_back(name, std::move(counts));
  }
}

const h5::Value* ReferenceFile::numbers(const std::string& name) const {
  return find_named(contents_.numbers, name);
}

const std::map<std::string, std::int64_t>* ReferenceFile::counts(const std::string& name) const {
  return find_named(contents_.counts, name);
}

}  // namespace logpx
