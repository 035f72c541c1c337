#include "libcore/model/fitting_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/example_dims.hpp"
#include "tests/support/letters_model.hpp"

#include <doctest/doctest.h>

namespace logpx::fitting_rows_test {

using namespace logpx::testing;

namespace {

ModelInfo reader_of(std::int64_t width, Lengths lengths) {
  return {.family = "reader", .data = letter_rows(1, width, Rng(1)).info, .lengths = lengths};
}

}  // namespace

TEST_CASE("fitting rows: a row that is too long is a data error with its number") {
  LetterRows made = letter_rows(10, 40, Rng(3));
  made.rows.length.assign(10, 12);
  made.rows.length[7] = 13;
  MemoryRows memory(made.info, made.rows);
  const ModelInfo model = reader_of(12, Lengths::up_to);
  FittingRows rows(memory, model, "text.h5");
  CHECK(rows.read(0, 7).length == std::vector<std::int32_t>(7, 12));
  try {
    static_cast<void>(rows.read(5, 10));
    FAIL("was read");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(std::string(error.what()) ==
          "text.h5: row 7 has 13 symbols, and this reader reads up to 12");
  }
  const ModelInfo any = reader_of(12, Lengths::any);
  CHECK(FittingRows(memory, any, "text.h5").read(5, 10).length[2] == 13);
}

TEST_CASE("fitting rows: an empty row is a data error with its number") {
  LetterRows made = letter_rows(4, 40, Rng(3));
  made.rows.length[2] = 0;
  MemoryRows memory(made.info, made.rows);
  for (const Lengths lengths : {Lengths::up_to, Lengths::any}) {
    const ModelInfo model = reader_of(40, lengths);
    FittingRows rows(memory, model, "text.h5");
    CHECK_THROWS_WITH_AS(static_cast<void>(rows.read(1, 4)), "text.h5: row 2 has no symbols",
                         Error);
  }
}

TEST_CASE("fitting rows: rows without lengths are as long as their dataset is wide") {
  LetterRows made = letter_rows(4, 40, Rng(3));
  made.rows.length.clear();
  made.info.has_lengths = false;
  MemoryRows memory(made.info, made.rows);
  const ModelInfo narrow = reader_of(39, Lengths::up_to), wide = reader_of(41, Lengths::up_to);
  CHECK_THROWS_WITH_AS(static_cast<void>(FittingRows(memory, narrow, "text.h5").read(0, 4)),
                       doctest::Contains("row 0 has 40 symbols"), Error);
  CHECK(FittingRows(memory, wide, "text.h5").read(0, 4).count == 4);
}

TEST_CASE("fitting rows: to a model of whole rows those that end early are whole") {
  const LetterRows made = letter_rows(4, 40, Rng(3));
  MemoryRows memory(made.info, made.rows);
  const ModelInfo model = reader_of(40, Lengths::whole);
  FittingRows rows(memory, model, "text.h5");
  CHECK_FALSE(rows.info().has_lengths);
  CHECK(example_dims(rows.info(), rows.read(0, 4)).empty());
}

}  // namespace logpx::fitting_rows_test
