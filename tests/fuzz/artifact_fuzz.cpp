// Fuzz target of HDF5 artifacts that anyone may have written, with their hashes mended. The first
// byte chooses a good one of tests/fuzz/artifacts, each record of the rest drops, renames, retypes,
// reshapes or changes one of its attributes or datasets. What is written then is refused by an
// error, or all that readers of its kind know of it can be asked: rows as text, tables, tensors.
#include "formats/basis_file.hpp"
#include "formats/checkpoint_file.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/features_file.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "formats/inspection.hpp"
#include "formats/reference_file.hpp"
#include "formats/samples_file.hpp"
#include "formats/scores_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/fuzz_bytes.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace logpx;
using testing::FuzzBytes;

namespace {

constexpr std::int64_t most_elements = 1 << 16;  // so that each input takes milliseconds

struct Part {
  std::string path;  // "@name": an attribute of the root
  h5::Value value;
};
struct GoodArtifact {
  ArtifactKind kind;
  std::vector<Part> parts;
};

bool is_own(const std::string& path) {
  return path == "@kind" || path == "@schema" || path == "@content_hash" || path == "/provenance";
}

GoodArtifact taken_apart(const std::string& path) {
  const ArtifactFile file(path);
  GoodArtifact artifact{file.kind(), {}};
  for (const std::string& name : h5::attribute_names(file.file(), "/"))
    artifact.parts.push_back({'@' + name, *h5::find_attribute(file.file(), "/", name)});
  for (const h5::Object& object : h5::list_objects(file.file()))
    if (object.kind == h5::ObjectKind::dataset)
      artifact.parts.push_back({object.path, h5::read(file.file(), object.path)});
  std::erase_if(artifact.parts, [](const Part& part) { return is_own(part.path); });
  return artifact;
}

std::vector<GoodArtifact> good_artifacts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(LOGPX_SOURCE_DIR "/tests/fuzz/artifacts"))
    if (entry.path().extension() == ".h5") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<GoodArtifact> all;
  for (const auto& path : paths) all.push_back(taken_apart(path));
  return all;
}

// Elements follow the shape: no file can hold anything else.
void fit(h5::Value& value) {
  const std::int64_t count = h5::element_count(value.shape);
  if (count < 0 || count > most_elements) value.shape = {2};
  const std::size_t elements = at(h5::element_count(value.shape));
  if (value.type == h5::ValueType::str) value.texts.resize(elements);
  else value.bytes.resize(elements * h5::value_size(value.type));
}

void change_content(h5::Value& value, FuzzBytes& input) {
  if (value.type == h5::ValueType::str) {
    if (!value.texts.empty())
      testing::change_word(value.texts[input.below(value.texts.size())], input);
    return;
  }
  const std::size_t width = h5::value_size(value.type),
                    place = input.below(value.bytes.size() / width);
  constexpr std::int64_t likely[] = {0, 1, 2, -1, 255, 256, 32767, 1 << 20, INT64_MAX, INT64_MIN};
  const std::uint8_t how = input.next();
  std::int64_t bits = likely[how % std::size(likely)];
  if (how % 3 == 0)
    for (int i = 0; i < 8; ++i)
      bits = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << 8 | input.next());
  if (place * width < value.bytes.size())
    std::memcpy(value.bytes.data() + place * width, &bits, width);
}

void change(GoodArtifact& artifact, FuzzBytes& input) {
  if (artifact.parts.empty()) return;
  const std::size_t which = input.below(artifact.parts.size());
  Part& part = artifact.parts[which];
  switch (input.next() % 12) {
    case 0:
      artifact.parts.erase(artifact.parts.begin() + static_cast<std::ptrdiff_t>(which));
      break;
    case 1: part.path += 'x'; break;
    case 2: part.value = artifact.parts[input.below(artifact.parts.size())].value; break;
    case 3:
      part.value.type = static_cast<h5::ValueType>(input.next() % 11);
      fit(part.value);
      break;
    case 4:
      part.value.shape.assign(input.next() % 5, input.next() % 5);
      fit(part.value);
      break;
    case 5:
      if (!part.value.shape.empty()) part.value.shape.front() += input.next() % 3 - 1;
      fit(part.value);
      break;
    default: change_content(part.value, input);
  }
}

void write(const GoodArtifact& artifact, const std::string& path) {
  OutputFile out(path, Overwrite::replace);
  ArtifactWriter writer(out, artifact.kind);
  for (const Part& part : artifact.parts) {
    if (part.path.starts_with('@')) writer.attribute(part.path.substr(1), part.value);
    else writer.dataset(part.path, part.value);
  }
  (void)writer.finish(Json::object());
  out.commit();
}

void read_rows(const std::string& path) {
  const OpenRows opened = open_rows(path);
  const DatasetInfo& info = opened.rows->info();
  if (info.row_bytes() * at(info.n) > std::size_t{8} << 20) return;
  (void)draw::row_header(info);
  (void)draw::row_text(info, opened.rows->read(0, info.n));
}

void use(ArtifactKind kind, const std::string& path) {
  (void)describe_artifact(ArtifactFile(path));
  check_artifact(ArtifactFile(path));
  switch (kind) {
    case ArtifactKind::dataset:
    case ArtifactKind::samples: return read_rows(path);
    case ArtifactKind::model: return (void)load_model(ModelFile(path));
    case ArtifactKind::checkpoint: return (void)CheckpointFile(path);
    case ArtifactKind::features: return (void)FeaturesFile(path);
    case ArtifactKind::scores: return (void)ScoresFile(path);
    case ArtifactKind::basis: return (void)BasisFile(path);
    case ArtifactKind::reference: return (void)ReferenceFile(path);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<GoodArtifact> good = good_artifacts();
  static const std::string path = std::filesystem::temp_directory_path() /
                                  ("fuzz-artifact-" + std::to_string(::getpid()) + ".h5");
  FuzzBytes input(data, size);
  GoodArtifact artifact = good[input.next() % good.size()];
  for (int changes = 0; !input.empty() && changes < 8; ++changes) change(artifact, input);
  try {
    write(artifact, path);
  } catch (const Error&) {  // no file can be like that
    return 0;
  }
  try {
    use(artifact.kind, path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::numeric) __builtin_trap();
  }
  std::filesystem::remove(path);
  return 0;
}
