#include "libcore/model/head_codebook.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/model/codebook_plan.hpp"
#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace logpx::head_codebook_test {
namespace {

constexpr std::int64_t pictures_of = 2 * 2 * 3;  // dims

ChannelsFirst picture_places() {
  DatasetInfo info;
  info.content = Content::image;
  info.shape = {2, 2, 3};
  return ChannelsFirst(info);
}

std::unique_ptr<HeadCodebook> drawn_book(const Likelihood& likelihood, std::int64_t entries) {
  auto book = std::make_unique<HeadCodebook>(
      likelihood, HeadCodebook::Form{entries, pictures_of, picture_places()});
  DrawCursor draws(Rng(6).stream(Stream::test));
  for (std::int64_t entry = 0; entry < entries; ++entry) {
    std::vector<std::vector<float>> heads;
    for (const HeadForm& form : likelihood.heads()) {
      heads.emplace_back(form.shared ? 1 : at(pictures_of * form.per_dim));
      for (float& value : heads.back()) value = static_cast<float>(draws.normal());
      if (form.shared) heads.back()[0] = -1;
    }
    book->take(entry, {heads.begin(), heads.end()});
  }
  return book;
}

}  // namespace

TEST_CASE("head codebook: what it says of an item is what each entry's coder says, for any kind") {
  const det::FpEnvironment plain;
  for (const char* word : {"bernoulli", "categorical", "discretised-gaussian", "logistic256",
                           "logistic-mix256", "beta-binomial"}) {
    CAPTURE(word);
    const std::int64_t levels = std::string(word) == "bernoulli"     ? 2
                                : std::string(word) == "categorical" ? 5
                                                                     : 256;
    const auto likelihood = make_likelihood(word, levels, {});
    const auto book = drawn_book(*likelihood, 7);
    const auto x = random_symbols(pictures_of, static_cast<std::uint32_t>(levels));
    for (int asked = 0; asked < 2; ++asked) {  // made, and kept
      std::vector<double> nats(7);
      book->log_likelihoods(x, nats);
      for (std::uint32_t entry = 0; entry < 7; ++entry)
        CHECK(nats[entry] == book->likelihood(entry)->add_log_probability(x, 0.0));
    }
  }
}

TEST_CASE("head codebook: a column of few words is coded as such, whichever entry says it") {
  const det::FpEnvironment plain;
  std::vector<std::int64_t> counts(pictures_of, 5);
  counts[3] = 2, counts[7] = 1;
  const auto likelihood = make_likelihood("categorical", {5, counts}, {});
  const auto book = drawn_book(*likelihood, 7);
  const std::vector<std::uint8_t> x(pictures_of, 0);
  std::vector<double> nats(7);
  book->log_likelihoods(x, nats);
  for (std::uint32_t entry = 0; entry < 7; ++entry)
    CHECK(nats[entry] == book->likelihood(entry)->add_log_probability(x, 0.0));
}

TEST_CASE("head codebook: items come back, as long as the mean over the entries says") {
  const auto likelihood = make_likelihood("bernoulli", 2, {});
  const codec::Codebook scheme(drawn_book(*likelihood, 100));
  const auto items = random_symbols(300 * pictures_of, 2);
  check_inverse(scheme, std::span(items).first(40 * pictures_of));
  check_length(scheme, items, 0.001);
}

TEST_CASE("head codebook: numbers that are not finite, and too many of them, are refused") {
  const auto likelihood = make_likelihood("bernoulli", 2, {});
  HeadCodebook book(*likelihood, {2, pictures_of, picture_places()});
  const std::vector<float> heads(at(pictures_of), std::numeric_limits<float>::infinity());
  CHECK_THROWS_WITH_AS(book.take(1, {heads}), doctest::Contains("non-finite"), Error);
  CHECK_THROWS_WITH_AS(HeadCodebook(*likelihood, {1 << 19, 1 << 12, picture_places()}),
                       doctest::Contains("there is room for 65536"), Error);
}

TEST_CASE("codebook plan: sizes out of range are refused, and automatic ones settled before") {
  Workers workers(1);
  const auto likelihood = make_likelihood("bernoulli", 2, {});
  std::uint64_t seed = 0;
  CodebookPlan plan([&](const CodebookPlan::Book& book, Workers&) {
    seed = book.seed;
    return drawn_book(*likelihood, book.entries);
  });
  Fields fields;
  plan.describe(fields);
  for (const char* size : {"0", "524289", "x", "-3", "1.5", "auto", "off"}) {
    fields.set(std::string("codebook=") + size, Origin::option);
    CHECK_THROWS_AS((void)plan.scheme(workers), Error);
  }
  const auto sample = random_symbols(16 * pictures_of, 2);
  const auto bits_of = [&](const std::string& size) {
    fields.set("codebook=" + size, Origin::option);
    codec::Message message(1);
    codec::Costs costs;
    plan.scheme(workers)->encode(message, sample, 0, costs);
    return costs.total();
  };
  fields.set("codebook=auto", Origin::option);
  plan.settle(sample, workers);
  const std::string chosen = fields.find_key("codebook")->text();
  const double bits = bits_of(chosen);
  for (const char* other : {"256", "1024", "4096", "16384"}) {
    CHECK(bits <= 1.001 * bits_of(other));
    if (std::stoi(other) < std::stoi(chosen)) CHECK(bits_of(other) > bits);
  }
  fields.set("codebook=auto", Origin::option);
  plan.settle({}, workers);
  CHECK(fields.find_key("codebook")->text() == "1024");
  fields.set("codebook_seed=7", Origin::option);
  (void)plan.scheme(workers);
  CHECK(seed == 7);
}

}  // namespace logpx::head_codebook_test
