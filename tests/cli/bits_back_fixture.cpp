// bits-back-fixture: the two compression tools with the tests' models, and a way to make these:
//   bits-back-fixture make MODEL.h5 KIND [FILE]   KIND: grey8 rgb4 bits4 text bytes vae4 letters
//   bits-back-fixture encode|decode ...           as bits-back-encode and bits-back-decode
//   bits-back-fixture archive OUT.lpx FILE NAME...   FILE once for each name, whatever it is
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/coding_models.hpp"
#include "tests/support/letters_model.hpp"
#include "tools/archives/archive_maker.hpp"
#include "tools/compress/runs.hpp"
#include "tools/frame/app.hpp"
#include "tools/store/model_store.hpp"

#include <cstdio>
#include <span>
#include <string_view>

using namespace logpx;

namespace {

MarkovConfig config_of(std::string_view kind) {
  MarkovConfig config;
  if (kind == "rgb4") config.height = config.width = 4, config.channels = 3;
  if (kind == "bits4") config.height = config.width = 4, config.levels = 2;
  if (kind == "text" || kind == "bytes") config.run = true, config.height = 1, config.width = 50;
  if (kind == "text") config.alphabet = " abcdefghijklmnopqrstuvwxyz", config.levels = 27;
  return config;
}

void make(const std::string& path, std::string_view kind, const std::string& file) {
  std::unique_ptr<Model> model;
  if (kind == "vae4") {
    auto vae = std::make_unique<ToyVaeModel>(ToyVaeConfig());
    vae->randomise();
    model = std::move(vae);
  } else if (kind == "letters") {
    const testing::LetterRows rows = testing::letter_rows(300, 40, Rng(1));
    auto letters = std::make_unique<testing::LettersModel>(rows.info);
    letters->fit(rows.rows);
    model = std::move(letters);
  } else {
    auto markov = std::make_unique<MarkovModel>(config_of(kind));
    const std::string text = file.empty() ? "" : read_text_file(file);
    markov->fit({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    model = std::move(markov);
  }
  OutputFile out(path, Overwrite::replace);
  save_model(out, *model, {}, Json::object());
  out.commit();
}

void make_archive(const std::string& path, const std::string& file, std::span<char* const> names) {
  OutputFile out(path, Overwrite::replace);
  Workers workers(1);
  const compress::Coding coding;
  archive::ByteVector bytes;
  compress::ArchiveMaker maker(
      coding, {.methods = compress::Methods::store, .progress = {}}, workers,
      [&](archive::ByteView part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  for (const char* name : names)
    (void)maker.add(*compress::recognise(
        std::make_unique<compress::SourceFile>(file, compress::SourceFile::Links::refuse),
        {.units = coding.parameters.units, .name = name}));
  maker.finish();
  write_text_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  register_coding_models();
  testing::register_letters();
  const std::string_view what = argc > 1 ? argv[1] : "";
  ToolSpec spec{.name = "bits-back-fixture",
                .purpose = "the compression tools with the tests' models",
                .usage = {"encode|decode ..."},
                .examples = {{"bits-back-fixture encode m.h5 f", "as bits-back-encode"}},
                .opens_inputs_itself = true,
                .filters_stdin = true};
  if (what == "encode")
    return run_tool<compress::EncodeOptions>(argc - 1, argv + 1, spec, compress::run_encode);
  if (what == "decode")
    return run_tool<compress::DecodeOptions>(argc - 1, argv + 1, spec, compress::run_decode);
  if ((what != "make" && what != "archive") || argc < 4) return 2;
  try {
    if (what == "archive")
      make_archive(argv[2], argv[3], std::span(argv, static_cast<std::size_t>(argc)).subspan(4));
    else make(argv[2], argv[3], argc > 4 ? argv[4] : "");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
