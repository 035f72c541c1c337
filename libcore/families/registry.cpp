#include "libcore/families/registry.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/arm/family.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vdm/family.hpp"

#include <algorithm>

namespace logpx {
namespace {

std::vector<Family>& list() {
  static std::vector<Family> all = {vae::family(), kaem::family(), vdm::family(), pc::family(),
                                    arm::family()};
  return all;
}

std::vector<Family>::const_iterator entry_of(const std::string& name) {
  return std::find_if(list().begin(), list().end(),
                      [&](const Family& family) { return family.name == name; });
}

}  // namespace

const std::vector<Family>& families() { return list(); }

const Family& find_family(const std::string& name) {
  if (const auto found = entry_of(name); found != list().end()) return *found;
  std::vector<std::string> known;
  for (const Family& family : list()) known.push_back(family.name);
  fail(ErrorKind::data, "family " + name,
       "is not known here; there are: " + (known.empty() ? "none" : join_text(known, ", ")));
}

std::string families_with(Capability capability) {
  std::vector<std::string> names;
  for (const Family& family : list())
    if (std::ranges::find(family.capabilities, capability) != family.capabilities.end())
      names.push_back(family.name);
  return join_text(names, ", ");
}

void register_family(Family family) {
  LOGPX_ASSERT(entry_of(family.name) == list().end());
  list().push_back(std::move(family));
}

}  // namespace logpx
