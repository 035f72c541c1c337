#include "formats/number_stream.hpp"

#include "formats/npy.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <numeric>

namespace logpx {
namespace {

static_assert(std::endian::native == std::endian::little);  // what "<f8" says

constexpr std::size_t numbers_per_block = 4096;

std::string array_header(const NumberLayout& layout) {
  std::vector<std::int64_t> shape = {layout.rows};
  shape.insert(shape.end(), layout.row_shape.begin(), layout.row_shape.end());
  return npy_header("<f8", shape);
}

// "z", or "z_1,z_2,..", the last place fastest.
std::string csv_header(const NumberLayout& layout) {
  std::vector<std::string> names = {layout.name};
  for (const std::int64_t size : layout.row_shape) {
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (std::int64_t i = 1; i <= size; ++i) longer.push_back(name + '_' + std::to_string(i));
    names = std::move(longer);
  }
  std::string line;
  for (const std::string& name : names) line += (line.empty() ? "" : ",") + name;
  return line + '\n';
}

std::string csv_rows(std::span<const double> numbers, std::size_t columns) {
  std::string text;
  text.reserve(numbers.size() * 20);
  char digits[32];
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto end = std::to_chars(digits, digits + sizeof digits, numbers[i]).ptr;
    text.append(digits, end);
    text += (i + 1) % columns == 0 ? '\n' : ',';
  }
  return text;
}

}  // namespace

NumberStream::NumberStream(const std::string& target, Overwrite overwrite,
                           const NumberLayout& layout)
    : payload_(target, overwrite, layout.form == NumberFormat::csv ? Matter::text : Matter::bytes),
      form_(layout.form),
      columns_(at(std::accumulate(layout.row_shape.begin(), layout.row_shape.end(), std::int64_t{1},
                                  std::multiplies<>()))) {
  const std::string header = form_ == NumberFormat::npy ? array_header(layout) : csv_header(layout);
  payload_.write(std::as_bytes(std::span(header)));
}

void NumberStream::append(std::span<const double> rows, Workers& workers) {
  LOGPX_ASSERT(rows.size() % columns_ == 0);
  if (form_ == NumberFormat::npy) return payload_.write(std::as_bytes(rows));
  const std::size_t block = std::max<std::size_t>(numbers_per_block / columns_, 1) * columns_;
  std::vector<std::string> texts((rows.size() + block - 1) / block);
  workers.run(std::ssize(texts), [&](std::int64_t b) {
    const std::size_t begin = at(b) * block;
    texts[at(b)] = csv_rows(rows.subspan(begin, std::min(block, rows.size() - begin)), columns_);
  });
  for (const std::string& text : texts) payload_.write(std::as_bytes(std::span(text)));
}

void NumberStream::commit() { payload_.commit(); }

}  // namespace logpx
