// every-form LONGEST FILE...: whether the form that is found for a file is the best there is. Lines
// of file, its bytes, bytes coded in the groups and forms that are found, these forms, bytes in the
// best form of all, that form, and CPU seconds to find and to code, between tabs. All is of the
// level normal. Every length of rows up to LONGEST, and those that are likely, are tried on parts
// of the file; what is best there, on more, then on all.
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/groups.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace logpx;
using namespace logpx::codec::adaptive;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Tried {
  Form form;
  std::size_t bytes = 0;
};

Bytes content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) fail(ErrorKind::io, name, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// So many parts of whole rows, at equal distances.
Bytes parts_of(const Bytes& data, const Form& form, std::size_t parts, std::size_t size) {
  const std::size_t unit = std::max(form.unit(), form.samples.frame());
  const std::size_t length = size / unit * unit;
  if (parts * length >= data.size() || length == 0) return data;
  Bytes joined;
  for (std::size_t i = 1; i <= parts; ++i) {
    const std::size_t at = (data.size() - length) / (parts + 1) * i / unit * unit;
    joined.insert(joined.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                  data.begin() + static_cast<std::ptrdiff_t>(at + length));
  }
  return joined;
}

// Those that code such parts best, the best first.
std::vector<Tried> best_of(const std::vector<Form>& forms, const Bytes& data, std::size_t parts,
                           std::size_t size, std::size_t most) {
  std::vector<Tried> tried;
  std::size_t least = data.size() + 64;
  for (const Form& form : forms) {
    const Bytes part = parts_of(data, form, parts, size);
    if (!fits(form, part.size())) continue;
    const std::size_t share = std::min(data.size(), parts * size);
    const std::size_t bytes = encode(part, form, Level::normal, least + least / 4).size();
    tried.push_back({form, bytes * share / part.size()});
    least = std::min(least, tried.back().bytes);
  }
  std::ranges::stable_sort(tried, {}, &Tried::bytes);
  if (tried.size() > most) tried.resize(most);
  return tried;
}

std::vector<Form> without_rows() {
  std::vector<Form> forms = {{},
                             {Kind::molecules},
                             {Kind::dna},
                             {Kind::x86_code},
                             {Kind::arm_code},
                             {Kind::records, 0, 0}};
  constexpr std::uint8_t widths[] = {1, 2, 3}, counts[] = {1, 2, 3, 4, 6, 8, 12, 16};
  for (const std::uint8_t bytes : widths)
    for (const auto order : {ByteOrder::little, ByteOrder::big})
      for (const auto sign : {Sign::none, Sign::highest_bit})
        for (const std::uint8_t channels : counts)
          for (std::uint32_t offset = 0; offset < bytes; ++offset)
            if (bytes > 1 || order == ByteOrder::little)
              forms.push_back({Kind::samples, 0, 0, {channels, bytes, order, sign, offset}});
  return forms;
}

// Rasters and samples in these rows.
std::vector<Form> in_rows(const std::vector<Tried>& rows, const std::vector<Tried>& others) {
  std::vector<Form> forms;
  for (const auto& [form, bytes] : rows) {
    const std::uint32_t row = form.row;
    forms.push_back(form);
    if (row < 16) continue;
    forms.push_back({Kind::grey, row, 0});
    forms.push_back({Kind::bits, row, 0});
    if (row % 3 == 0) forms.push_back({Kind::rgb, row, 0});
    for (const Tried& other : others)
      if (const SampleForm& samples = other.form.samples;
          other.form.kind == Kind::samples && row % samples.frame() == 0)
        forms.push_back({Kind::samples, row, 0, samples});
  }
  return forms;
}

Tried best_form(const Bytes& data, std::uint32_t longest) {
  constexpr std::size_t few = 3 << 12, more = 1 << 14;
  std::vector<Form> rows;
  for (std::uint32_t row = 2; row <= longest; ++row) rows.push_back({Kind::records, row, 0});
  for (const std::uint32_t row : likely_rows(data, 64)) rows.push_back({Kind::records, row, 0});
  const std::vector<Tried> best_rows = best_of(rows, data, 2, few, 32),
                           others = best_of(without_rows(), data, 2, few, 8);
  std::vector<Form> left;
  for (const Tried& tried : best_of(in_rows(best_rows, others), data, 2, few, 24))
    left.push_back(tried.form);
  for (const Tried& tried : others) left.push_back(tried.form);
  std::vector<Form> last;
  for (const Tried& tried : best_of(left, data, 4, more, 6)) last.push_back(tried.form);
  return best_of(last, data, 1, data.size(), 1).front();
}

std::string word_of(const Form& form) {
  static constexpr const char* words[] = {"",     "records", "grey",      "rgb",     "planar",
                                          "bits", "text",    "molecules", "samples", "x86",
                                          "dna",  "",        "arm"};
  std::string word = words[static_cast<std::size_t>(form.kind)];
  if (form.row > 0 || form.kind == Kind::records) word += " " + std::to_string(form.row);
  if (form.plane > 0) word += " / " + std::to_string(form.plane);
  if (form.kind != Kind::samples) return word;
  const auto& [channels, bytes, order, sign, offset] = form.samples;
  return word + " of " + std::to_string(channels) + " x " + std::to_string(bytes) +
         (order == ByteOrder::big ? " big" : " little") + (sign == Sign::none ? "" : " signed") +
         " from " + std::to_string(offset);
}

// All groups coded, each in the form that is the likeliest, and what these are.
std::pair<std::size_t, std::string> coded(const Bytes& data, const Groups& groups) {
  std::vector<Bytes> content(groups.forms.size());
  std::size_t at = 0;
  for (const auto& [bytes, group] : groups.stretches) {
    content[group].insert(content[group].end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                          data.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    at += bytes;
  }
  std::size_t sum = 0;
  std::string words;
  for (std::size_t i = 0; i < content.size(); ++i) {
    sum += encode(content[i], groups.forms[i].front(), Level::normal).size();
    words += (i == 0 ? "" : "; ") + word_of(groups.forms[i].front());
  }
  return {sum, words};
}

void measure(const std::string& name, std::uint32_t longest) {
  const Bytes data = content_of(name);
  const double start = cpu_seconds();
  const Groups groups = find_groups(data, std::vector<std::uint64_t>{data.size()});
  const double found = cpu_seconds();
  const auto [bytes, words] = coded(data, groups);
  const double end = cpu_seconds();
  const Tried best = best_form(data, longest);
  std::printf("%s\t%zu\t%zu\t%s\t%zu\t%s\t%.3f\t%.3f\n",
              std::filesystem::path(name).filename().c_str(), data.size(), bytes, words.c_str(),
              best.bytes, word_of(best.form).c_str(), found - start, end - found);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** names) {
  try {
    const auto longest = static_cast<std::uint32_t>(count > 1 ? std::stoul(names[1]) : 0);
    for (int i = 2; i < count; ++i) measure(names[i], longest);
  } catch (const Error& error) {
    std::fprintf(stderr, "every-form: %s\n", error.what());
    return 1;
  }
}
