// Rules for every likelihood of the list: node, draws, support and code agree.
#include "libcore/model/likelihood.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/model/likelihood_options.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

namespace logpx::likelihood_test {
namespace {

using Numbers = std::vector<std::vector<float>>;

std::int64_t levels_for(const std::string& word) {
  const ValuesOfX takes = values_of_likelihood(word);
  return takes == ValuesOfX::reals ? 0 : takes == ValuesOfX::bits ? 2 : 17;
}

std::unique_ptr<const Likelihood> small(const std::string& word) {
  return make_likelihood(word, levels_for(word), {.obs_std = "0.7", .components = 3});
}

// Head values of `dims` dimensions, all different.
Numbers numbers_for(const Likelihood& likelihood, std::int64_t dims) {
  Numbers heads;
  for (const HeadForm& form : likelihood.heads()) {
    std::vector<float>& head = heads.emplace_back();
    const std::int64_t count = form.shared ? 1 : dims * form.per_dim;
    for (std::int64_t i = 0; i < count; ++i)
      head.push_back(0.6F * std::sin(1.0F + static_cast<float>(i + 3 * std::ssize(heads))));
  }
  return heads;
}

Likelihood::HeadValues views_of(const Numbers& heads) { return {heads.begin(), heads.end()}; }

// log p of each row x [M,D], all under the same heads.
std::vector<double> log_probabilities(const Likelihood& likelihood, const Numbers& heads,
                                      std::vector<float> x, std::int64_t dims) {
  Graph graph;
  const std::int64_t rows = std::ssize(x) / dims;
  Likelihood::Target target{graph.input("x", {rows, dims})};
  if (likelihood.takes_index()) target.index = graph.index_input("index", {1, rows, dims});
  Likelihood::Heads nodes;
  std::vector<std::vector<float>> repeated;
  for (const HeadForm& form : likelihood.heads()) {
    const std::vector<float>& own = heads[nodes.size()];
    Shape shape = {1, rows, dims};
    if (form.per_dim > 1) shape = {1, rows, dims, form.per_dim};
    if (form.shared) shape = Shape{};
    nodes.push_back(graph.input("head" + std::to_string(nodes.size()), shape));
    std::vector<float>& all = repeated.emplace_back();
    for (std::int64_t r = 0; r < (form.shared ? 1 : rows); ++r)
      all.insert(all.end(), own.begin(), own.end());
  }
  graph.output("log_p", likelihood.log_prob(target, nodes));
  Executor<float> run(graph, {});
  std::vector<std::int32_t> index(x.begin(), x.end());
  run.bind("x", x);
  if (likelihood.takes_index()) run.bind_index("index", index);
  for (std::size_t h = 0; h < repeated.size(); ++h)
    run.bind("head" + std::to_string(h), repeated[h]);
  run.forward();
  const auto found = run.output("log_p").span();
  return {found.begin(), found.end()};
}

// What options may change of heads.
std::string text_of(const std::vector<HeadForm>& forms) {
  std::ostringstream text;
  for (const HeadForm& form : forms)
    text << form.name << ' ' << form.per_dim << ' ' << form.low.value_or(0) << ' '
         << static_cast<int>(form.squash) << ' ' << form.value.value_or(0) << '\n';
  return text.str();
}

// Columns of so many words in a table of as many levels as its likelihood takes.
LevelsOfX few_words(const Likelihood& likelihood) {
  if (likelihood.takes() == ValuesOfX::bits) return {2, {1, 2, 1}};
  return {likelihood.levels(), {3, likelihood.levels(), 1}};
}

}  // namespace

TEST_CASE("likelihood: draws have the mean that it states, and it supports them") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const auto likelihood = small(word);
    const Numbers numbers = numbers_for(*likelihood, 2);
    DrawCursor draws(Rng(4).stream(Stream::test));
    const int n = 20'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const double x = likelihood->draw(views_of(numbers), 1, draws);
      CHECK(likelihood->supports(static_cast<float>(x), 1));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    CHECK(std::abs(mean - likelihood->mean(views_of(numbers), 1)) < 4 * error);  // fixed seed
  }
}

