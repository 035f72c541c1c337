// The tables of man/logpx-*.5 against fresh artifacts, both ways: whatever is in a file is in
// its manual, and whatever the manual lists is in a file.
#include "formats/data_description.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "libcore/base/number_text.hpp"
#include "tests/support/mixture_model.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace logpx::manual_test {

using namespace logpx::testing;

namespace {

struct Row {
  std::string path, type, shape;
  bool in_all = false;
};

// A row of the table: something in an artifact, or a line of a manual.
struct Found {
  std::string path, type;
  h5::Shape shape;
};

// Rows between .TS and .TE: path, type, shape, "all" or "some", meaning; tabs between.
std::vector<Row> rows_of_manual(const std::string& page) {
  const std::string text = read_text_file(LOGPX_SOURCE_DIR "/man/" + page);
  std::vector<Row> rows;
  bool in_table = false;
  for (const std::string& line : split_text(text, '\n')) {
    if (line == ".TS" || line == ".TE") in_table = line == ".TS";
    const std::vector<std::string> cells = split_text(line, '\t');
    if (!in_table || cells.size() < 4 || cells[0] == "path") continue;
    CAPTURE(line);
    REQUIRE((cells[3] == "all" || cells[3] == "some"));
    rows.push_back({cells[0], cells[1], cells[2], cells[3] == "all"});
  }
  return rows;
}

std::vector<Found> content_of(const std::string& path) {
  SeekableInput input(path);
  const h5::File file = h5::File::open(input);
  std::vector<Found> content;
  const auto add_attributes = [&](const std::string& object, const std::string& prefix) {
    for (const std::string& name : h5::attribute_names(file, object)) {
      const h5::Value value = h5::find_attribute(file, object, name).value();
      content.push_back({prefix + '@' + name, h5::word_of(value.type), value.shape});
    }
  };
  add_attributes("/", "");
  for (const h5::Object& object : h5::list_objects(file)) {
    if (object.kind == h5::ObjectKind::dataset) {
      const h5::Description what = h5::describe(file, object.path);
      content.push_back({object.path, h5::word_of(what.type), what.shape});
    } else {
      content.push_back({object.path, "group", {}});
    }
    add_attributes(object.path, object.path);
  }
  return content;
}

bool path_fits(const std::string& pattern, const std::string& path) {
  if (!pattern.ends_with("NAME")) return pattern == path;
  const std::string prefix = pattern.substr(0, pattern.size() - 4);
  return path.starts_with(prefix) && path.size() > prefix.size();
}

bool type_fits(const std::string& pattern, const std::string& type) {
  if (pattern == "real") return type == "f32" || type == "f64";
  return pattern == type || (pattern == "any" && type != "group");
}

// Letters of a shape stand for one size in all the file.
bool shape_fits(const std::string& pattern, const h5::Shape& shape,
                std::map<std::string, std::int64_t>& sizes) {
  if (pattern == "any") return true;
  if (pattern == "scalar" || pattern == "\\-") return shape.empty();
  const bool open_end = pattern.ends_with("...");
  const std::vector<std::string> letters =
      split_text(open_end ? pattern.substr(0, pattern.size() - 3) : pattern, ',');
  if (shape.size() < letters.size() || (shape.size() > letters.size() && !open_end)) return false;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (sizes.emplace(letters[i], shape[i]).first->second != shape[i]) return false;
  return true;
}

// A row that names the path itself goes before one that ends in NAME; groups inside a NAME belong
// to the name.
const Row* row_for(const std::vector<Row>& rows, const Found& found,
                   std::map<std::string, std::int64_t>& sizes) {
  for (const bool named : {false, true})
    for (const Row& row : rows) {
      if (row.path.ends_with("NAME") != named || !path_fits(row.path, found.path)) continue;
      if (named && found.type == "group") return &row;
      auto assumed = sizes;
      if (!type_fits(row.type, found.type) || !shape_fits(row.shape, found.shape, assumed))
        continue;
      sizes = assumed;
      return &row;
    }
  return nullptr;
}

void check_manual(const std::string& page, const std::vector<std::string>& artifacts) {
  const std::vector<Row> rows = rows_of_manual(page);
  REQUIRE(rows.size() > 5);
  std::set<const Row*> seen_anywhere;
  for (const std::string& artifact : artifacts) {
    std::set<const Row*> seen;
    std::map<std::string, std::int64_t> sizes;
    for (const Found& found : content_of(artifact)) {
      const Row* row = row_for(rows, found, sizes);
      CAPTURE(page);
      CAPTURE(found.path);
      CAPTURE(found.type);
      CHECK_MESSAGE(row != nullptr, "not in the manual");
      seen.insert(row);
    }
    for (const Row& row : rows) {
      CAPTURE(page);
      CAPTURE(row.path);
      CHECK_MESSAGE((!row.in_all || seen.contains(&row)), "not in every file");
    }
    seen_anywhere.insert(seen.begin(), seen.end());
  }
  for (const Row& row : rows) {
    CAPTURE(page);
    CAPTURE(row.path);
    CAPTURE(row.type);
    CHECK_MESSAGE(seen_anywhere.contains(&row), "in no file");
  }
}

// Symbols wider than a byte: the rest of the forms that /data/x can have.
TinyDataset wide_symbols(Element element) {
  TinyDataset data = tiny_text(4, 3);
  data.info.element = element;
  data.info.has_missing = element == Element::i16;
  data.rows.x.assign(4 * 3 * 2, std::byte{0});
  return data;
}

// As pack-data has them of SMILES.
TinyDataset named_molecules() {
  TinyDataset data = tiny_molecules();
  data.info.has_smiles = true;
  data.rows.smiles = {"CO", "C"};
  return data;
}

}  // namespace

