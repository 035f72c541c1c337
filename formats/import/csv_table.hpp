// Tables whose columns are looked at before they are stored: pack-data csv without an option.
#pragma once

#include "formats/import/importer.hpp"

#include <memory>

namespace logpx {

[[nodiscard]] std::unique_ptr<Importer> open_table(Inputs inputs, const ImportOptions& options);

}  // namespace logpx
