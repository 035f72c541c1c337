// Where samples by inverse transform go: z alone as npy or CSV, written as they are made, or all
// their data as samples (logpx-samples(5)).
//
//   const auto output = open_inverse_output(app, "output", layout);   // the option -o, --output
//   output->append(sampler.draw(begin, end), {});
//   app.add_output(output->finish());
#pragma once

#include "formats/json/value.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/eval/inverse_samples.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct InverseLayout {
  std::int64_t n = 0;                     // samples in all
  std::int64_t uniforms = 1;              // of one
  std::vector<std::int64_t> shape = {};   // of one
  std::string family, source_hash;        // their model or table
  std::optional<DatasetInfo> means = {};  // info of the rows of means
  std::int64_t components = 0;            // chosen by a sample
};

// What a model adds to samples besides z.
struct SampleExtras {
  Rows means = {};
  std::vector<std::int32_t> components = {};  // [n, layout.components]
};

class InverseOutput {
 public:
  virtual ~InverseOutput() = default;
  virtual void append(const InverseSamples& samples, SampleExtras extras) = 0;
  [[nodiscard]] virtual FileRecord finish() = 0;
};

// --output and --format.
void describe_inverse_output(Fields& fields, std::string& output, std::string& format);

// In the format ("h5", "npy", "csv") that the name of field `output` promises. Only "h5" has room
// for more than z.
[[nodiscard]] std::unique_ptr<InverseOutput> open_inverse_output(App& app,
                                                                 const std::string& output,
                                                                 const InverseLayout& layout);

}  // namespace logpx
