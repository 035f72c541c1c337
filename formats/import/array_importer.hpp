// Rows from one or several arrays of one shape, streamed: what idx, npy and npz share.
#pragma once

#include "formats/import/array.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/spool.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace logpx {

// An array whose header has been read; the stream stands at its first element.
struct OpenArray {
  std::unique_ptr<ByteStream> stream;
  ArrayLayout layout;
};

using HeaderReader = std::function<ArrayLayout(ByteStream&)>;

// Opens every input and reads its header.
[[nodiscard]] std::vector<OpenArray> open_arrays(std::vector<Input> inputs,
                                                 const HeaderReader& read_header);
// The payload must be exactly what the sizes say, where that can be known at once.
[[nodiscard]] OpenArray open_array(std::unique_ptr<ByteStream> stream,
                                   const HeaderReader& read_header);

// `labels` is empty or holds one array of rank 1 for each array of examples; `record` already holds
// what is known about them.
[[nodiscard]] std::unique_ptr<Importer> import_arrays(std::vector<OpenArray> examples,
                                                      std::vector<OpenArray> labels,
                                                      const ImportOptions& options,
                                                      ImportRecord record = {});

}  // namespace logpx
