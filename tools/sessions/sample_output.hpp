// Where samples of a model go: all that is known of them (logpx-samples(5)), or their rows alone as
// other programs keep them.
//
//   const auto output = open_sample_output(app, maker, origin);   // the option -o, --output
//   output->append(maker.make(begin, end, workers));
//   app.add_output(output->finish());
#pragma once

#include "formats/samples_file.hpp"
#include "libcore/eval/sample_makers.hpp"
#include "tools/frame/app.hpp"

#include <memory>

namespace logpx {

class SampleOutput {
 public:
  virtual ~SampleOutput() = default;
  virtual void append(const SampleChunk& chunk) = 0;
  [[nodiscard]] virtual FileRecord finish() = 0;
};

// A usage error where the rows have no such form as the name of the output promises.
void check_sample_output(App& app, const SampleMaker& maker);
[[nodiscard]] std::unique_ptr<SampleOutput> open_sample_output(App& app, const SampleMaker& maker,
                                                               SamplesOrigin origin);

}  // namespace logpx
