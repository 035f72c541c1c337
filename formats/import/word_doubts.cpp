#include "formats/import/word_doubts.hpp"

#include "formats/import/csv_records.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/data/number_form.hpp"

namespace logpx {
namespace {

constexpr double mostly = 0.9;  // numbers among the cells of a column that holds words, too
// "#" of "#12": what is neither digit, mark nor letter, where the rest is a number.
std::string sign_of(std::string_view text, bool comma) {
  constexpr std::string_view of_numbers = "0123456789.,+-%";
  std::string number, sign;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter || c == ':' || c == '/' || c == '(' || c == ')') return "";
    (of_numbers.find(c) == std::string_view::npos ? sign : number) += c;
  }
  const bool is_number = read_number(number, comma) || read_number(number, !comma);
  const std::size_t begin = sign.find_first_not_of(' ');
  if (!is_number || begin == std::string::npos) return is_number && !sign.empty() ? " " : "";
  return sign.substr(begin);
}

}  // namespace

void WordDoubts::add_word(const std::string& text, CellPlace place) {
  if (!place_.empty()) return;
  first_ = text;
  place_ = place.text();
}

std::string WordDoubts::what_else(const ColumnCalled& called, const Counts& counts) const {
  const std::string cell = called.words + ": '" + shown_name(first_) + '\'';
  const bool other_mark = first_.find(comma_ ? '.' : ',') != std::string::npos &&
                          read_number(first_, !comma_).has_value();
  if (other_mark)
    return cell + " makes words of its numbers; " + (comma_ ? "--decimal ." : "--decimal ,") +
           " if the mark before decimals is another";
  if (const std::string sign = sign_of(first_, comma_); !sign.empty())
    return cell + " is a number but for '" + shown_name(sign) +
           "', and so a word; without it the column is one of numbers";
  if (static_cast<double>(counts.numbers) >= mostly * static_cast<double>(counts.cells))
    return place_ + ": " + cell + " makes words of its numbers; " + na_hint(first_);
  return "";
}

std::vector<std::string> WordDoubts::found(const ColumnCalled& called, const Counts& counts,
                                           const std::string& hole) const {
  std::vector<std::string> doubts;
  if (place_.empty() && !counts.signs.empty())
    doubts.push_back(called.words + ": its numbers have different signs or units (" + counts.signs +
                     "), so they are words");
  if (std::string doubt = place_.empty() ? "" : what_else(called, counts); !doubt.empty())
    doubts.push_back(std::move(doubt));
  if (!hole.empty())
    doubts.push_back(called.words + ": '" + hole + "' is one of its words; --na " +
                     shell_word(hole) + " if it stands for a missing value");
  return doubts;
}

}  // namespace logpx
