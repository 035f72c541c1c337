#include "libcore/model/fitting_likelihood.hpp"

#include "libcore/base/error.hpp"

namespace logpx {

FittingLikelihood fitting_likelihood(const DatasetInfo& data, const DataReading& reading,
                                     const LikelihoodsByData& usual) {
  if (reading.binarises()) return {"bernoulli"};
  if (reading.dequantise != Dequantise::none) return {usual.reals};
  const auto chosen = [&](const std::string& what, const std::string& word) {
    return FittingLikelihood{word, "the data hold " + what + ": --likelihood " + word};
  };
  if (data.levels == 0 && !data.column_words.empty())
    fail(ErrorKind::data, data.name, "has words beside real numbers, which no likelihood takes",
         "train-pc reads words beside real numbers");
  if (data.levels == 0) return chosen("real numbers", usual.reals);
  if (!data.column_words.empty()) return chosen("words", "categorical");
  if (data.levels == 2) return chosen("bits", usual.bits);
  if (data.content == Content::symbols || data.content == Content::bytes)
    return chosen("symbols", "categorical");
  const std::string numbers = "whole numbers below " + std::to_string(data.levels);
  return chosen(numbers, data.content == Content::image ? usual.pictures : usual.levels);
}

std::vector<Choice> likelihood_choices() {
  std::vector<Choice> choices = {{automatic_likelihood, "what suits the data"}};
  for (const std::string& word : likelihood_words())
    choices.push_back({word, says_of_likelihood(word)});
  return choices;
}

}  // namespace logpx
