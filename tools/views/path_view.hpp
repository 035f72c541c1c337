// How molecules came about (formats/draw/molecule_path), and how a policy goes with the entropies
// of values (libcore/data/order_entropy).
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/samples_file.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

inline constexpr const char* path_option = "--path";
inline constexpr const char* entropy_option = "--order-entropy";

// The given steps of one molecule as SVG.
void draw_path(App& app, const OpenRows& source, const RowSelection& selection,
               const std::vector<std::int64_t>& steps, const std::string& output);

// A table of figures; its points are a series of the report.
void show_policy_by_entropy(App& app, const OpenRows& source, const RowSelection& selection);

}  // namespace logpx
