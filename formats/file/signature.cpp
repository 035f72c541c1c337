#include "formats/file/signature.hpp"

#include "formats/import/csv_form.hpp"
#include "formats/import/formats.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/shell_word.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

namespace logpx {
namespace {

// What a file says of itself stands there; only to tell a table, whole lines are looked at.
constexpr std::size_t head_bytes = 512;

bool head_holds(std::string_view first, std::string_view word) {
  return first.substr(0, head_bytes).find(word) != std::string_view::npos;
}

bool starts_tar(std::string_view first) {
  return first.size() > 262 && first.substr(257, 5) == "ustar";
}

bool is_torch(std::string_view first) {
  return first.substr(0, 200).find("/data.pkl") != std::string_view::npos;
}

// The first file of the zip says so: of Word, Excel and the like, or of OpenDocument.
bool is_office(std::string_view first) {
  const auto holds = [&](std::string_view word) { return head_holds(first, word); };
  return holds("[Content_Types].xml") || holds("_rels/.rels") ||
         holds("mimetypeapplication/vnd.oasis.opendocument");
}

constexpr std::string_view table_title = "a table (CSV)";

// Whether it begins with lines of characters in UTF-8.
bool is_text(std::string_view first) {
  int to_come = 0;
  for (const char c : first.substr(0, head_bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xc0U) == 0x80;
    if (continues != (to_come > 0)) return false;
    if (continues) --to_come;
    else if (byte >= 0xf8 || byte == 0x7f) return false;
    else if (byte >= 0xc0) to_come = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    else if (byte < 0x20 && std::string_view("\t\n\r\f").find(c) == std::string_view::npos)
      return false;
  }
  return !first.empty();
}

// As chemists keep molecules with their places; the fourth line counts atoms and bonds.
bool is_sdf(std::string_view first) {
  const auto holds = [&](std::string_view word) { return head_holds(first, word); };
  return is_text(first) && (holds(" V2000") || holds(" V3000"));
}

bool is_table(std::string_view first) {
  return is_text(first) && has_even_lines(first, first.size() < signature_bytes);
}

// An object, or a list that begins with one.
bool is_json(std::string_view first) {
  std::size_t at = 0;
  const auto next = [&] {
    at = first.find_first_not_of(" \t\r\n", at);
    return at < first.size() ? first[at++] : '\0';
  };
  if (!is_text(first)) return false;
  char begin = next();
  if (begin == '[') begin = next();
  const char after = next();
  return begin == '{' && (after == '"' || after == '}' || after == '/' || after == '\0');
}

bool starts_report(std::string_view first) {
  return is_json(first) && head_holds(first, "\"logpx.report/");
}

bool is_history(std::string_view first) {
  return is_json(first) &&
         (head_holds(first, "\"logpx.history/") || first.starts_with("{\"step\""));
}

struct Entry {
  std::string_view magic;        // what the file begins with
  bool (*is)(std::string_view);  // looks further; null: the magic is enough
  Signature signature;
};

std::vector<Entry> of_formats() {
  std::vector<Entry> entries;
  for (const ImportFormat& format : import_formats())
    for (const FirstBytes& first : format.known_by)
      entries.push_back({first.magic,
                         first.is,
                         {first.called, format.word,
                          "pack-data " + std::string(format.word) + " FILE -o OUT.h5"}});
  return entries;
}

// Those of all other files; text, of which there is any kind, comes last.
std::vector<Entry> of_others() {
  return {
      {hdf5_magic, nullptr, {"an HDF5 file", "", "inspect FILE"}},
      {"\x89LPX", nullptr, {"an .lpx archive", "", "bits-back-decode FILE"}},
      {"GIF8", nullptr, {"a GIF picture", "", "make it a PNG first, which pack-data images takes"}},
      {std::string_view("II*\0", 4),
       nullptr,
       {"a TIFF picture", "", "make it a PNG first, which pack-data images takes"}},
      {std::string_view("MM\0*", 4),
       nullptr,
       {"a TIFF picture", "", "make it a PNG first, which pack-data images takes"}},
      {"PK\x03\x04",
       is_torch,
       {.called = "a PyTorch file",
        .format = "",
        .command = "numpy.save writes what pack-data npy takes",
        .document = true}},
      {"PK\x03\x04",
       is_office,
       {.called = "an office document",
        .format = "",
        .command = "save its sheet as CSV, which pack-data csv takes",
        .document = true}},
      {"PK\x03\x04", nullptr, {"a zip archive", "", "pack-data auto FILE -o OUT.h5"}},
      {"\x1f\x8b", nullptr, {"a gzip file", "", "pack-data auto FILE -o OUT.h5"}},
      {"\xfd"
       "7zXZ",
       nullptr,
       {"an xz file", "", "pack-data auto FILE -o OUT.h5"}},
      {"\x28\xb5\x2f\xfd", nullptr, {"a zstd file", "", "pack-data auto FILE -o OUT.h5"}},
      {"BZh", nullptr, {"a bzip2 file", "", "pack-data auto FILE -o OUT.h5"}},
      {"", starts_tar, {"a tar archive", "", "pack-data auto FILE -o OUT.h5"}},
      {"PAR1", nullptr, {"a Parquet table", "", "save it as CSV, which pack-data csv takes"}},
      {"%PDF", nullptr, {"a PDF document", "", ""}},
      {"", starts_report, {"a report (JSON)", "", "plot-report FILE -o OUT.svg"}},
      {"", is_history, {"a training history", "", "plot-report FILE -o OUT.svg"}},
      {"", is_json, {"JSON", "", "save its rows as CSV; settings go to --config FILE"}},
      {"",
       is_sdf,
       {"an SDF of molecules", "",
        "obabel FILE -O OUT.smi makes SMILES of it, which pack-data smiles takes"}},
      {"", is_table, {table_title, "", "pack-data csv FILE -o OUT.h5", true}},
      {"", is_text, {"text", "", "pack-data text FILE -o OUT.h5", true}},
  };
}

const std::vector<Entry>& signatures() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> entries = of_formats();
    std::ranges::move(of_others(), std::back_inserter(entries));
    return entries;
  }();
  return all;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), signature_bytes)};
}

