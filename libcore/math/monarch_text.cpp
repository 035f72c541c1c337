#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/monarch_form.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace logpx {

namespace {

[[noreturn]] void refuse_factors(const std::string& text) {
  fail(ErrorKind::usage, "--factors",
       "is '" + text + "', expected auto:2, auto:butterfly, 32,32 or m=4,2;n=2,4");
}

std::vector<std::int64_t> read_integers(const std::string& list, const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : split_text(list, ',')) {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number || *number < 1) refuse_factors(text);
    numbers.push_back(*number);
  }
  return numbers;
}

void check_product(const std::vector<std::int64_t>& factors, const std::string& of,
                   std::int64_t hidden) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (factor > (std::int64_t{1} << 40) / product)
      fail(ErrorKind::usage, "--factors", "has a product" + of + " beyond 2^40");
    product *= factor;
  }
  if (product != hidden)
    fail(ErrorKind::usage, "--factors",
         "has the product " + std::to_string(product) + of + ", but there are " +
             std::to_string(hidden) + " hidden states",
         "--factors auto:" + std::to_string(factors.size()));
}

bool is_prime(std::int64_t number) {
  for (std::int64_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return number > 1;
}

// Tries all non-decreasing factorisations; ties go to the lexicographically smallest.
struct LeastSum {
  std::vector<std::int64_t> best = {}, trial = {};
  std::int64_t best_sum = std::numeric_limits<std::int64_t>::max();

  void search(std::int64_t rest, std::int64_t least, int left, std::int64_t sum) {
    if (left == 1) {
      if (rest < least || sum + rest >= best_sum) return;
      best = trial;
      best.push_back(rest);
      best_sum = sum + rest;
      return;
    }
    for (std::int64_t factor = least; fits(factor, left, rest); ++factor) {
      if (rest % factor != 0) continue;
      trial.push_back(factor);
      search(rest / factor, factor, left - 1, sum + factor);
      trial.pop_back();
    }
  }
  static bool fits(std::int64_t factor, int count, std::int64_t product) {
    for (; count > 0; --count) product /= factor;
    return product > 0;
  }
};

std::vector<std::int64_t> butterfly_factors(std::int64_t hidden) {
  const auto states = static_cast<std::uint64_t>(hidden);
  if (hidden < 2 || !std::has_single_bit(states))
    fail(ErrorKind::usage, "--factors auto:butterfly",
         "wants a power of two, but there are " + std::to_string(hidden) + " hidden states",
         "--hidden " + std::to_string(std::max<std::uint64_t>(2, std::bit_floor(states))));
  return std::vector<std::int64_t>(at(std::bit_width(states) - 1), 2);
}

std::vector<std::int64_t> automatic(const std::string& word, std::int64_t hidden,
                                    const std::string& text) {
  if (word == "butterfly") return butterfly_factors(hidden);
  const std::optional<std::int64_t> d = parse_integer(word);
  if (!d || *d < 1 || *d > 40) refuse_factors(text);
  return square_factors(hidden, static_cast<int>(*d));
}

}  // namespace

std::vector<std::int64_t> square_factors(std::int64_t hidden, int d) {
  LOGPX_ASSERT(hidden >= 1 && d >= 1);
  const auto states = static_cast<std::uint64_t>(hidden);
  if (d > 1 && is_prime(hidden))
    fail(ErrorKind::usage, "--factors auto:" + std::to_string(d),
         "cannot divide " + std::to_string(hidden) + " hidden states, a prime number",
         "--hidden " + std::to_string(hidden + 1 > 3 ? hidden + 1 : 4));
  if (std::has_single_bit(states)) {
    const int bits = static_cast<int>(std::bit_width(states)) - 1, small = bits / d,
              larger = bits % d;
    std::vector<std::int64_t> factors(at(d), std::int64_t{1} << small);
    for (int t = d - larger; t < d; ++t) factors[at(t)] *= 2;
    return factors;
  }
  LeastSum least;
  least.search(hidden, 1, d, 0);
  return least.best;
}

MonarchFactors read_factors(const std::string& text, std::int64_t hidden) {
  MonarchFactors factors;
  const std::size_t middle = text.find(';');
  if (text.starts_with("auto:")) {
    factors.m = factors.n = automatic(text.substr(5), hidden, text);
  } else if (middle != std::string::npos) {
    const std::string outputs = text.substr(0, middle), inputs = text.substr(middle + 1);
    if (!outputs.starts_with("m=") || !inputs.starts_with("n=")) refuse_factors(text);
    factors.m = read_integers(outputs.substr(2), text);
    factors.n = read_integers(inputs.substr(2), text);
  } else {
    factors.m = factors.n = read_integers(text, text);
  }
  const bool apart = factors.m != factors.n;
  if (factors.m.size() != factors.n.size())
    fail(ErrorKind::usage, "--factors",
         "has " + std::to_string(factors.m.size()) + " factors of m and " +
             std::to_string(factors.n.size()) + " of n, expected as many");
  check_product(factors.m, apart ? " of m" : "", hidden);
  check_product(factors.n, apart ? " of n" : "", hidden);
  return factors;
}

std::string factors_text(const MonarchFactors& factors) {
  const auto list = [](const std::vector<std::int64_t>& sizes) {
    std::vector<std::string> words;
    for (const std::int64_t size : sizes) words.push_back(std::to_string(size));
    return join_text(words, ",");
  };
  if (factors.m == factors.n) return list(factors.m);
  return "m=" + list(factors.m) + ";n=" + list(factors.n);
}

std::vector<int> read_program(const std::string& text) {
  std::vector<int> program;
  for (const std::string& word : split_text(text, ',')) {
    const std::optional<std::int64_t> axis = parse_integer(word);
    if (!axis || *axis < 1 || *axis > 40)
      fail(ErrorKind::usage, "--program",
           "is '" + text + "', expected axes of the factors such as 1,2,1");
    program.push_back(static_cast<int>(*axis));
  }
  return program;
}

}  // namespace logpx