TEST_CASE("likelihood: the node of a discrete one sums to one over what it supports") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const auto likelihood = small(word);
    if (likelihood->takes() == ValuesOfX::reals) continue;
    std::vector<float> x(static_cast<std::size_t>(likelihood->levels()));
    std::iota(x.begin(), x.end(), 0.0F);
    for (const float value : x) CHECK(likelihood->supports(value, 0));
    CHECK_FALSE(likelihood->supports(0.5F, 0));
    CHECK_FALSE(likelihood->supports(static_cast<float>(likelihood->levels()), 0));
    double sum = 0;
    for (const double log_p : log_probabilities(*likelihood, numbers_for(*likelihood, 1), x, 1))
      sum += std::exp(log_p);
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("likelihood: a mixture of one is its only component") {
  const auto mixture = make_likelihood("logistic-mix256", 17, {.components = 1});
  const auto single = make_likelihood("logistic256", 17, {});
  const Numbers numbers = numbers_for(*mixture, 3);
  const std::vector<float> x = {0, 7, 16};
  CHECK(log_probabilities(*mixture, numbers, x, 3) ==
        log_probabilities(*single, {numbers[1], numbers[2]}, x, 3));
}

TEST_CASE("likelihood: the coder's probabilities are those of the node") {
  const std::int64_t dims = 12;
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const auto likelihood = small(word);
    CHECK(likelihood->is_codable() == (likelihood->takes() != ValuesOfX::reals));
    if (!likelihood->is_codable()) continue;
    DatasetInfo info = vectors_of(dims, likelihood->levels());
    info.content = Content::image;
    info.shape = {2, 2, 3};
    const ChannelsFirst place(info);
    const Numbers numbers = numbers_for(*likelihood, dims);
    std::vector<std::uint8_t> symbols(static_cast<std::size_t>(dims));
    std::vector<float> x(symbols.size());
    DrawCursor draws(Rng(5).stream(Stream::test));
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const double drawn = likelihood->draw(views_of(numbers), place(i), draws);
      symbols[i] = static_cast<std::uint8_t>(drawn);
      x[place(i)] = static_cast<float>(drawn);
    }
    const double coded = likelihood->coding(numbers, place)->add_log_probability(symbols, 0);
    CHECK(coded ==
          doctest::Approx(log_probabilities(*likelihood, numbers, x, dims)[0]).epsilon(1e-4));
  }
}

TEST_CASE("likelihood: a word that a column does not have has probability 0, and is never drawn") {
  for (const char* word : {"bernoulli", "categorical"}) {
    CAPTURE(word);
    const LevelsOfX levels = few_words(*small(word));
    const auto likelihood = make_likelihood(word, levels, {});
    const Numbers numbers = numbers_for(*likelihood, 3);
    std::vector<float> rows;  // all that there are
    for (std::int64_t a = 0; a < levels.at(0); ++a)
      for (std::int64_t b = 0; b < levels.at(1); ++b)
        for (const std::int64_t x : {a, b, std::int64_t{0}}) rows.push_back(static_cast<float>(x));
    double sum = 0;
    for (const double log_p : log_probabilities(*likelihood, numbers, rows, 3))
      sum += std::exp(log_p);
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    DrawCursor draws(Rng(4).stream(Stream::test));
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const auto count = static_cast<float>(levels.at(dim));
      CHECK(likelihood->supports(count - 1, dim));
      CHECK_FALSE(likelihood->supports(count, dim));
      CHECK(likelihood->mean(views_of(numbers), dim) <= static_cast<double>(count - 1));
      for (int i = 0; i < 2'000; ++i)
        CHECK(likelihood->draw(views_of(numbers), dim, draws) < static_cast<double>(count));
    }
    CHECK(likelihood->mean(views_of(numbers), 2) == 0);
  }
}

TEST_CASE("likelihood: coders give the words of a column all but what keeps others codable") {
  for (const char* word : {"bernoulli", "categorical"}) {
    CAPTURE(word);
    const LevelsOfX levels = few_words(*small(word));
    const auto likelihood = make_likelihood(word, levels, {});
    const Numbers numbers = numbers_for(*likelihood, 3);
    const ChannelsFirst place(vectors_of(3, likelihood->levels()));
    const std::vector<std::uint8_t> symbols(3, 0);
    const double coded = likelihood->coding(numbers, place)->add_log_probability(symbols, 0);
    CHECK(coded ==
          doctest::Approx(log_probabilities(*likelihood, numbers, {0, 0, 0}, 3)[0]).epsilon(1e-4));
    double by_dim = 0;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const auto each = static_cast<std::ptrdiff_t>(numbers[0].size() / 3);
      const auto own = numbers[0].begin() + static_cast<std::ptrdiff_t>(dim) * each;
      const Likelihood::ItemHeads heads = {{own, own + each}};
      by_dim +=
          likelihood->coding_of(heads, dim)->add_log_probability(std::span(symbols).first(1), 0);
    }
    CHECK(by_dim == doctest::Approx(coded).epsilon(1e-12));
  }
}

