// Runs gnuplot on a script: without a shell, in a scratch folder, and every output is checked.
#pragma once

#include "formats/draw/chart.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::draw {

// What logpx adds to a PDF that cairo has written.
struct PdfFacts {
  std::string title = {}, subject = {};  // UTF-8
};

// The same pages with these facts, and without the time at which they were drawn: the same chart
// gives the same bytes.   [ISO 32000-1, 7.5.6 and 14.3.3]
[[nodiscard]] std::string with_pdf_facts(std::string pdf, const PdfFacts& facts);

// Begins and ends as a PDF does: not cut short.
[[nodiscard]] bool is_whole_pdf(std::string_view pdf);

enum class ChartFormat { svg, png, pdf };

// The whole picture, with the chart's title and sources as its description. Without gnuplot on
// PATH: a usage error whose hint is the script. A half picture (full disk, killed) is an io error.
[[nodiscard]] std::vector<std::byte> draw_chart(const Chart& chart, ChartFormat format);

// "gnuplot 5.4.4", of the one on PATH; errors as above.
[[nodiscard]] std::string gnuplot_version();

}  // namespace logpx::draw
