#include "formats/basis_file.hpp"

#include "formats/data_description.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

template <typename T>
void require_finite_numbers(std::span<const T> numbers, const std::string& place) {
  const auto bad = std::ranges::find_if_not(numbers, [](T value) { return std::isfinite(value); });
  if (bad != numbers.end())
    fail(ErrorKind::data, place,
         "element " + std::to_string(bad - numbers.begin()) + " is not finite");
}

}  // namespace

std::string write_basis(OutputFile& out, const BasisContents& basis, const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::basis);
  writer.attribute("extractor", h5::Value::text(basis.extractor));
  if (basis.data) write_attributes(writer, data_attributes(*basis.data));
  write_tensors(writer, "/basis", basis.tensors);
  return writer.finish(provenance);
}

BasisFile::BasisFile(ArtifactFile artifact) : artifact_(std::move(artifact)) {
  extractor_ = artifact_.text("extractor");
  const Attributes attributes = read_attributes(artifact_, {"extractor"});
  if (attributes.empty()) return;
  try {
    data_ = data_of(attributes);
  } catch (const Error& error) {
    throw error.within(name());
  }
}

std::vector<NamedTensor> BasisFile::tensors() const {
  std::vector<NamedTensor> tensors = read_tensors(artifact_, "/basis");
  for (const NamedTensor& tensor : tensors) {
    const std::string place = artifact_.file().subject("/basis/" + tensor.name);
    if (tensor.value.type == h5::ValueType::f32)
      require_finite_numbers<float>(tensor.value.as<float>(), place);
    else if (tensor.value.type == h5::ValueType::f64)
      require_finite_numbers<double>(tensor.value.as<double>(), place);
    else fail(ErrorKind::data, place, "holds no real numbers");
  }
  return tensors;
}

}  // namespace logpx
