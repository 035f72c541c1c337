// What the headers of sound, measurements and deep rasters say of the samples behind them: WAV,
// AIFF, NIfTI, DICOM, and PNM with more than 256 levels. An encoder tries it and a block then says
// for itself how it was coded, so that no decoder reads such a header.
#pragma once

#include "formats/archive/records.hpp"

#include <optional>

namespace logpx::archive {

// `row` and `plane` in bytes, 0 for what has none.
struct SampleHeader {
  BlockSamples samples;
  std::uint32_t row = 0, plane = 0;
};

// Nothing where the samples are compressed, are no whole numbers of one to three bytes, or lie
// behind what is given of the file.
[[nodiscard]] std::optional<SampleHeader> find_samples(ByteView file);

}  // namespace logpx::archive
