#include "libcore/model/likelihood_entry.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {

// The list of words, in the order in which help shows them.
namespace likelihoods {
LikelihoodEntry bernoulli();
LikelihoodEntry gaussian();
LikelihoodEntry gaussian_fixed();
LikelihoodEntry discretised_gaussian();
LikelihoodEntry logistic256();
LikelihoodEntry logistic_mix256();
LikelihoodEntry beta_binomial();
LikelihoodEntry categorical();
}  // namespace likelihoods

namespace {

const std::vector<LikelihoodEntry>& likelihood_list() {
  using namespace likelihoods;
  static const std::vector<LikelihoodEntry> all = {
      bernoulli(),   gaussian(),        gaussian_fixed(), discretised_gaussian(),
      logistic256(), logistic_mix256(), beta_binomial(),  categorical()};
  return all;
}

const LikelihoodEntry& find_likelihood(const std::string& word) {
  const auto found = std::ranges::find(likelihood_list(), word, &LikelihoodEntry::word);
  if (found != likelihood_list().end()) return *found;
  fail(ErrorKind::usage, "--likelihood",
       "'" + word + "' is not one of: " + join_text(likelihood_words(), ", "));
}

}  // namespace

const std::vector<std::string>& likelihood_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list;
    for (const LikelihoodEntry& entry : likelihood_list()) list.emplace_back(entry.word);
    return list;
  }();
  return words;
}

const char* says_of_likelihood(const std::string& word) { return find_likelihood(word).says; }

bool likelihood_reads(const std::string& word, LikelihoodOption option) {
  const auto found = std::ranges::find(likelihood_list(), word, &LikelihoodEntry::word);
  return found != likelihood_list().end() &&
         std::ranges::find(found->reads, option) != found->reads.end();
}

Condition read_by_likelihood(const std::string& word, LikelihoodOption option) {
  std::vector<std::string> words;
  for (const std::string& one : likelihood_words())
    if (likelihood_reads(one, option)) words.push_back(one);
  LOGPX_ASSERT(!words.empty());
  const std::string last = words.back();
  words.pop_back();
  return {[&word, option] { return likelihood_reads(word, option); },
          "--likelihood " + (words.empty() ? last : join_text(words, ", ") + " or " + last)};
}

ValuesOfX values_of_likelihood(const std::string& word) { return find_likelihood(word).takes; }

std::unique_ptr<const Likelihood> make_likelihood(const std::string& word, const LevelsOfX& levels,
                                                  const LikelihoodOptions& options) {
  const LikelihoodEntry& entry = find_likelihood(word);
  return entry.make({.takes = entry.takes, .levels = levels, .options = options});
}

}  // namespace logpx