void replace_word(std::string& text, std::string_view word, const std::string& by) {
  if (const std::size_t at = text.find(word); at != std::string::npos)
    text.replace(at, word.size(), by);
}

}  // namespace

const Signature* find_signature(std::span<const std::byte> bytes) {
  const std::string_view first = text_of(bytes);
  for (const Entry& entry : signatures())
    if (first.starts_with(entry.magic) && (entry.is == nullptr || entry.is(first)))
      return &entry.signature;
  return nullptr;
}

bool holds_table(std::span<const std::byte> bytes) {
  const Signature* const found = find_signature(bytes);
  return found != nullptr && found->called == table_title;
}

bool may_be_json(std::span<const std::byte> bytes) {
  const std::string_view first = text_of(bytes);
  const std::size_t start = first.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ||
         std::string_view("{[/").find(first[start]) != std::string_view::npos;
}

std::string command_for(const Signature& signature, const std::string& name) {
  std::string command = signature.command;
  if (name.empty() || name == "stdin") return command;
  const std::string stem = (std::filesystem::path(name) / "").parent_path().stem().string();
  replace_word(command, "FILE", shell_word(name));
  replace_word(command, "OUT.h5", shell_word(stem + ".h5"));
  replace_word(command, "OUT.svg", shell_word(stem + ".svg"));
  replace_word(command, "OUT.smi", shell_word(stem + ".smi"));
  return command;
}

std::string command_for_folder(const std::string& name) {
  return command_for({"a folder", "", "pack-data auto FILE -o OUT.h5"}, name);
}

void fail_as_foreign(std::span<const std::byte> first, const std::string& name,
                     const std::string& expected, const std::string& hint) {
  const Signature* const found = find_signature(first);
  const std::string kind =
      found == nullptr ? "is not " : "is " + std::string(found->called) + ", not ";
  const bool helps = found != nullptr && hint.empty();
  fail(ErrorKind::data, name, kind + expected, helps ? command_for(*found, name) : hint);
}

}  // namespace logpx
