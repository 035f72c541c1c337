// How a table is written: what ends its lines, what cuts them into fields, and whether decimals
// follow a comma.
//
//   guess_csv_form("a;b\n1,5;2\n", true)   // lines end with \n, ; cuts, decimals follow a comma
#pragma once

#include <string>
#include <string_view>

namespace logpx {

struct CsvForm {
  char line_end = '\n';  // or a carriage return alone
  char delimiter = ',';  // or ; | tab; a blank stands for any number of them
  bool decimal_commas = false;
};

// From the first part of a file. The delimiter is the one that the first line has most of outside
// quotes. If it has none, and each line as many words, a blank is, where some column below the
// first line holds numbers alone. Decimals follow a comma where ; cuts the fields and a comma
// stands before those of some number and a point before those of none, as spreadsheets write them
// in most of Europe.
[[nodiscard]] CsvForm guess_csv_form(std::string_view start, bool is_whole);

// Whether the first two lines have as many fields, two or more, as tables do.
[[nodiscard]] bool has_even_lines(std::string_view start, bool is_whole);

// Takes blanks and newlines off both ends of a field.
void trim_field(std::string& field);

}  // namespace logpx
