#include "libcore/families/pc/growing/latents.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>

namespace logpx::pc {
namespace {

// Sets of blocks, each known by one of them.
class Sets {
 public:
  explicit Sets(std::size_t blocks) : above_(blocks) { std::iota(above_.begin(), above_.end(), 0); }
  int top(int b) {
    while (above_[at(b)] != b) b = above_[at(b)] = above_[at(above_[at(b)])];
    return b;
  }
  void join(int a, int b) { above_[at(top(a))] = top(b); }

 private:
  std::vector<int> above_;
};

bool joins_children(const Block& block) {
  return block.kind == BlockKind::mixing ||
         (block.kind == BlockKind::product && block.product == ProductKind::hadamard);
}

Sets sets_of(const Circuit& circuit) {
  Sets sets(circuit.blocks.size());
  for (int b = 0; b < static_cast<int>(circuit.blocks.size()); ++b) {
    const Block& block = circuit.blocks[at(b)];
    if (joins_children(block))
      for (const int child : block.children) sets.join(b, child);
    if (block.kind == BlockKind::carry) sets.join(b, circuit.carried);
    if (block.tied_to < 0) continue;
    sets.join(b, block.tied_to);
    for (std::size_t i = 0; i < block.children.size(); ++i)
      sets.join(block.children[i], circuit.blocks[at(block.tied_to)].children[i]);
  }
  return sets;
}

void meet_axis(Latent& latent, std::int64_t axis) {
  latent.axis = latent.axis == 0 || latent.axis == axis ? axis : -1;
}

class Finder {
 public:
  explicit Finder(const Circuit& circuit) : circuit_(circuit), sets_(sets_of(circuit)) {}

  Latents run() {
    number();
    std::vector<int> blocks(found_.all.size());
    std::vector<bool> elements(found_.all.size()), others(found_.all.size());
    for (int b = 0; b < static_cast<int>(circuit_.blocks.size()); ++b) {
      const Block& block = circuit_.blocks[at(b)];
      Latent& latent = of(b);
      ++blocks[at(found_.of_block[at(b)])];
      if (b == circuit_.root || block.kind == BlockKind::indicator) latent.fixed = true;
      if (block.kind != BlockKind::leaf) others[at(found_.of_block[at(b)])] = true;
      if (block.kind == BlockKind::product && !joins_children(block)) latent.joint = b;
      if (block.kind != BlockKind::sum) continue;
      if (block.children.size() > 1)
        for (const int child : block.children) elements[at(found_.of_block[at(child)])] = true;
      if (!block.is_dense()) see_grid(block, latent);
    }
    for (std::size_t i = 0; i < found_.all.size(); ++i) {
      if (elements[i] && !others[i]) found_.all[i].fixed = true;
      if (found_.all[i].joint >= 0 && blocks[i] > 1)
        refuse("has a kronecker product whose states are also those of other blocks");
    }
    return std::move(found_);
  }

 private:
  void number() {
    std::vector<int> numbers(circuit_.blocks.size(), -1);
    for (int b = 0; b < static_cast<int>(circuit_.blocks.size()); ++b) {
      int& number = numbers[at(sets_.top(b))];
      if (number < 0) {
        number = static_cast<int>(found_.all.size());
        found_.all.push_back({.states = circuit_.blocks[at(b)].size});
      }
      found_.of_block.push_back(number);
    }
  }
  [[nodiscard]] Latent& of(int b) { return found_.all[at(found_.of_block[at(b)])]; }
  void see_grid(const Block& block, Latent& latent) {
    if (block.children.size() > 1) refuse("has a Monarch sum of several blocks");
    meet_axis(latent, block.factors.m.back());
    meet_axis(of(block.children[0]), block.factors.n.back());
  }
  [[noreturn]] static void refuse(const std::string& why) {
    fail(ErrorKind::usage, "--init-model", why + ", and its states cannot be copied or left out");
  }

  const Circuit& circuit_;
  Sets sets_;
  Latents found_;
};

}  // namespace

Latents find_latents(const Circuit& circuit) { return Finder(circuit).run(); }

}  // namespace logpx::pc
