// bits-back-encode: files to .lpx archives, by a model's own probabilities where one is given. How
// it works is in tools/compress; this file says what the tool is.
// [codec/README; logpx-archive(5)]
#include "tools/compress/runs.hpp"
#include "tools/frame/app.hpp"

using namespace logpx;

namespace {

const ToolSpec spec = {
    .name = "bits-back-encode",
    .purpose = "compress files without loss, by a model where one fits",
    .usage = {"[MODEL.h5] [FILE|DIR...] [options]"},
    .examples = {{"bits-back-encode vae.h5 t10k-images-idx3-ubyte",
                  "to t10k-images-idx3-ubyte.lpx"},
                 {"tar cf - imgs | bits-back-encode vae.h5 > a.lpx", "from a pipe into a file"},
                 {"bits-back-encode *.pgm -o all.lpx", "several files, no model"}},
    .kind = ToolKind::maker,
    .opens_inputs_itself = true,
    .filters_stdin = true,
};

}  // namespace

int main(int argc, char** argv) {
  return run_tool<compress::EncodeOptions>(argc, argv, spec, compress::run_encode);
}
