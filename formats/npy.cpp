#include "formats/npy.hpp"

namespace logpx {

// 64 bytes or a multiple of them, the dictionary filled with blanks.
std::string npy_header(const std::string& type, std::span<const std::int64_t> shape) {
  std::string sizes;
  for (const std::int64_t size : shape)
    sizes += (sizes.empty() ? "" : " ") + std::to_string(size) + ',';
  if (shape.size() > 1) sizes.pop_back();
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  text += '\n';
  const std::string length = {static_cast<char>(text.size() % 256),
                              static_cast<char>(text.size() / 256)};
  return std::string("\x93NUMPY\x01\x00", 8) + length + text;
}

}  // namespace logpx
