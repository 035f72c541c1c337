// A model of text whose rows end early, end to end: fitted, saved, scored by every method, sampled,
// shown, coded.
#include "formats/draw/row_text.hpp"
#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/eval/sample_makers.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "tests/support/letters_model.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sealed_archives.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::letters_test {

using namespace logpx::testing;

namespace {

constexpr std::int64_t width = 40;

const LetterRows& training() {
  static const LetterRows rows = letter_rows(300, width, Rng(1));
  return rows;
}

std::shared_ptr<LettersModel> letters() {
  register_letters();
  auto model = std::make_shared<LettersModel>(training().info);
  model->fit(training().rows);
  return model;
}

Scored scored(const Model& model, RowSource& source, bool by_coder = false) {
  Workers workers(2);
  FittingRows rows(source, model.info(), "letters.h5");
  const Abilities can = abilities(model);
  const auto plan = by_coder ? coder_scoring(can.code) : scoring_plan(can, can.methods().front());
  plan->settle();
  const EvalRows all{.data = rows, .begin = 0, .end = rows.info().n, .block = model.info().block};
  return score_rows(all, workers,
                    [&](const Examples& examples) { return plan->score(examples, Rng(1)); });
}

LoadedModel saved_and_loaded(LettersModel& model, const ScratchFolder& folder) {
  OutputFile out(folder / "m.h5", Overwrite::replace);
  save_model(out, model, {}, Json::object());
  out.commit();
  return load_model(ModelFile(folder / "m.h5"));
}

// The same rows in a dataset of another width.
LetterRows of_width(const LetterRows& rows, std::int64_t wanted) {
  LetterRows other = rows;
  other.info.shape = {wanted};
  other.rows.x.assign(at(rows.rows.count * wanted), std::byte{7});
  const std::int64_t before = rows.info.dims();
  for (std::int64_t i = 0; i < rows.rows.count; ++i)
    std::copy_n(rows.rows.x.begin() + i * before, rows.rows.length[at(i)],
                other.rows.x.begin() + i * wanted);
  return other;
}

std::string text_of(const LetterRows& rows) { return draw::row_text(rows.info, rows.rows); }

archive::ByteVector file_of(std::size_t bytes) {
  archive::ByteVector text = from_text(text_of(training()));
  std::ranges::replace(text, std::byte{'\n'}, std::byte{' '});
  text.resize(bytes);
  return text;
}

}  // namespace

TEST_CASE("letters: what a saved model knows of its text is what it was made for") {
  const ScratchFolder folder;
  const auto model = letters();
  const LoadedModel loaded = saved_and_loaded(*model, folder);
  const auto embedded =
      compress::open_capsule(compress::make_capsule(*model, compress::CapsulePrecision::whole));
  for (const Model* other : {loaded.model.get(), embedded.get()}) {
    CHECK(other->info().data.alphabet == training().info.alphabet);
    CHECK(other->info().data.has_lengths);
    CHECK(other->info().samples.has_lengths);
    CHECK(abilities(*other).code->item().alphabet == model->item().alphabet);
    MemoryRows memory(training().info, training().rows);
    CHECK(scored(*other, memory).nats == scored(*model, memory).nats);
  }
}

TEST_CASE("letters: bits are divided by the letters that rows have, by every method alike") {
  const auto model = letters();
  MemoryRows memory(training().info, training().rows);
  const Scored own = scored(*model, memory), coded = scored(*model, memory, true);
  const auto& lengths = training().rows.length;
  CHECK(own.dims == std::vector<double>(lengths.begin(), lengths.end()));
  CHECK(coded.dims == own.dims);
  for (std::size_t i = 0; i < own.nats.size(); ++i)
    CHECK(coded.nats[i] == doctest::Approx(own.nats[i]).epsilon(1e-6));
  const Summary summary = summarise(own);
  REQUIRE(summary.observed);
  const auto letters = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  CHECK(summary.observed->dims == letters);
  const double nats = std::accumulate(own.nats.begin(), own.nats.end(), 0.0);
  CHECK(summary.observed->nats.value ==
        doctest::Approx(nats / static_cast<double>(letters)).epsilon(1e-12));
  // Long rows cost more: what is left of it per letter differs far less.
  CHECK(*summary.observed->nats.std_error * 21 < *summary.log_likelihood.std_error / 3);
}

TEST_CASE("letters: a row is scored alike however wide its dataset is") {
  const auto model = letters();
  MemoryRows memory(training().info, training().rows);
  const Scored all = scored(*model, memory);
  const LetterRows wide = of_width(training(), width + 9);
  MemoryRows wider(wide.info, wide.rows);
  require_fit(model->info(), wide.info, "wide.h5");
  CHECK(scored(*model, wider).nats == all.nats);
  CHECK(scored(*model, wider, true).nats == scored(*model, memory, true).nats);
  LetterRows few = letter_rows(20, 10, Rng(8));
  MemoryRows narrow(few.info, few.rows);
  require_fit(model->info(), few.info, "narrow.h5");
  CHECK(scored(*model, narrow).dims ==
        std::vector<double>(few.rows.length.begin(), few.rows.length.end()));
  CHECK(scored(*model, narrow, true).nats[19] ==
        doctest::Approx(scored(*model, narrow).nats[19]).epsilon(1e-6));
}

