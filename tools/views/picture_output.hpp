// A picture of rows as a PNG, with its summary and its place in the report.
#pragma once

#include "formats/draw/picture.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <string>

namespace logpx {

void write_png(App& app, const std::string& output, const draw::Picture& picture,
               std::int64_t rows);

}  // namespace logpx
