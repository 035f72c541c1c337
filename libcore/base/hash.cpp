#include "libcore/base/hash.hpp"

#include "libcore/base/error.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace logpx {

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  Context() = default;
  ~Context() { EVP_MD_CTX_free(handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  LOGPX_ASSERT(context_->handle != nullptr &&
               EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  LOGPX_ASSERT(EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  LOGPX_ASSERT(EVP_DigestFinal_ex(context_->handle, digest.data(), &size) == 1);
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_hex(std::string_view text) { return sha256_hex(std::as_bytes(std::span(text))); }

void ContentHash::add(std::string_view path, std::string_view type,
                      std::span<const std::int64_t> shape, std::string_view sha256) {
  std::string text = std::string(path) + ' ' + std::string(type) + ' ';
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : "x") + std::to_string(shape[i]);
  text += ' ' + std::string(sha256) + '\n';
  lines_.push_back({std::string(path), std::move(text)});
}

std::string ContentHash::text() const {
  std::vector<Line> sorted = lines_;
  std::sort(sorted.begin(), sorted.end(),
            [](const Line& a, const Line& b) { return a.path < b.path; });
  std::string text;
  for (const Line& line : sorted) text += line.text;
  return text;
}

std::string first_difference(std::string_view a, std::string_view b) {
  const auto line_of = [](std::string_view text) { return text.substr(0, text.find('\n') + 1); };
  // TYPE, SHAPE and SHA256 hold no space, a path may.
  const auto path_of = [](std::string_view line) {
    for (int field = 0; field < 3; ++field) line = line.substr(0, line.rfind(' '));
    return line;
  };
  while (!a.empty() || !b.empty()) {
    const std::string_view first = line_of(a), second = line_of(b);
    if (first != second) {
      const std::string_view one = path_of(first), other = path_of(second);
      return std::string(second.empty() || (!first.empty() && one < other) ? one : other);
    }
    a.remove_prefix(first.size());
    b.remove_prefix(second.size());
  }
  return "";
}

}  // namespace logpx
