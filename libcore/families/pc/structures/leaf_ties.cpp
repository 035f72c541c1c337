#include "libcore/families/pc/structures/leaf_ties.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <map>

namespace logpx::pc {

int LeafTies::set_of(int variable) const {
  switch (tied) {
    case TieLeaves::channel: return variable / static_cast<int>(pixels);
    case TieLeaves::all: return 0;
    case TieLeaves::none: break;
  }
  return variable;
}

void require_alike(const LeafTies& ties, const std::vector<LeafKind>& kinds,
                   const std::vector<Variable>& variables) {
  std::map<int, std::size_t> firsts;
  for (std::size_t v = 0; v < kinds.size(); ++v) {
    const std::size_t first = firsts.try_emplace(ties.set_of(static_cast<int>(v)), v).first->second;
    if (kinds[v] != kinds[first] || variables[v].categories != variables[first].categories)
      fail(ErrorKind::usage, "--tie-leaves",
           std::string("is ") + (ties.tied == TieLeaves::all ? "all" : "channel") + ", and " +
               variables[v].name + " has other values than " + variables[first].name,
           "--tie-leaves none");
  }
}

}  // namespace logpx::pc
