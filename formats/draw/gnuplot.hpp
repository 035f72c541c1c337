// Runs gnuplot on a script: without a shell, in a scratch folder, and every output is checked.
#pragma once

#include "formats/draw/chart.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace logpx::draw {

enum class ChartFormat { svg, png, pdf };

// The whole picture, with the chart's title and sources as its description. Without gnuplot on
// PATH: a usage error whose hint is the script. A half picture (full disk, killed) is an io error.
[[nodiscard]] std::vector<std::byte> draw_chart(const Chart& chart, ChartFormat format);

// "gnuplot 5.4.4", of the one on PATH; errors as above.
[[nodiscard]] std::string gnuplot_version();

}  // namespace logpx::draw
