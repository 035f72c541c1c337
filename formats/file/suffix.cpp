#include "formats/file/suffix.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace logpx {

namespace {

struct KnownFormat {
  const char* title;
  std::vector<std::string_view> suffixes;  // the first is its name
};

// Known suffixes: all that logpx reads or writes, and the formats it is most often asked for.
const std::vector<KnownFormat>& known_formats() {
  static const std::vector<KnownFormat> formats = {
      {"HDF5", {"h5", "hdf5", "hdf", "he5"}},
      {"JSON", {"json"}},
      {"JSON lines", {"jsonl", "ndjson"}},
      {"CSV", {"csv"}},
      {"TSV", {"tsv"}},
      {"plain text", {"txt", "text"}},
      {"SMILES", {"smi", "smiles"}},
      {"Markdown", {"md"}},
      {"HTML", {"html", "htm"}},
      {"XML", {"xml"}},
      {"YAML", {"yaml", "yml"}},
      {"TOML", {"toml"}},
      {"TeX", {"tex"}},
      {"SVG", {"svg", "svgz"}},
      {"PNG", {"png"}},
      {"PDF", {"pdf"}},
      {"PostScript", {"ps", "eps"}},
      {"JPEG", {"jpg", "jpeg", "jpe"}},
      {"JPEG XL", {"jxl"}},
      {"GIF", {"gif"}},
      {"BMP", {"bmp"}},
      {"WebP", {"webp"}},
      {"AVIF", {"avif"}},
      {"TIFF", {"tif", "tiff"}},
      {"PNM", {"pnm", "pgm", "ppm", "pbm", "pam"}},
      {"a Graphviz drawing", {"dot", "gv"}},
      {"a gnuplot script", {"gp", "gnuplot", "gnu", "plt"}},
      {"npy", {"npy"}},
      {"npz", {"npz"}},
      {"MATLAB", {"mat"}},
      {"IDX", {"idx"}},
      {"Parquet", {"parquet"}},
      {"Arrow", {"arrow", "feather"}},
      {"a Python pickle", {"pkl", "pickle"}},
      {"PyTorch", {"pt", "pth"}},
      {"safetensors", {"safetensors"}},
      {"ONNX", {"onnx"}},
      {"a spreadsheet", {"xlsx", "xls", "ods"}},
      {"a logpx archive", {"lpx"}},
      {"zip", {"zip"}},
      {"tar", {"tar", "tgz", "txz", "tbz2", "tzst"}},
      {"gzip", {"gz"}},
      {"xz", {"xz"}},
      {"Zstandard", {"zst"}},
      {"bzip2", {"bz2"}},
      {"Brotli", {"br"}},
      {"LZ4", {"lz4"}},
      {"7z", {"7z"}},
      {"RAR", {"rar"}}};
  return formats;
}

// "svg" of "dir/A.SVG"; a name that only begins with a dot has none.
std::string suffix_of(std::string_view path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  if (!suffix.empty()) suffix.erase(0, 1);
  return lower_case(std::move(suffix));
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

std::string titles(const std::vector<std::string>& formats) {
  std::vector<std::string> words;
  for (const std::string& format : formats) words.push_back(format_title(format));
  return listed(words);
}

// "name it a.svg, a.png or a.gp"
std::string better_names(const std::string& path, const std::vector<std::string>& formats) {
  std::filesystem::path name = path;
  if (!promised_format(path).empty()) name.replace_extension();
  std::vector<std::string> names;
  for (const std::string& format : formats) names.push_back(name.string() + '.' + format);
  return "name it " + listed(names);
}

}  // namespace

std::string format_title(std::string_view format) {
  for (const KnownFormat& known : known_formats())
    if (known.suffixes.front() == format) return known.title;
  LOGPX_ASSERT(false);
  return {};
}

std::string promised_format(std::string_view path) {
  const std::string suffix = suffix_of(path);
  for (const KnownFormat& known : known_formats())
    if (std::find(known.suffixes.begin(), known.suffixes.end(), suffix) != known.suffixes.end())
      return std::string(known.suffixes.front());
  return {};
}

std::string format_for(const std::string& path, const FormatChoice& choice) {
  const std::string promised = promised_format(path);
  if (!choice.wanted.empty()) {
    if (promised.empty() || promised == choice.wanted) return choice.wanted;
    fail(ErrorKind::usage, path,
         "the name says " + format_title(promised) + ", but " + choice.option + " asks for " +
             format_title(choice.wanted),
         better_names(path, {choice.wanted}));
  }
  const auto& formats = choice.formats;
  if (formats.empty()) return promised;
  if (std::find(formats.begin(), formats.end(), promised) != formats.end()) return promised;
  if (!promised.empty())
    fail(ErrorKind::usage, path,
         "the name says " + format_title(promised) + ", but this output is " + titles(formats),
         better_names(path, formats));
  // An artifact may have any name: what it is stands in the file.
  const bool artifact = formats.front() == "h5";
  if (formats.size() == 1 || artifact || is_stream(path)) return formats.front();
  fail(ErrorKind::usage, path, "the name does not say whether " + titles(formats) + " is meant",
       better_names(path, formats) +
           (choice.option.empty() ? "" : ", or choose by " + choice.option));
}

FormatChoice format_choice(const Fields& fields, const Field& output) {
  FormatChoice choice{.formats = output.formats()};
  if (output.format_chooser().empty()) return choice;
  choice.option = "--" + output.format_chooser();
  const Field* chooser = fields.find_option(choice.option);
  LOGPX_ASSERT(chooser != nullptr);
  const std::string word = chooser->text();  // "auto" and "same": by the name
  choice.wanted = promised_format("as." + word);
  return choice;
}

}  // namespace logpx
