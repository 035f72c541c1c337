#include "libcore/model/ordered_values.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::ordered_values_test {
namespace {

DatasetInfo letters(std::int64_t levels) {
  DatasetInfo info = vectors_of(6, levels);
  info.content = Content::symbols;
  return info;
}

std::string complaint(const std::string& likelihood, const DatasetInfo& data,
                      const DataReading& reading = {}) {
  try {
    require_order(reading, {.word = likelihood}, data);
    return "";
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.hint();
  }
}

}  // namespace

TEST_CASE("ordered values: no likelihood is a density of symbols") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const bool density = values_of_likelihood(word) == ValuesOfX::reals;
    CHECK(complaint(word, letters(27)) == (density ? "--likelihood categorical" : ""));
    CHECK(complaint(word, letters(2)) == (density ? "--likelihood bernoulli" : ""));
  }
  DatasetInfo ages = letters(90);
  ages.column_names.assign(6, "age");
  CHECK(complaint("gaussian", ages).empty());
  DatasetInfo picture = letters(256);
  picture.content = Content::image;
  CHECK(complaint("gaussian", picture).empty());
  CHECK(complaint("gaussian", vectors_of(6, 0)).empty());
}

TEST_CASE("ordered values: words have no order under any likelihood of numbers") {
  DatasetInfo words = letters(3);
  words.column_words.counts = {3, 3, 3, 3, 3, 3};
  words.column_words.words.assign(18, "w");
  for (const std::string& word : likelihood_words())
    if (word != "bernoulli" && word != "categorical")
      CHECK(complaint(word, words) == "--likelihood categorical");
  CHECK(complaint("categorical", words).empty());
}

TEST_CASE("ordered values: a model that measured letters before they were refused is still built") {
  vae::Config config;
  config.likelihood = "gaussian";
  const vae::VaeModel model(config, letters(27));
  CHECK(model.info().measure == Measure::lebesgue);
  CHECK(model.info().space == "x/26");
  CHECK(model.info().space == "x/26");
}

}  // namespace logpx::ordered_values_test