TEST_CASE("letters: rows that do not fit are refused, by their number where it is one of them") {
  const auto model = letters();
  LetterRows wide = letter_rows(30, width + 9, Rng(2));
  wide.rows.length.assign(30, static_cast<std::int32_t>(width));
  wide.rows.length[11] = static_cast<std::int32_t>(width) + 1;
  MemoryRows memory(wide.info, wide.rows);
  require_fit(model->info(), wide.info, "wide.h5");
  CHECK_THROWS_WITH_AS(static_cast<void>(scored(*model, memory)),
                       doctest::Contains("row 11 has 41 symbols"), Error);
  wide.info.has_lengths = false;
  CHECK_THROWS_WITH_AS(require_fit(model->info(), wide.info, "wide.h5"),
                       doctest::Contains("wide.h5: row 0 has 49 symbols"), Error);
  DatasetInfo other = training().info;
  std::swap(other.alphabet[1], other.alphabet[2]);
  CHECK_THROWS_WITH_AS(require_fit(model->info(), other, "other.h5"),
                       doctest::Contains("other letters than those of the model"), Error);
  ModelInfo whole = model->info();
  whole.lengths = Lengths::whole;
  CHECK_THROWS_WITH_AS(require_fit(whole, wide.info, "wide.h5"),
                       "wide.h5: has rows of 49 of 27 levels, and the model reads 40 of 27 levels",
                       Error);
}

TEST_CASE("letters: samples of a loaded model are text, each row of its length") {
  const ScratchFolder folder;
  const auto model = letters();
  const LoadedModel loaded = saved_and_loaded(*model, folder);
  Workers workers(3);
  const auto maker = make_samples(*loaded.model, loaded.can.sampling(), 200, Rng(6));
  OutputFile out(folder / "s.h5", Overwrite::refuse);
  SamplesWriter writer(out, maker->info());
  writer.append(maker->make(0, 200, workers).rows);
  writer.finish(maker->info(),
                {.family = "letters-fixture", .model_hash = "", .sampler = Json::object()}, {},
                Json::object());
  out.commit();
  SamplesFile samples(folder / "s.h5");
  const Rows rows = samples.read(0, 200);
  const std::vector<std::string> lines = split_text(draw::row_text(samples.info(), rows), '\n');
  REQUIRE(lines.size() >= 200);
  for (std::size_t i = 0; i < 200; ++i) {
    CHECK(std::ssize(lines[i]) == rows.length[i]);
    CHECK((rows.length[i] >= 3 && rows.length[i] <= width));
    CHECK(lines[i].find_first_not_of(" abcdefghijklmnopqrstuvwxyz") == std::string::npos);
  }
  const auto [shortest, longest] = std::ranges::minmax(rows.length);
  CHECK(shortest < 8);
  CHECK(longest > 35);
  // The model finds its draws as likely as what it was fitted to.
  MemoryRows drawn(samples.info(), rows), known(training().info, training().rows);
  const double of_drawn = summarise(scored(*model, drawn)).observed->nats.value,
               of_known = summarise(scored(*model, known)).observed->nats.value;
  CHECK(of_drawn == doctest::Approx(of_known).epsilon(0.05));
}

TEST_CASE("letters: text of any length is coded to its end by the model") {
  const auto model = letters();
  std::vector<archive::ByteVector> files = {{}};
  for (const std::size_t bytes : {1, 3, 39, 40, 41, 80, 81, 1000}) files.push_back(file_of(bytes));
  compress::CodingOptions options;
  for (const std::int64_t items : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}}) {
    options.block_items = items;
    const Sealed one = seal(model, files, compress::Methods::model, 1, options);
    CHECK(seal(model, files, compress::Methods::model, 4, options).bytes == one.bytes);
    CHECK(opened(one, one.bytes) == files);
  }
  // Each file alone: every symbol went through the model, none through the fallback coder.
  for (const std::size_t bytes : {30, 41, 1000}) {
    const Sealed alone = seal(model, {file_of(bytes)});
    CHECK(alone.figures.coders[2].raw_bytes == bytes);
    CHECK(alone.figures.items == (bytes + width - 1) / width);
    CHECK(opened(alone, alone.bytes) == alone.contents);
  }
}

TEST_CASE("letters: damage to an archive of short items is refused") {
  const Sealed sealed = seal(letters(), {file_of(57), file_of(30)});
  for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; ++bit) {
    archive::ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
}

TEST_CASE("letters: an alphabet that takes more than a byte for a letter is none of files") {
  DatasetInfo data = training().info;
  CHECK(byte_alphabet(data) == " abcdefghijklmnopqrstuvwxyz");
  data.alphabet[3] = 0xe9;
  CHECK(byte_alphabet(data).empty());
}

}  // namespace logpx::letters_test
