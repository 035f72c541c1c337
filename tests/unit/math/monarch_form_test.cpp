#include "libcore/math/monarch_form.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace logpx::monarch_form_test {
namespace {

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.subject() + " " + error.message();
  }
  return "none";
}

using Factors = std::vector<std::int64_t>;
Factors read(const std::string& text, std::int64_t hidden) { return read_factors(text, hidden).m; }

}  // namespace

TEST_CASE("monarch_form: auto:d is almost square, small factors first") {
  CHECK(read("auto:2", 64) == Factors{8, 8});
  CHECK(read("auto:2", 32) == Factors{4, 8});
  CHECK(read("auto:3", 2048) == Factors{8, 16, 16});
  CHECK(read("auto:1", 7) == Factors{7});
  CHECK(read("auto:2", 96) == Factors{8, 12});
  CHECK(read("auto:3", 1000) == Factors{10, 10, 10});
  CHECK(read("auto:3", 36) == Factors{3, 3, 4});
  CHECK(read("auto:butterfly", 16) == Factors{2, 2, 2, 2});
}

TEST_CASE("monarch_form: no factorisation has a smaller sum than auto:d") {
  for (std::int64_t h = 1; h <= 60; ++h)
    for (int d = 2; d <= 3; ++d) {
      std::int64_t least = h + d;
      for (std::int64_t a = 1; a <= h; ++a)
        for (std::int64_t b = a; a * b <= h; ++b)
          if (h % (a * b) == 0 && (d == 3 || a * b == h))
            least = std::min(least, a + b + (d == 3 ? h / (a * b) : 0));
      std::int64_t divisors = 0;
      for (std::int64_t a = 1; a <= h; ++a) divisors += h % a == 0;
      if (divisors == 2) continue;  // a prime number
      std::int64_t sum = 0, product = 1;
      for (const std::int64_t factor : square_factors(h, d)) {
        sum += factor;
        product *= factor;
      }
      CAPTURE(h);
      CHECK(sum == least);
      CHECK(product == h);
    }
}

TEST_CASE("monarch_form: factors of outputs and inputs may differ") {
  const MonarchFactors factors = read_factors("m=4,2;n=2,4", 8);
  CHECK(factors.m == Factors{4, 2});
  CHECK(factors.n == Factors{2, 4});
  CHECK(read("32,32", 1024) == Factors{32, 32});
  CHECK(read_program("1,2,1") == std::vector<int>{1, 2, 1});
}

TEST_CASE("monarch_form: what does not fit is said") {
  const auto factors = [](const std::string& text, std::int64_t hidden) {
    return complaint([&] { (void)read_factors(text, hidden); });
  };
  CHECK(factors("8,9", 64) == "--factors has the product 72, but there are 64 hidden states");
  CHECK(factors("m=4,2;n=2,5", 8) ==
        "--factors has the product 10 of n, but there are 8 hidden states");
  CHECK(factors("m=4,2;n=8", 8) == "--factors has 2 factors of m and 1 of n, expected as many");
  CHECK(factors("auto:2", 31) == "--factors auto:2 cannot divide 31 hidden states, a prime number");
  CHECK(factors("auto:butterfly", 12) ==
        "--factors auto:butterfly wants a power of two, but there are 12 hidden states");
  for (const std::string text : {"", "8,", "auto", "auto:0", "auto:x", "8;8", "0,8", "-8,-8"})
    CHECK(factors(text, 64) ==
          "--factors is '" + text + "', expected auto:2, auto:butterfly, 32,32 or m=4,2;n=2,4");
  CHECK(complaint([] { (void)read_program("1,x"); }) ==
        "--program is '1,x', expected axes of the factors such as 1,2,1");
  CHECK(complaint([] {
          Monarch({.m = {2, 2}, .n = {2, 2}, .program = {1, 3}});
        }) == "--program names axis 3, but there are 2 factors");
  CHECK(complaint([] {
          Monarch({.m = {64}, .n = {64}, .program = {1, 2, 1}});
        }) == "--program names axis 2, but there is one factor");
  CHECK(complaint([] {
          Monarch({.m = {2, 3}, .n = {2, 2}, .program = {1}});
        }) == "--program leaves out axis 2, whose factors of m and n differ");
  CHECK(complaint([] {
          Monarch({.m = {2, 3}, .n = {2}, .program = {}});
        }) == "--factors has 2 factors of outputs and 1 of inputs, expected as many, 1 to 40");
  CHECK(complaint([] { Monarch({.m = {2}, .n = {0}, .program = {}}); }) ==
        "--factors has the factor 0 in n, expected 1 or more");
  CHECK(complaint([] { (void)Monarch::dense(std::int64_t{1} << 30, 4096); }) ==
        "--factors has a layer of more than 2^40 weights");
}

TEST_CASE("monarch_form: each layer reads and writes every row once, and knows whose a row is") {
  const std::vector<MonarchFactors> all = {
      {.m = {3, 2}, .n = {2, 5}, .program = {}},
      {.m = {2, 3, 4}, .n = {4, 1, 2}, .program = {}},
      {.m = {2, 3, 4}, .n = {2, 3, 4}, .program = {1, 2, 1}},
      {.m = {2, 3, 4}, .n = {5, 3, 1}, .program = {3, 1, 2, 2, 3, 1}},
      {.m = {3, 5}, .n = {3, 5}, .program = {2}}};
  for (const MonarchFactors& factors : all) {
    const Monarch form(factors);
    for (const MonarchLayer& layer : form.layers()) {
      std::vector<int> read(at(layer.in_rows())), written(at(layer.out_rows()));
      for (std::int64_t r = 0; r < layer.blocks; ++r) {
        for (std::int64_t i = 0; i < layer.n; ++i) {
          ++read[at(layer.in_row(r, i))];
          CHECK(layer.in_row(r, i) == layer.in_row(r, 0) + i * layer.in_step);
        }
        for (std::int64_t j = 0; j < layer.m; ++j) {
          const std::int64_t row = layer.out_row(r, j);
          ++written[at(row)];
          CHECK(row == layer.out_row(r, 0) + j * layer.out_step);
          CHECK(layer.output(row).block == r);
          CHECK(layer.output(row).index == j);
        }
      }
      CHECK(read == std::vector<int>(read.size(), 1));
      CHECK(written == std::vector<int>(written.size(), 1));
    }
  }
}

TEST_CASE("monarch: factors written as text are read back") {
  CHECK(factors_text(read_factors("32,32", 1024)) == "32,32");
  CHECK(factors_text(read_factors("auto:3", 512)) == "8,8,8");
  CHECK(factors_text(read_factors("m=4,2;n=2,4", 8)) == "m=4,2;n=2,4");
}

}  // namespace logpx::monarch_form_test
