// Fuzz target of what is packed: zip, tar and compressed files, whose members are listed, chosen by
// their names and read. The bytes are a container, or an error of data; a name that comes out is
// safe to show.
#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

using namespace logpx;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto container = std::make_shared<const Container>(
        ByteSource("fuzz", std::vector<std::byte>(bytes.begin(), bytes.end())));
    std::size_t member = 0;
    for (const Container::Member& each : container->members()) {
      require(!each.name.empty() && !each.name.starts_with('/') && !each.name.ends_with('/'));
      require(container->chosen("*").size() <= container->members().size());
      (void)container->shown(each);
      ByteSource inside = open_inside(container, member++);
      std::vector<std::byte> buffer(1 << 16);
      std::uint64_t read = 0;
      while (const std::size_t count = inside.read(buffer)) read += count;
      require(read == each.size);
    }
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data || error.kind() == ErrorKind::usage);
  }
  return 0;
}
