// What --init and --separator-states say.   [pc/README 6.2]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/start.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr std::string_view product_word = "product:";

}  // namespace

bool starts_from_product(const std::string& init) { return init.starts_with(product_word); }

std::vector<std::string> product_names(const std::string& init) {
  std::vector<std::string> names = split_text(init.substr(product_word.size()), ',');
  if (names.size() < 2 || std::ranges::find(names, "") != names.end())
    fail(ErrorKind::usage, "--init",
         "is '" + init + "', expected product:A.h5,B.h5 or more models");
  return names;
}

FirstRows parse_first_rows(const std::string& text) {
  if (text == "softmax-normal") return {};
  if (starts_from_product(text)) return static_cast<void>(product_names(text)), FirstRows();
  if (text == "from-data") return {.kind = FirstRows::Kind::from_data};
  constexpr std::string_view dirichlet = "dirichlet:";
  const auto a = text.starts_with(dirichlet) ? parse_real(text.substr(dirichlet.size()))
                                             : std::optional<double>();
  if (!a || !(*a >= 1e-3 && *a <= 1e6))
    fail(ErrorKind::usage, "--init",
         "is '" + text +
             "', expected softmax-normal, from-data, product:A.h5,B.h5 or dirichlet:A, A "
             "from 0.001 on",
         "--init dirichlet:1");
  return {.kind = FirstRows::Kind::dirichlet, .concentration = *a};
}

std::int64_t separator_of(const std::string& text, const DatasetInfo& data) {
  if (text.size() == 1)
    for (std::size_t i = 0; i < data.alphabet.size(); ++i)
      if (data.alphabet[i] == static_cast<unsigned char>(text[0]))
        return static_cast<std::int64_t>(i);
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number >= data.levels)
    fail(ErrorKind::usage, "--separator-states",
         "is '" + text + "', expected a letter of the data or a number from 0 to " +
             std::to_string(data.levels - 1));
  return *number;
}

}  // namespace logpx::pc
