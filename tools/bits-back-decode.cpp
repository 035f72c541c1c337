// bits-back-decode: .lpx archives back to the very files they were made from. How it works is in
// tools/compress; this file says what the tool is.   [logpx-archive(5)]
#include "tools/compress/runs.hpp"
#include "tools/frame/app.hpp"

using namespace logpx;

namespace {

const ToolSpec spec = {
    .name = "bits-back-decode",
    .purpose = "restore, test or list files compressed by bits-back-encode",
    .usage = {"[MODEL.h5] [FILE.lpx...] [options]"},
    .examples = {{"bits-back-decode vae.h5 t10k-images-idx3-ubyte.lpx", "the file as it was"},
                 {"bits-back-decode vae.h5 < a.lpx | tar xf -", "out of a pipe into another"},
                 {"bits-back-decode vae.h5 --test *.lpx", "all checksums, nothing written"}},
    .kind = ToolKind::maker,
    .without_effect = {"seed"},
    .opens_inputs_itself = true,
    .filters_stdin = true,
};

}  // namespace

int main(int argc, char** argv) {
  return run_tool<compress::DecodeOptions>(argc, argv, spec, compress::run_decode);
}
