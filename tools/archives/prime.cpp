#include "tools/archives/prime.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/source_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace logpx::compress {
namespace {

namespace fs = std::filesystem;
using archive::ByteVector;

// Links may lead anywhere, also back, so what they lead to is not a part of the folder.
void add_files(const fs::path& folder, std::vector<fs::path>& files) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    found.push_back(at->path());
  if (error) fail_errno(shown(folder.string()), error.value());
  std::ranges::sort(found, {}, [](const fs::path& path) { return path.filename().string(); });
  for (const fs::path& path : found) {
    const fs::file_status status = fs::symlink_status(path);
    if (fs::is_directory(status)) add_files(path, files);
    else if (fs::is_regular_file(status)) files.push_back(path);
  }
}

// The end of a file, of at most so many bytes.
ByteVector last_bytes(const std::string& path, std::size_t most) {
  SourceFile file(path, SourceFile::Links::refuse);
  const std::uint64_t size = file.size().value_or(0);
  ByteVector bytes;
  for (std::uint64_t left = size > most ? size - most : 0; left > 0; left -= bytes.size()) {
    bytes.resize(std::min<std::uint64_t>(left, 1u << 20));
    if (file.read(bytes) < bytes.size()) return {};
  }
  bytes.resize(std::min<std::uint64_t>(size, most));
  bytes.resize(file.read(bytes));
  return bytes;
}

ByteVector folder_bytes(const std::string& path) {
  std::vector<fs::path> files;
  add_files(path, files);
  std::vector<ByteVector> parts;  // the last file first
  std::size_t left = archive::max_prime_bytes;
  for (auto file = files.rbegin(); file != files.rend() && left > 0; ++file) {
    parts.push_back(last_bytes(file->string(), left));
    left -= parts.back().size();
  }
  ByteVector bytes;
  bytes.reserve(archive::max_prime_bytes - left);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    bytes.insert(bytes.end(), part->begin(), part->end());
  if (bytes.empty())
    fail(ErrorKind::data, shown(path), "is a folder in which there is nothing to read");
  return bytes;
}

ByteVector file_bytes(const std::string& path) {
  SourceFile file(path, SourceFile::Links::follow);
  ByteVector bytes(archive::max_prime_bytes + 1);
  bytes.resize(file.read(bytes));
  if (bytes.empty()) fail(ErrorKind::data, shown(path), "is empty, so that nothing can be read");
  if (bytes.size() > archive::max_prime_bytes)
    fail(ErrorKind::data, shown(path), "has over 16 MiB, more than can be read first",
         "a part of it may do: head -c 16M");
  return bytes;
}

std::string prime_hash(archive::ByteView bytes) {
  return sha256_hex(bytes).substr(0, archive::prime_digits);
}

}  // namespace

ByteVector read_prime(const std::string& path) {
  return fs::is_directory(path) ? folder_bytes(path) : file_bytes(path);
}

void take_prime(Coding& coding, const std::string& path) {
  if (path.empty()) return;
  coding.prime = read_prime(path);
  coding.parameters.prime = prime_hash(coding.prime);
}

void embed_prime(Coding& coding, const BlockSettings& settings) {
  const BlockCoder coder(settings, {.effort = coding.parameters.units.effort});
  BlockFigures ignored;
  coding.embedded_prime =
      coder.encode(coding.prime, archive::view_of_bytes(coding.prime.size()), 0, ignored);
}

void find_prime(Coding& coding, const std::string& path, const ByteVector* embedded) {
  const std::string& wanted = coding.parameters.prime;
  if (wanted.empty() && embedded == nullptr) return;
  if (embedded != nullptr && prime_hash(*embedded) != wanted)
    fail(ErrorKind::data, "embedded prime", "is not the one that the header names");
  const std::string needs =
      "was coded after a file or folder of SHA-256 " + wanted.substr(0, 8) + "...";
  if (path.empty() && embedded == nullptr)
    fail(ErrorKind::data, "", needs,
         "--prime names it; with --embed-model the encoder puts it inside");
  coding.prime = path.empty() ? *embedded : read_prime(path);
  if (const std::string found = prime_hash(coding.prime); found != wanted)
    fail(ErrorKind::data, "", needs + ", but " + shown(path) + " is " + found.substr(0, 8) + "...",
         embedded != nullptr ? "without --prime the one inside is read" : "--prime names it");
}

}  // namespace logpx::compress
