#include "tools/compress/options.hpp"

#include "tools/frame/shared_options.hpp"

namespace logpx::compress {

void EncodeOptions::describe(Fields& f) {
  f.add("operand", operands,
        "the model if there is one, then files or folders; - or none: stdin to stdout")
      .metavar("MODEL|FILE")
      .positional()
      .files("* of model");
  describe_output(f, output, "one archive of all files, not one of each; - is stdout", {{"lpx"}});
  f.add("output-dir", output_dir, "where the archives go").metavar("DIR").external();
  f.add("suffix", suffix, "what their names end with").metavar("SUF").external().rank(Rank::manual);
  f.add("rm", remove, "remove a file once its archive is checked").external();
  describe_coding(f);
  f.add("keep-deflate", keep_deflate, "code DEFLATE streams as they are, not what they hold")
      .about(
          "Files of gzip, zip and PNG, PDF and many more are DEFLATE inside, in which nothing can "
          "be found again. What such streams hold is coded in their place, with what it takes to "
          "make the very streams of it. This option leaves them closed, which is faster.")
      .unless({[this] { return effort == archive::Effort::fast; }, "--effort fast"})
      .rank(Rank::manual);
  f.group("coding with the model");
  knobs.describe(f);
}

void EncodeOptions::describe_coding(Fields& f) {
  f.group("coding");
  f.add("fallback-only", fallback_only, "use the adaptive coder alone: no operand is a model")
      .about(
          "It says that the first operand is no model, where it might be taken for one. Such "
          "archives need no model to be read.");
  f.add("model-only", model_only, "code what the model can by it alone, even where that is longer")
      .rank(Rank::manual);
  using archive::Effort;
  f.add("effort", effort,
        {{"fast", Effort::fast, "few contexts: the fastest"},
         {"normal", Effort::normal, "the usual ones"},
         {"best", Effort::best, "all of them: the shortest, and slow"}},
        "how long the adaptive coder looks for a short code")
      .about("Decoding takes about as long as encoding did.");
  f.add("prime", prime, "a file or folder like those to come, which is read before coding")
      .about(
          "For small files of one kind, which alone are too short to learn from. Of a folder all "
          "files are read by their names, at most the last 16 MiB. Decoding needs the same bytes, "
          "unless --embed-model puts them into the archive.")
      .metavar("FILE|FOLDER")
      .rank(Rank::manual);
  f.add("store", store, "store files as they are, without coding").rank(Rank::manual);
  f.add("pixels", pixels, "keep the pixels of foreign PNG files, not their bytes")
      .rank(Rank::manual);
  f.add("dataset", dataset, "files are datasets (FILE.h5:SPLIT); their rows are coded")
      .about(
          "The archive holds rows, and decodes to a file in the format IDX. It is the way to learn "
          "what a model saves on a test split without writing that split as a file first.");
  rows.describe(f, "code").limit.rank(Rank::manual);
  f.add("as-set", as_set, "code the rows as a set, without their order")
      .about(
          "For rows of which nobody asks which was the first. They come back ascending, and of a "
          "molecule the one numbering that stands for all, which saves the bits that order and "
          "numbering take: log2 N! for N different rows, 18 for each molecule of QM9. The archive "
          "is the same in whatever order the rows were. A set is one block, coded by one thread; "
          "--block-items cuts smaller ones, between which order is paid for.");
  f.add("embed-model", embed_model, "put the model, and what --prime names, into the archive")
      .about(
          "Without it the archive is shorter, and whoever reads it needs the very same model. It "
          "pays where one archive holds much, or where the model might get lost.");
  f.add("block-items", block_items, "items of a block")
      .range(0, 1 << 24)
      .shows_default("512, or 2^20 symbols; 16 MiB if mixed or a set")
      .rank(Rank::manual);
  f.add("lanes", lanes, "states of the coder in a block of the model: 1, 2, 4 or 8")
      .range(1, 8)
      .rank(Rank::manual);
  f.add("verify", verify, "decode every block before it is written")
      .about(
          "It takes about as long as coding does. Without it a block that this machine codes "
          "wrongly, by a fault of its memory for instance, is only found when somebody decodes it.")
      .external();
  f.add("times", times, "keep time and mode of each file, in the archive and on it")
      .rank(Rank::manual);
  f.add("selftest", selftest, "check the numerics of this build, and stop")
      .rank(Rank::manual)
      .external()
      .stands_alone();
}

void DecodeOptions::describe(Fields& f) {
  f.add("operand", operands,
        "the model if one is needed, then archives; - or none: stdin to stdout")
      .metavar("MODEL|FILE.lpx")
      .positional()
      .files("*.{lpx,h5} of model");
  describe_output(f, output, "all content joined in one output; - is stdout", {{}, "to"});
  f.add("output-dir", output_dir, "give every member its own file below DIR, under its own path")
      .metavar("DIR")
      .external();
  f.add("member", members, "only this member, by name, folder or number; may repeat")
      .metavar("NAME|N")
      .external();
  f.add("suffix", suffix, "what the archives' names end with").metavar("SUF").external();
  f.add("restore-name", restore_name, "give files the last part of the names stored in the archive")
      .external()
      .rank(Rank::manual);
  f.add("times", times, "give files the time and mode stored in the archive").external();
  f.add("rm", remove, "remove an archive once it is decoded and checked").external();
  using archive::OutputForm;
  f.add("to", to,
        {{"same", OutputForm::same, "as it was packed"},
         {"idx", OutputForm::idx, "that of MNIST"},
         {"npy", OutputForm::npy, "that of NumPy"},
         {"png", OutputForm::png, "pictures, compressed"},
         {"pnm", OutputForm::pnm, "pictures, plain"}},
        "arrays or pixels in another format");
  f.group("instead of decoding");
  f.add("test", test, "decode and check everything, write nothing").external();
  f.add("list", list, "tell what is inside; with -v also how it is coded").external();
  f.group("model");
  f.add("model-path", model_path, "folders, split by colons, to look for a model by its identity")
      .metavar("DIRS")
      .shows_default("$LOGPX_MODEL_PATH")
      .external()
      .rank(Rank::manual);
  f.add("prime", prime, "what the encoder was given as --prime").metavar("FILE|FOLDER").external();
  f.add("trust-embedded-model", trust_embedded_model, "use a model that the archive brings along")
      .external();
  f.group("limits");
  f.add("max-output", max_output, "stop when more than this would come out")
      .shows_default("none; 4 GiB with --test")
      .external();
  f.add("selftest", selftest, "check the numerics of this build, and stop")
      .rank(Rank::manual)
      .external()
      .stands_alone();
}

}  // namespace logpx::compress
