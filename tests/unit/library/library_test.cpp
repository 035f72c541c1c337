// The header for other programs: what it gives is what is inside, and trouble keeps its kind.
#include "formats/dataset_file.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/letters_model.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/library/logpx.hpp"
#include "tools/library/numbers.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::library_test {

using namespace logpx::testing;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

struct Saved {
  ScratchFolder folder;
  LetterRows rows = letter_rows(60, 24, Rng(1));
  std::shared_ptr<LettersModel> model;
  std::string model_file = folder / "m.h5", data_file = folder / "d.h5";

  Saved() {
    register_letters();
    model = std::make_shared<LettersModel>(rows.info);
    model->fit(rows.rows);
    OutputFile out(model_file, Overwrite::replace);
    save_model(out, *model, {}, Json::object());
    out.commit();
    rows.info.splits = {{"train", 0, 40}, {"test", 40, 60}};
    OutputFile data(data_file, Overwrite::replace);
    DatasetWriter writer(data, rows.info);
    writer.append(rows.rows);
    writer.finish(rows.info, Json::object());
    data.commit();
  }
};

v0::Bytes text(std::size_t bytes) {
  v0::Bytes made;
  for (std::size_t i = 0; i < bytes; ++i) made.push_back(std::byte("so it is "[i * i % 9]));
  return made;
}

// Too long for an archive in which the model is not worth its name.
v0::Bytes shuffled_text(std::size_t bytes) {
  v0::Bytes made;
  std::uint32_t state = 1;
  while (made.size() < bytes)
    made.push_back(std::byte("so it is "[((state = state * 1664525 + 1013904223) >> 16) % 9]));
  return made;
}

template <typename Act>
v0::Trouble trouble_of(const Act& act) {
  try {
    act();
  } catch (const v0::Failure& failure) {
    CHECK(std::string(failure.what()) != "");
    return failure.trouble();
  }
  FAIL("nothing went wrong");
  return {};
}

ModelInfo reader_of(Element element, std::int64_t levels, bool takes_missing) {
  ModelInfo info{.family = "reader", .data = {}};
  info.data.element = element;
  info.data.levels = levels;
  info.data.content = Content::vector;
  info.data.shape = {2};
  info.missing = takes_missing;
  return info;
}

}  // namespace

TEST_CASE(
    "library: rows of a split have the scores that the inside gives them, each by its number") {
  const Saved saved;
  const v0::Model model(saved.model_file);
  const v0::Rows rows(saved.data_file + ":test");
  CHECK(model.family() == "letters-fixture");
  CHECK(model.shape() == rows.shape());
  CHECK(rows.count() == 20);
  CHECK(std::ssize(rows.values()) == 20 * 24);

  MemoryRows memory(saved.rows.info, saved.rows.rows);
  FittingRows fitting(memory, saved.model->info(), "d.h5");
  const Abilities can = abilities(*saved.model);
  const auto plan = scoring_plan(can, can.methods().front());
  Workers workers(1);
  const Scored inside =
      score_rows({.data = fitting, .begin = 40, .end = 60}, workers,
                 [&](const Examples& examples) { return plan->score(examples, Rng(1)); });
  const v0::Scores scores = model.score(rows);
  CHECK(scores.nats == inside.nats);
  CHECK(scores.kind == "exact");
}

TEST_CASE("library: draws are as many as asked for, and the seed says which") {
  const Saved saved;
  const v0::Model model(saved.model_file);
  const v0::Rows draws = model.draw(70, {.seed = 3});
  CHECK(draws.count() == 70);
  CHECK(draws.values() == model.draw(70, {.seed = 3}).values());
  CHECK(draws.values() != model.draw(70, {.seed = 4}).values());
  CHECK(trouble_of([&] { (void)model.draw(0); }) == v0::Trouble::usage);
  CHECK(trouble_of([&] { (void)model.draw(1, {.knobs = {"steps=2"}}); }) == v0::Trouble::usage);
}

