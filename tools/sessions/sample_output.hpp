// Where samples of a model go: to a file with all their data (logpx-samples(5)), or their rows
// alone in a format of other programs.
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

// What is written: rows of a table that was CSV are CSV again on standard output.
[[nodiscard]] std::string sample_format(const App& app, const SampleMaker& maker);
// A usage error if the rows cannot take the form that the name of the output promises.
void check_sample_output(App& app, const SampleMaker& maker);
[[nodiscard]] std::unique_ptr<SampleOutput> open_sample_output(App& app, const SampleMaker& maker,
                                                               SamplesOrigin origin);

}  // namespace logpx