TEST_CASE("manual: logpx-dataset(5) lists what stands in datasets") {
  const ScratchFolder folder;
  const std::vector<TinyDataset> all{
      tiny_images(9, 2, 3), tiny_vectors(5, 3),         tiny_text(7, 4),
      tiny_words(5, 3),     wide_symbols(Element::u16), wide_symbols(Element::i16),
      named_molecules(),    tiny_tokens(7, 4),          tiny_table(3)};
  std::vector<std::string> paths;
  for (const TinyDataset& data : all) {
    paths.push_back(folder / (std::to_string(paths.size()) + ".h5"));
    write_tiny_dataset(paths.back(), data);
  }
  check_manual("logpx-dataset.5", paths);
}

TEST_CASE("manual: logpx-model(5) lists what stands in models") {
  const ScratchFolder folder;
  write_tiny_model(folder / "m.h5");
  MixtureModel trained({.components = 3});
  OutputFile out(folder / "t.h5", Overwrite::refuse);
  save_model(out, trained, {}, Json::object());
  out.commit();
  DatasetInfo text = tiny_text(3, 5).info;
  text.label_names = {"prose", "verse"};
  text.has_missing = true;
  std::vector<std::string> paths{folder / "m.h5", folder / "t.h5"};
  for (const DatasetInfo& data : {tiny_vectors(5, 3).info, tiny_words(5, 3).info,
                                  tiny_table(3).info, text, tiny_tokens(3, 5).info}) {
    paths.push_back(folder / (data.name + ".h5"));
    OutputFile of_data(paths.back(), Overwrite::refuse);
    write_model(of_data,
                {.family = "vae",
                 .config = Json::object(),
                 .parameters = {},
                 .constants = {},
                 .attributes = data_attributes(data)},
                Json::object());
    of_data.commit();
  }
  check_manual("logpx-model.5", paths);
}

TEST_CASE("manual: logpx-checkpoint(5) lists what stands in checkpoints") {
  const ScratchFolder folder;
  write_tiny_checkpoint(folder / "c.h5");
  check_manual("logpx-checkpoint.5", {folder / "c.h5"});
}

TEST_CASE("manual: logpx-samples(5) lists what stands in samples") {
  const ScratchFolder folder;
  TinyDataset tokens = tiny_tokens(7, 4);
  tokens.info.tokenizer.clear();
  std::vector<std::string> paths;
  for (const TinyDataset& data :
       {tiny_images(9, 2, 3), tiny_vectors(5, 3), tiny_text(7, 4), tiny_words(5, 3), tokens,
        tiny_table(3), wide_symbols(Element::u16), wide_symbols(Element::i16)}) {
    paths.push_back(folder / (std::to_string(paths.size()) + ".h5"));
    write_tiny_samples(paths.back(), data);
  }
  check_manual("logpx-samples.5", paths);
}

TEST_CASE("manual: logpx-features(5) lists what stands in features") {
  const ScratchFolder folder;
  write_tiny_features(folder / "f.h5");
  write_tiny_statistics(folder / "s.h5");
  check_manual("logpx-features.5", {folder / "f.h5", folder / "s.h5"});
}

TEST_CASE("manual: logpx-basis(5) lists what stands in a basis") {
  const ScratchFolder folder;
  write_tiny_basis(folder / "b.h5");
  write_tiny_weights(folder / "w.h5");
  check_manual("logpx-basis.5", {folder / "b.h5", folder / "w.h5"});
}

TEST_CASE("manual: logpx-reference(5) lists what stands in a reference") {
  const ScratchFolder folder;
  OutputFile out(folder / "r.h5", Overwrite::replace);
  write_reference(out, tiny_reference(), tiny_provenance());
  out.commit();
  check_manual("logpx-reference.5", {folder / "r.h5"});
}

TEST_CASE("manual: logpx-scores(5) lists what stands in scores") {
  const ScratchFolder folder;
  write_tiny_scores(folder / "s.h5");
  ScoresContents with_loss = tiny_scores();
  with_loss.measured = {.word = "probability", .comparable_to_rgb = false};
  OutputFile out(folder / "l.h5", Overwrite::replace);
  write_scores(out, with_loss, tiny_provenance());
  out.commit();
  check_manual("logpx-scores.5", {folder / "s.h5", folder / "l.h5"});
}

}  // namespace logpx::manual_test
