#include "libcore/model/fitting_likelihood.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::fitting_likelihood_test {
namespace {

std::string word_for(Content content, std::int64_t levels, DataReading reading = {},
                     ColumnWords words = {}) {
  DatasetInfo data;
  data.content = content;
  data.levels = levels;
  data.column_words = std::move(words);
  return fitting_likelihood(data, reading, {.pictures = "logistic256"}).word;
}

}  // namespace

TEST_CASE("likelihood: auto takes what the values of the data are") {
  CHECK(word_for(Content::image, 2) == "bernoulli");
  CHECK(word_for(Content::image, 256) == "logistic256");
  CHECK(word_for(Content::vector, 16) == "beta-binomial");
  CHECK(word_for(Content::vector, 0) == "gaussian");
  CHECK(word_for(Content::symbols, 27) == "categorical");
  CHECK(word_for(Content::bytes, 256) == "categorical");
  const ColumnWords yes_no = {.words = {"no", "yes"}, .counts = {2}};
  CHECK(word_for(Content::symbols, 2, {}, yes_no) == "categorical");
  CHECK_THROWS_AS((void)word_for(Content::vector, 0, {}, yes_no), Error);
}

TEST_CASE("likelihood: auto takes what x becomes where options make it bits or real numbers") {
  CHECK(word_for(Content::image, 256, {.binarise = "static"}) == "bernoulli");
  CHECK(word_for(Content::image, 256, {.dequantise = Dequantise::uniform}) == "gaussian");
}

}  // namespace logpx::fitting_likelihood_test
