// What logpx adds to a PDF that cairo has written.
#pragma once

#include <string>
#include <string_view>

namespace logpx::draw {

struct PdfFacts {
  std::string title = {}, subject = {};  // UTF-8
};

// The same pages with these facts, and without the time at which they were drawn: the same chart
// gives the same bytes.   [ISO 32000-1, 7.5.6 and 14.3.3]
[[nodiscard]] std::string with_pdf_facts(std::string pdf, const PdfFacts& facts);

// Begins and ends as a PDF does: not cut short.
[[nodiscard]] bool is_whole_pdf(std::string_view pdf);

}  // namespace logpx::draw
