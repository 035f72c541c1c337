// npz: an archive of npy arrays, by NumPy's custom a zip.
#include "formats/file/signature.hpp"
#include "formats/import/array_importer.hpp"
#include "formats/import/container.hpp"
#include "formats/import/npy_header.hpp"
#include "formats/import/whole_numbers.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"

namespace logpx {
namespace {

constexpr std::size_t shown_names = 20;

OpenArray open_member(const std::shared_ptr<const Container>& archive, const std::string& key) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < archive->members().size(); ++i) {
    std::string name = archive->members()[i].name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (name == key)
      return open_array(std::make_unique<ByteSource>(open_inside(archive, i)), read_npy_header);
    if (names.size() == shown_names) names.back() = "...";
    else names.push_back(shown_name(name));
  }
  fail(ErrorKind::data, archive->name(),
       "no array " + key + " (has: " + join_text(names, ", ") + ")", "--key " + names.front());
}

std::unique_ptr<Importer> open_npz(Inputs inputs, const ImportOptions& options) {
  std::vector<OpenArray> examples, labels;
  for (Input& input : inputs) {
    if (!input.is_container()) {
      if (input.peek(1).empty()) fail(ErrorKind::data, input.name(), "is empty");
      fail(ErrorKind::data, input.name(), "not npz (first bytes " + hex_words(input.peek(4)) + ")",
           looks_like_hint(input.peek(signature_bytes)));
    }
    const std::shared_ptr<const Container>& archive = input.unpack();
    examples.push_back(open_member(archive, options.key));
    if (!options.label_key.empty()) labels.push_back(open_member(archive, options.label_key));
  }
  ImportRecord record;
  const ImportOptions kept = keep_integers(examples, options, record);
  return import_arrays(std::move(examples), std::move(labels), kept, std::move(record));
}

}  // namespace

namespace foreign {

ImportFormat npz() {
  return {.word = "npz",
          .says = "several of them in one file",
          .zip_of = "npy",
          .options = {"shape", "content", "levels", "standardise", "key", "label-key"},
          .open = open_npz};
}

}  // namespace foreign
}  // namespace logpx
