#include "formats/import/options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

namespace logpx {
namespace {

// The heading of an option and those behind it: the formats that take it.
void head(Fields& fields, const char* option) {
  fields.group(join_text(formats_with(option), ", "));
}

void describe_arrays(ImportOptions& o, Fields& f) {
  head(f, "members");
  f.add("members", o.members, "in archives, only files whose path matches, such as '*.png'")
      .metavar("PATTERN")
      .rank(Rank::manual);
  head(f, "labels");
  f.add("labels", o.labels, "file of labels, one for each input")
      .metavar("FILE")
      .external()
      .files("*");
  head(f, "shape");
  f.add("shape", o.shape, "shape of one example; the values are then pixels 0..255")
      .about(
          "Models of pictures read which values are neighbours from it. Height and width alone are "
          "grey, H,W,3 is RGB with the channels of a pixel side by side.")
      .metavar("H,W,C");
  head(f, "content");
  f.add("content", o.content,
        {{"auto", Reading::by_rank,
          "image for u1 of rank 3 or 4, symbols for whole numbers, else vector"},
         {"image", Reading::image, "pictures, channels last"},
         {"vector", Reading::vector, "real numbers or levels, each for itself"},
         {"symbols", Reading::symbols, "symbols of one alphabet, in a row"},
         {"bytes", Reading::bytes, "symbols 0 to 255"}},
        "what the numbers are; auto: images if u1 of rank 3 or 4, symbols if whole, else vectors")
      .rank(Rank::manual);
  f.add("levels", o.levels, "number of values of a symbol")
      .range(2, 65536)
      .shows_default("256; for npy and npz one more than the largest")
      .rank(Rank::manual);
  f.add("standardise", o.standardise,
        "keep mean and deviation of each column: models read (x - mean) / deviation")
      .rank(Rank::manual);
  head(f, "key");
  f.add("key", o.key, "name of the array of examples").metavar("NAME").rank(Rank::manual);
  f.add("label-key", o.label_key, "name of the array of labels").metavar("NAME").rank(Rank::manual);
}

void describe_named(ImportOptions& o, Fields& f) {
  head(f, "coarse");
  f.add("coarse", o.coarse, "CIFAR-100 with its coarse label (the first label byte)")
      .rank(Rank::manual);
  head(f, "var");
  f.add("var", o.var, "variable with the examples")
      .metavar("NAME")
      .shows_default("X")
      .rank(Rank::manual);
  f.add("label-var", o.label_var, "variable with the labels")
      .metavar("NAME")
      .shows_default("y")
      .rank(Rank::manual);
  f.add("axes", o.axes, "what the variable's axes are: letters of n h w c d")
      .metavar("LETTERS")
      .shows_default("nd, hwn or hwcn by rank")
      .rank(Rank::manual);
  f.add("label-map", o.label_map, "labels to rename").metavar("FROM:TO").rank(Rank::manual);
}

void describe_columns(ImportOptions& o, Fields& f) {
  head(f, "columns");
  f.add("columns", o.columns, "names, numbers from 1, ranges 3-9")
      .metavar("a,\"b, c\",5")
      .shows_default("all but the label");
  f.add("type", o.type, "what columns hold, where their cells do not say it")
      .about(
          "Kinds are number, whole, date, word, ordered, id and constant. A date may have a form, "
          "when=date:%d/%m/%Y, and ordered words come in their order, "
          "size=ordered:small<medium<large; zip=word keeps numbers as words, and an id is left "
          "out. In the place of such a list, a file that ends in .json names the columns as "
          "inspect writes them, so that one file is read as another one was.")
      .metavar("A=KIND,...");
  f.add(
       "decimal", o.decimal,
       {{"auto", DecimalMark::by_file, "a comma where fields are cut by ; and some number has one"},
        {".", DecimalMark::point, "1,234.5"},
        {",", DecimalMark::comma, "1.234,5"}},
       "the mark before decimals; the other one stands between thousands")
      .rank(Rank::manual);
  f.add("categorical", o.categorical, "columns of words, of a table for models that read symbols")
      .about(
          "Words are taken without it. With it, a table whose other columns hold whole numbers "
          "from 0 is one of symbols, which train-arm, train-vae and train-vdm read; auto: all "
          "columns that hold words. Files that one model is to read are packed in one go, so that "
          "their "
          "words are the same.")
      .metavar("a,b")
      .rank(Rank::manual);
}

void describe_records(ImportOptions& o, Fields& f) {
  f.add("label-column", o.label_column, "column of the label").metavar("NAME");
  f.add("split-by", o.split_by, "column whose words name the split of each row")
      .about("The rows of a split come together; it is no column of the dataset.")
      .metavar("NAME")
      .rank(Rank::manual);
  f.add("group", o.group, "column whose equal values stay in one split")
      .about(
          "Rows of one patient, say, are no test of a model that has seen the others. Groups come "
          "together, in the order of their first rows or as --shuffle-seed mixes them, and splits "
          "end where a group does; it is no column of the dataset unless --columns names it.")
      .metavar("NAME")
      .rank(Rank::manual);
  f.add("header", o.header, "the first record names the columns").rank(Rank::manual);
  f.add("missing", o.missing,
        {{"auto", Missing::by_content, "keep in tables, error in pictures and symbols"},
         {"error", Missing::error, "stop at the first"},
         {"drop-row", Missing::drop_row, "leave the row out"},
         {"keep", Missing::keep, "keep them: models of tables can ask about them"}},
        "what to do with holes")
      .about(
          "Most models need whole rows. drop-row leaves out those with holes, and what is left is "
          "another table where holes follow a rule. Where they are kept, train-pc learns from what "
          "is there, and query-pc fills the rest.")
      .rank(Rank::manual);
  f.add("na", o.na, "words that mean missing").metavar("WORD,...").rank(Rank::manual);
}

void describe_images(ImportOptions& o, Fields& f) {
  head(f, "size");
  f.add("size", o.size, "size of every example").metavar("WxH");
  f.add("tile", o.tile, "cut into tiles of K x K from the top left, after --size")
      .metavar("K")
      .range(0, 32768)
      .rank(Rank::manual);
  head(f, "fit");
  f.add("fit", o.fit,
        {{"none", Fit::none, "not at all: they must have it"},
         {"crop", Fit::crop, "cut the middle out"},
         {"pad", Fit::pad, "add a border of black"},
         {"stretch", Fit::stretch, "scale either side"},
         {"reject", Fit::reject, "leave them out"}},
        "to reach --size")
      .about(
          "crop keeps proportions and loses borders; pad keeps all and adds black; stretch changes "
          "proportions. Sizes are changed by averages over areas in whole numbers, so that the "
          "pixels are the same on every machine.");
  f.add("crop", o.crop, "cut this rectangle first").metavar("X,Y,W,H").rank(Rank::manual);
  f.add("gray", o.gray, "make grey (BT.601, integers)").rank(Rank::manual);
  f.add("rgb", o.rgb, "make RGB").rank(Rank::manual);
  f.add("labels-from", o.labels_from,
        {{"none", LabelsFrom::none, "no labels"},
         {"dir", LabelsFrom::dir, "the folder of a picture is its class"}},
        "dir: the folder of a picture is its class")
      .rank(Rank::manual);
  f.add("alpha", o.alpha,
        {{"refuse", Alpha::refuse, "stop: nothing is lost silently"},
         {"drop", Alpha::drop, "leave the channel out"},
         {"black", Alpha::black, "lay pictures on black"},
         {"white", Alpha::white, "lay pictures on white"}},
        "what to do with transparency")
      .rank(Rank::manual);
  f.add("to-8bit", o.to_8bit, "take the upper 8 of 16 bits").rank(Rank::manual);
  f.add("skip-bad", o.skip_bad, "leave out files that are not pictures").rank(Rank::manual);
}

void describe_molecules(ImportOptions& o, Fields& f) {
  head(f, "vocab");
  f.add("vocab", o.vocab, "which atoms: auto, qm9, zinc250k, C,N,O or a file")
      .about(
          "auto takes what occurs, with charges, so that every molecule comes back as it was. qm9 "
          "(C N O F, up to 9 atoms) and zinc250k (C N O F P S Cl Br I, up to 38) are what papers "
          "train on: atoms without charges. A dataset or a model gives its own atoms, which files "
          "that its models are to read must have; another file lists them, a line each.")
      .metavar("ATOMS");
  f.add("vocab-charges", o.vocab_charges,
        "atoms of another charge, or of more or fewer hydrogens than usual, are kinds of their own")
      .shows_default("with --vocab auto")
      .rank(Rank::manual);
  f.add("max-atoms", o.max_atoms, "leave out molecules of more atoms")
      .range(1, 254)
      .metavar("N")
      .shows_default("9 for qm9, 38 for zinc250k, else the most that occur, up to 100")
      .rank(Rank::manual);
  f.add("column", o.column, "of the table: its name, or its number from 1")
      .metavar("NAME")
      .shows_default("the one called smiles")
      .rank(Rank::manual);
  f.add("fragments", o.fragments,
        {{"reject", Fragments::reject, "leave them out"},
         {"largest", Fragments::largest, "take the part of the most atoms, such as a salt's"},
         {"keep", Fragments::keep, "as they are"}},
        "what to do with molecules of several parts")
      .rank(Rank::manual);
  f.add("on-bad", o.on_bad,
        {{"skip", OnBad::skip, "leave it out, count it and say so"},
         {"fail", OnBad::fail, "stop at the first"}},
        "what to do with a line that is no such molecule")
      .rank(Rank::manual);
  f.add("test-index", o.test_index, "rows of the inputs, from 0, that make the split test (JSON)")
      .metavar("FILE")
      .external()
      .files("*.json")
      .rank(Rank::manual);
  f.add("dedupe", o.dedupe, "keep the first of molecules that are the same").rank(Rank::manual);
  f.add("grow", o.grow, "partial molecules: A to B further atoms, of which nothing is known")
      .about(
          "For sample-model --given: each molecule becomes a row for each number of further atoms, "
          "and what may be bound to them is for the model to say.")
      .metavar("A:B")
      .rank(Rank::manual);
}

void describe_text_options(ImportOptions& o, Fields& f) {
  head(f, "alphabet");
  f.add("alphabet", o.alphabet, "text27, bytes, auto, or a file of characters")
      .about(
          "Fewer symbols make smaller models, which train faster. auto takes the characters that "
          "occur; bytes takes any file, and log p is then that of its bytes.");
  f.add("tokens", o.tokens,
        "subword tokens in the place of letters: N of them learned, or those of a dataset")
      .metavar("sentencepiece:N|FILE.h5")
      .rank(Rank::manual);
  f.add("normalize", o.normalize,
        {{"none", Normalize::none, "as it is"},
         {"text8", Normalize::text8, "letters a to z and single spaces, as text8 has them"}},
        "text8: make it a to z and single spaces")
      .rank(Rank::manual);
  f.add("split-chars", o.split_chars, "cut by characters, before blocking")
      .metavar("NAME:COUNT,...")
      .rank(Rank::manual);
  head(f, "block");
  f.add("block", o.block, "length of one example")
      .range(1, 1 << 24)
      .metavar("L")
      .rank(Rank::manual);
  f.add("drop-last", o.drop_last, "leave out a block that is not full").rank(Rank::manual);
  head(f, "per-file");
  f.add("per-file", o.per_file, "begin a block with every file").rank(Rank::manual);
}

}  // namespace

void ImportOptions::describe(Fields& fields) {
  describe_arrays(*this, fields);
  describe_named(*this, fields);
  describe_columns(*this, fields);
  describe_records(*this, fields);
  describe_images(*this, fields);
  describe_molecules(*this, fields);
  describe_text_options(*this, fields);
}

void check_used(const Fields& fields, const ImportFormat& format) {
  for (const Field& field : fields.all()) {
    const std::vector<std::string> owners = formats_with(field.name());
    if (!field.given() || owners.empty() || format.takes(field.name())) continue;
    fail(ErrorKind::usage, "",
         field.option() + " is not an option of " + std::string(format.word) + " (" +
             join_text(owners, ", ") + (owners.size() == 1 ? " has it)" : " have it)"));
  }
}

void check_consistent(const ImportOptions& o, const ImportFormat& format) {
  const auto refuse = [](bool wrong, const char* message) {
    if (wrong) fail(ErrorKind::usage, "", message);
  };
  refuse(o.gray && o.rgb, "--gray and --rgb exclude each other");
  refuse(o.fit != Fit::none && o.size.empty(), "--fit needs --size");
  refuse(!o.crop.empty() && o.crop.size() != 4, "--crop wants X,Y,W,H");
  refuse(format.word == "csv" && !o.shape.empty() && o.content != Reading::by_rank &&
             o.content != Reading::image,
         "--shape makes images; --content says otherwise");
  refuse(o.missing == Missing::keep && !o.shape.empty(),
         "--missing keep has no value for a missing pixel; leave out --shape");
  const bool words = !o.categorical.empty(), types = !o.type.empty();
  const bool numbers = !o.shape.empty() || o.levels || o.content != Reading::by_rank;
  refuse((types || o.decimal != DecimalMark::by_file) && (numbers || words),
         "--type and --decimal are for tables as they are, without --categorical, --shape, "
         "--levels and --content");
  refuse(words && !o.shape.empty(), "--categorical makes a table, and --shape images");
  refuse(words && o.content != Reading::by_rank && o.content != Reading::symbols,
         "--categorical makes a table; --content says otherwise");
  refuse(!o.split_by.empty() && !o.group.empty(), "--split-by and --group exclude each other");
  refuse((!o.split_by.empty() || !o.group.empty()) && (words || numbers),
         "--split-by and --group are for tables as they are, without --categorical, --shape, "
         "--levels and --content");
  refuse(o.alphabet != "text27" && !o.tokens.empty(),
         "--tokens stands in the place of --alphabet: choose one of them");
  refuse(o.alphabet != "text27" && o.normalize != Normalize::none,
         "--normalize text8 makes alphabet text27, --alphabet says otherwise");
}

}  // namespace logpx