TEST_CASE("library: a file comes back, with a model and without, whatever its length") {
  const Saved saved;
  const v0::Model model(saved.model_file);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{5000}}) {
    const v0::Bytes file = text(bytes);
    CHECK(v0::decode(v0::encode(file)) == file);
    CHECK(model.decode(model.encode(file)) == file);
    CHECK(model.decode(v0::encode(file)) == file);
    CHECK(model.encode(file).size() <= v0::encode(file).size());
  }
}

TEST_CASE(
    "library: a decoder refuses what is damaged, too much, or needs a model that is not there") {
  const Saved saved;
  const v0::Model model(saved.model_file);
  const v0::Bytes file = text(5000), long_file = shuffled_text(20000);
  v0::Bytes archive = v0::encode(file);
  CHECK(trouble_of([&] { (void)v0::decode(archive, 4999); }) == v0::Trouble::data);
  CHECK(trouble_of([&] { (void)v0::decode(model.encode(long_file)); }) == v0::Trouble::data);
  CHECK(trouble_of([&] { (void)v0::decode({}); }) == v0::Trouble::data);
  Workers workers(1);
  const auto several =
      make_archive({}, {{"a", file}, {"b", file}}, compress::Methods::fallback, workers);
  CHECK(trouble_of([&] { (void)v0::decode(several); }) == v0::Trouble::data);
  archive[archive.size() / 2] ^= std::byte{1};
  CHECK(trouble_of([&] { (void)v0::decode(archive); }) == v0::Trouble::data);
}

TEST_CASE("library: trouble with files has its kind") {
  CHECK(trouble_of([] { (void)v0::Model("/nowhere/m.h5"); }) == v0::Trouble::io);
  CHECK(trouble_of([] { (void)v0::Rows("/nowhere/d.h5"); }) == v0::Trouble::io);
  const Saved saved;
  CHECK(trouble_of([&] { (void)v0::Model(saved.data_file); }) == v0::Trouble::data);
  CHECK(trouble_of([&] { (void)v0::Rows(saved.data_file + ":valid"); }) == v0::Trouble::data);
  const v0::Model model(saved.model_file);
  CHECK(trouble_of([&] { (void)model.score(v0::Rows(saved.data_file), {.method = "guess"}); }) ==
        v0::Trouble::usage);
}

TEST_CASE("library: numbers become rows, and rows the same numbers") {
  const std::vector<float> numbers = {0, 255, 3, 7};
  for (const Element element : {Element::u8, Element::u16, Element::i16, Element::f32}) {
    const HeldRows held =
        rows_of(reader_of(element, element == Element::f32 ? 0 : 256, false), numbers);
    CHECK(held.rows.count == 2);
    CHECK(numbers_of(held.info, held.rows) == numbers);
  }
  const HeldRows gaps = rows_of(reader_of(Element::u8, 256, true), std::vector<float>{1, missing});
  CHECK(gaps.info.has_missing);
  CHECK(numbers_of(gaps.info, gaps.rows).front() == 1);
  CHECK(std::isnan(numbers_of(gaps.info, gaps.rows).back()));
}

TEST_CASE("library: numbers that a model does not know are no rows of it") {
  const auto refuses = [](const ModelInfo& model, std::vector<float> numbers) {
    CHECK_THROWS_AS((void)rows_of(model, numbers), Error);
  };
  const ModelInfo bytes = reader_of(Element::u8, 4, false),
                  reals = reader_of(Element::f32, 0, false);
  refuses(bytes, {1});
  refuses(bytes, {1, 4});
  refuses(bytes, {-1, 1});
  refuses(bytes, {0.5F, 1});
  refuses(bytes, {missing, 1});
  refuses(reals, {missing, 1});
  refuses(reals, {std::numeric_limits<float>::infinity(), 1});
  ModelInfo words = reader_of(Element::i16, 4, false);
  words.data.column_words.add_column(std::vector<std::string>{"a", "b"});
  refuses(words, {1, 1});
}

}  // namespace logpx::library_test