TEST_CASE("likelihood: the bias of its location puts the mean of x there") {
  for (const std::string& word : likelihood_words()) {
    CAPTURE(word);
    const auto likelihood = small(word);
    const double wanted = likelihood->takes() == ValuesOfX::levels ? 5 : 0.3;
    const auto location = likelihood->location(wanted);
    if (!location) continue;
    Numbers heads;
    for (const HeadForm& form : likelihood->heads())
      heads.emplace_back(static_cast<std::size_t>(form.per_dim), form.name == "log_scale" ? -4.0F
                                                                 : form.shared            ? -6.0F
                                                                                          : 0.0F);
    for (float& value : heads[location->head]) value = static_cast<float>(location->bias);
    CHECK(likelihood->mean(views_of(heads), 0) == doctest::Approx(wanted).epsilon(0.02));
  }
}

TEST_CASE("likelihood: an entry says which options change its heads") {
  const std::pair<LikelihoodOption, LikelihoodOptions> changed[] = {
      {LikelihoodOption::squash, {.squash = Squash::sigmoid}},
      {LikelihoodOption::min_log_var, {.min_log_var = -3}},
      {LikelihoodOption::obs_std, {.obs_std = "0.1"}},
      {LikelihoodOption::components, {.components = 2}}};
  for (const std::string& word : likelihood_words())
    for (const auto& [option, options] : changed) {
      CAPTURE(word);
      CAPTURE(static_cast<int>(option));
      const auto heads = [&](const LikelihoodOptions& with) {
        return text_of(make_likelihood(word, levels_for(word), with)->heads());
      };
      CHECK(likelihood_reads(word, option) == (heads(options) != heads({})));
    }
  CHECK(read_by_likelihood("", LikelihoodOption::obs_std).says ==
        "--likelihood gaussian-fixed or discretised-gaussian");
}

TEST_CASE("likelihood: a mean that is squashed starts where its squash takes it") {
  const auto bias = [](Squash squash) {
    return make_likelihood("gaussian-fixed", 0, {.squash = squash})->location(0.25)->bias;
  };
  CHECK(bias(Squash::none) == 0.25);
  CHECK(1 / (1 + std::exp(-bias(Squash::sigmoid))) == doctest::Approx(0.25));
  CHECK(std::tanh(bias(Squash::tanh)) == doctest::Approx(0.25));
}

TEST_CASE("likelihood: a word or an option that cannot be read is a usage error") {
  CHECK_THROWS_WITH_AS((void)make_likelihood("cauchy", 0, {}), doctest::Contains("gaussian-fixed"),
                       Error);
  for (const char* word : {"gaussian-fixed", "discretised-gaussian"})
    for (const char* bad : {"0", "-1", "wide"})
      CHECK_THROWS_WITH_AS((void)make_likelihood(word, 256, {.obs_std = bad}),
                           doctest::Contains("--obs-std"), Error);
  CHECK_NOTHROW((void)make_likelihood("gaussian", 0, {.obs_std = "wide"}));  // is not read
}

TEST_CASE("likelihood: no family names one outside of its config and its presets") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(LOGPX_SOURCE_DIR "/libcore/families")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".cpp") && !name.ends_with(".hpp")) continue;
    if (name.starts_with("config.") || name.starts_with("presets.") || name == "family.cpp")
      continue;
    const std::string folder = entry.path().parent_path().filename();
    // Leaves of circuits have the same names.
    if (folder == "circuit" || folder == "leaves" || folder == "text") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    CAPTURE(entry.path().string());
    for (const std::string& word : likelihood_words())
      CHECK(text.str().find('"' + word + '"') == std::string::npos);
  }
}

}  // namespace logpx::likelihood_test
