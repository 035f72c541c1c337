#include "formats/data_description.hpp"

#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

namespace logpx::data_description_test {

using namespace logpx::testing;

namespace {

void check_known(const DatasetInfo& a, const DatasetInfo& b) {
  CHECK(a.shape == b.shape);
  CHECK(a.levels == b.levels);
  CHECK(a.value_min == b.value_min);
  CHECK(a.value_max == b.value_max);
  CHECK(a.content == b.content);
  CHECK(a.measure == b.measure);
  CHECK(a.element == b.element);
  CHECK(a.column_names == b.column_names);
  CHECK(a.column_words == b.column_words);
  CHECK(a.column_forms == b.column_forms);
  CHECK(a.id_columns == b.id_columns);
  CHECK(a.standardisation == b.standardisation);
  CHECK(a.alphabet == b.alphabet);
  CHECK(a.tokens == b.tokens);
  CHECK(a.label_names == b.label_names);
  CHECK(a.has_lengths == b.has_lengths);
  CHECK(a.has_missing == b.has_missing);
  CHECK(a.notes == b.notes);
}

// Text with classes, rows that end early, missing letters, and further facts.
DatasetInfo rich_text() {
  DatasetInfo info = tiny_text(3, 5).info;
  info.element = Element::i16;
  info.has_lengths = info.has_missing = true;
  info.label_names = {"prose", "verse, \"free\"", ""};
  info.notes = {{"mol_types", "C 0 0\nN 0 1"}, {"empty", ""}};
  info.alphabet[26] = 0x1f600;
  return info;
}

// More tokens than the attribute of a usual HDF5 file can hold.
DatasetInfo text_in_tokens() {
  DatasetInfo info = tiny_text(3, 5).info;
  info.element = Element::u16;
  info.alphabet.clear();
  info.levels = 8192;
  info.value_max = 8191;
  for (std::int64_t i = 0; i < info.levels; ++i)
    info.tokens.push_back((i % 2 == 0 ? " the\n" : "\u00e9") + std::to_string(i) + ' ');
  return info;
}

}  // namespace

TEST_CASE("data description: a model file and an archive keep the same of what a model reads") {
  for (const TinyDataset& data : {tiny_images(3, 2, 2), tiny_vectors(4, 3), tiny_text(3, 5),
                                  tiny_words(3, 4), tiny_table(3)}) {
    check_known(data_of(data_attributes(data.info)), data.info);
    check_known(data_of(data_json(data.info)), data.info);
  }
  check_known(data_of(data_attributes(rich_text())), rich_text());
  check_known(data_of(data_json(rich_text())), rich_text());
}

TEST_CASE("data description: what is not there is not written, and old files have none of it") {
  const DatasetInfo plain = tiny_images(2, 2, 2).info;
  for (const char* name : {"alphabet", "tokens", "lengths", "missing", "notes", "words",
                           "word_counts", "kinds", "origin", "ids"}) {
    CHECK(data_json(plain).find(name) == nullptr);
    for (const auto& [attribute, value] : data_attributes(plain))
      CHECK(attribute != std::string("data_") + name);
  }
}

TEST_CASE("data description: it goes through a file and back as it does in memory") {
  const ScratchFolder folder;
  for (const DatasetInfo& info : {rich_text(), text_in_tokens()}) {
    OutputFile out(folder / "m.h5", Overwrite::replace);
    write_model(out,
                {.family = "none",
                 .config = Json::object(),
                 .parameters = {},
                 .constants = {},
                 .attributes = data_attributes(info)},
                Json::object());
    out.commit();
    check_known(data_of(ModelFile(folder / "m.h5").attributes()), info);
    check_known(data_of(data_json(info)), info);
  }
}

TEST_CASE("data description: what makes no sense is a data error in either form") {
  const DatasetInfo info = tiny_vectors(4, 2).info;
  const auto refused = [&](const DatasetInfo& wrong, const char* words) {
    CHECK_THROWS_WITH_AS((void)data_of(data_json(wrong)), doctest::Contains(words), Error);
    CHECK_THROWS_WITH_AS((void)data_of(data_attributes(wrong)), doctest::Contains(words), Error);
  };
  DatasetInfo wrong = info;
  wrong.shape = {1LL << 40, 1LL << 40};
  refused(wrong, "shape: has a side of");
  wrong = info;
  wrong.standardisation.mean.pop_back();
  refused(wrong, "mean: has 1 entries, expected 2");
  wrong = info;
  wrong.standardisation.deviation[0] = -1;
  refused(wrong, "deviation: is not a number to divide by");
  wrong = tiny_table(3).info;
  wrong.column_forms[4].step = -1;
  refused(wrong, "step: is -1, which is no step between values");
  wrong = rich_text();
  wrong.alphabet.pop_back();
  refused(wrong, "alphabet: has 26 symbols, expected 27");
  wrong = text_in_tokens();
  wrong.tokens.pop_back();
  refused(wrong, "tokens: has 8191 symbols, expected 8192");
  wrong = text_in_tokens();
  wrong.content = Content::bytes;
  refused(wrong, "tokens: are given for data that have letters already");
  wrong = rich_text();
  wrong.alphabet[0] = 0x110000;
  refused(wrong, "alphabet: holds 1114112, which is not a code point");
  Json uneven = data_json(rich_text());
  uneven.set("notes", Json::array({"a", "b", "c"}));
  CHECK_THROWS_WITH_AS((void)data_of(uneven), "notes: are not pairs of texts", Error);
  Json torn = data_json(tiny_table(3).info);
  torn.set("step", Json::array({1, 2}));
  CHECK_THROWS_WITH_AS((void)data_of(torn), "step: has 2 entries, expected 6", Error);
  torn.set("kinds", Json::array({"number", "colour"}));
  CHECK_THROWS_WITH_AS((void)data_of(torn), "kinds: 'colour' is not a kind of column", Error);
  Attributes attributes = data_attributes(info);
  attributes[1].second = h5::Value::text("many");
  CHECK_THROWS_WITH_AS((void)data_of(attributes), doctest::Contains("data_levels: is str"), Error);
  attributes.erase(attributes.begin());
  CHECK_THROWS_WITH_AS((void)data_of(attributes), "shape: is missing", Error);
}

}  // namespace logpx::data_description_test
