#include "tools/archives/prime.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/source_file.hpp"

namespace logpx::compress {
namespace {

archive::ByteVector prime_bytes(const std::string& path) {
  SourceFile file(path, SourceFile::Links::follow);
  archive::ByteVector bytes(archive::max_prime_bytes + 1);
  bytes.resize(file.read(bytes));
  if (bytes.empty()) fail(ErrorKind::data, shown(path), "is empty, so that nothing can be read");
  if (bytes.size() > archive::max_prime_bytes)
    fail(ErrorKind::data, shown(path), "has over 16 MiB, more than can be read first",
         "a part of it may do: head -c 16M");
  return bytes;
}

std::string prime_hash(archive::ByteView bytes) {
  return sha256_hex(bytes).substr(0, prime_digits);
}

}  // namespace

void take_prime(Coding& coding, const std::string& path) {
  if (path.empty()) return;
  coding.prime = prime_bytes(path);
  coding.parameters.prime = prime_hash(coding.prime);
}

void embed_prime(Coding& coding, const BlockSettings& settings) {
  const BlockCoder coder(settings, {.effort = coding.parameters.units.effort});
  BlockFigures ignored;
  coding.embedded_prime =
      coder.encode(coding.prime, archive::view_of_bytes(coding.prime.size()), 0, ignored);
}

void find_prime(Coding& coding, const std::string& path, const archive::ByteVector* embedded) {
  const std::string& wanted = coding.parameters.prime;
  if (wanted.empty() && embedded == nullptr) return;
  if (embedded != nullptr && prime_hash(*embedded) != wanted)
    fail(ErrorKind::data, "embedded prime", "is not the one that the header names");
  const std::string needs = "was coded after a file of SHA-256 " + wanted.substr(0, 8) + "...";
  if (path.empty() && embedded == nullptr)
    fail(ErrorKind::data, "", needs,
         "--prime FILE names it; with --embed-model the encoder puts it inside");
  coding.prime = path.empty() ? *embedded : prime_bytes(path);
  if (const std::string found = prime_hash(coding.prime); found != wanted)
    fail(ErrorKind::data, "", needs + ", but " + shown(path) + " is " + found.substr(0, 8) + "...",
         embedded != nullptr ? "without --prime the one inside is read" : "--prime FILE names it");
}

}  // namespace logpx::compress
