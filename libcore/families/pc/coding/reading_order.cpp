// Messages of a tree whose variables come in a given order. All messages from what has been read
// point to where the reader is; when it goes on, only those between the old place and the new one
// turn round. What has not been read yet counts as 1 and is left out.   [pc/README 10.3]
#include "libcore/base/index.hpp"
#include "libcore/families/pc/coding/filter_plan.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr std::size_t most_actions = std::size_t{1} << 22;

class ReadingOrder {
 public:
  explicit ReadingOrder(const PassPlan& passes);

  // False if that takes too many actions.
  [[nodiscard]] bool read(std::span<const int> order);
  [[nodiscard]] std::vector<FilterAction> take_actions() { return std::move(actions_); }
  [[nodiscard]] std::int64_t rows() const { return rows_; }

 private:
  struct Node {
    int parent = -1;
    std::int64_t unread = 0, variables = 0;  // at this block and below
    // Rows where its messages are made, and rows that hold them now; -1: none yet. `read` is the
    // product of the messages of children that have been read to their ends.
    std::int64_t own_down = -1, own_up = -1, own_read = -1;
    std::int64_t down = -1, up = -1, read = -1;
    // Rows of leaves that a sum mixes, one behind the other.
    std::int64_t leaves_down = -1, leaves_up = -1;
  };

  [[nodiscard]] Node& node(int b) { return nodes_[at(b)]; }
  [[nodiscard]] std::int64_t size(int b) const { return passes_.block(b).size; }
  [[nodiscard]] bool is_sum(int b) const { return passes_.block(b).kind == BlockKind::sum; }
  std::int64_t row(std::int64_t& own, std::int64_t size);
  void add(FilterAction action) { actions_.push_back(action); }
  // Sends messages down to where a variable is coded, then codes its symbol.
  void go_down(int home);
  void step_down(int above, int below);
  // Observes a variable's symbol and sends messages up to the first block above the next variable.
  void go_up(int home, int next_home);
  void make_up(int b);
  void tell(int home);
  // Multiplies these rows; returns where the product lies.
  std::int64_t meet(const std::vector<std::int64_t>& factors, std::int64_t& own, std::int64_t size);
  void mark_above(int home);

  const PassPlan& passes_;
  std::vector<Node> nodes_;
  std::vector<int> homes_;  // by variable: the block whose leaves are coded together
  std::vector<int> above_;  // by block: the last home found below it
  std::vector<FilterAction> actions_;
  std::int64_t rows_ = 0;
};

ReadingOrder::ReadingOrder(const PassPlan& passes)
    : passes_(passes),
      nodes_(passes.circuit().blocks.size()),
      homes_(passes.circuit().variables.size(), -1),
      above_(passes.circuit().blocks.size(), -1) {
  for (const int b : passes.head())
    for (const int child : passes.block(b).children) node(child).parent = b;
  for (const int b : passes.head()) {
    const Block& block = passes.block(b);
    if (block.kind != BlockKind::leaf && block.kind != BlockKind::indicator) continue;
    const int parent = node(b).parent;
    int& home = homes_[at(block.variable)];
    const bool first = home < 0;
    home = parent >= 0 && is_sum(parent) ? parent : b;
    for (int a = home; first && a >= 0; a = node(a).parent) ++node(a).variables;
  }
  for (Node& n : nodes_) n.unread = n.variables;
}

// The first of a node's rows, which are reserved on first use.
std::int64_t ReadingOrder::row(std::int64_t& own, std::int64_t size) {
  if (own < 0) {
    own = rows_;
    rows_ += size;
  }
  return own;
}

bool ReadingOrder::read(std::span<const int> order) {
  const int root = passes_.circuit().root;
  node(root).down = row(node(root).own_down, size(root));  // the first row is a 1
  int before = -1;
  for (const int variable : order) {
    const int home = homes_[at(variable)];
    if (before >= 0) go_up(before, home);
    go_down(home);
    before = home;
    if (actions_.size() > most_actions) return false;
  }
  return true;
}

void ReadingOrder::mark_above(int home) {
  for (int b = home; b >= 0; b = node(b).parent) above_[at(b)] = home;
}

void ReadingOrder::go_down(int home) {
  std::vector<int> path;
  for (int b = home; b >= 0; b = node(b).parent) path.push_back(b);
  std::ranges::reverse(path);
  // Blocks above both this variable and the last one already have their message.
  std::size_t i = 0;
  while (i + 1 < path.size() && node(path[i + 1]).down >= 0) ++i;
  for (; i + 1 < path.size(); ++i) step_down(path[i], path[i + 1]);
  std::int64_t belief = node(home).down;
  if (is_sum(home)) {
    std::int64_t nodes = 0;
    for (const int leaf : leaves_of(passes_.circuit(), home)) nodes += size(leaf);
    const std::int64_t to = row(node(home).leaves_down, nodes);
    add({.kind = FilterAction::Kind::down, .block = home, .from = belief, .to = to, .size = nodes});
    belief = to;
  }
  add({.kind = FilterAction::Kind::code, .block = home, .from = belief});
}

void ReadingOrder::step_down(int above, int below) {
  Node& from = node(above);
  Node& to = node(below);
  if (is_sum(above)) {
    to.down = row(to.own_down, size(below));
    return add({.kind = FilterAction::Kind::down,
                .block = above,
                .from = from.down,
                .to = to.down,
                .size = size(below)});
  }
  std::vector<std::int64_t> factors = {from.down};
  if (from.read >= 0) factors.push_back(from.read);
  for (const int beside : passes_.block(above).children) {
    const Node& n = node(beside);
    if (beside != below && n.unread > 0 && n.unread < n.variables) factors.push_back(n.up);
  }
  to.down = meet(factors, to.own_down, size(below));
}

std::int64_t ReadingOrder::meet(const std::vector<std::int64_t>& factors, std::int64_t& own,
                                std::int64_t size) {
  std::int64_t product = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i) {
    const std::int64_t to = row(own, size);
    add({.kind = FilterAction::Kind::meet,
         .from = product,
         .with = factors[i],
         .to = to,
         .size = size});
    product = to;
  }
  return product;
}

void ReadingOrder::tell(int home) {
  Node& n = node(home);
  std::int64_t nodes = 0;
  for (const int leaf : leaves_of(passes_.circuit(), home)) nodes += size(leaf);
  const std::int64_t told = is_sum(home) ? row(n.leaves_up, nodes) : row(n.own_up, nodes);
  add({.kind = FilterAction::Kind::tell, .block = home, .to = told, .size = nodes});
  n.up = told;
  if (!is_sum(home)) return;
  n.up = row(n.own_up, size(home));
  add({.kind = FilterAction::Kind::up,
       .block = home,
       .from = told,
       .to = n.up,
       .size = size(home)});
}

void ReadingOrder::make_up(int b) {
  Node& n = node(b);
  if (is_sum(b)) {
    n.up = row(n.own_up, size(b));
    return add({.kind = FilterAction::Kind::up,
                .block = b,
                .from = node(passes_.block(b).children[0]).up,
                .to = n.up,
                .size = size(b)});
  }
  std::vector<std::int64_t> factors;
  if (n.read >= 0) factors.push_back(n.read);
  for (const int child : passes_.block(b).children) {
    const Node& c = node(child);
    if (c.unread > 0 && c.unread < c.variables) factors.push_back(c.up);
  }
  n.up = meet(factors, n.own_up, size(b));
}

void ReadingOrder::go_up(int home, int next_home) {
  mark_above(next_home);
  for (int b = home; b >= 0; b = node(b).parent) --node(b).unread;
  tell(home);
  for (int b = home; above_[at(b)] != next_home;) {
    node(b).down = -1;
    const int parent = node(b).parent;
    if (Node& p = node(parent); !is_sum(parent) && node(b).unread == 0)
      p.read = p.read < 0 ? node(b).up : meet({p.read, node(b).up}, p.own_read, size(parent));
    b = parent;
    if (above_[at(b)] != next_home) make_up(b);
  }
}

}  // namespace

std::optional<FilterPlan> FilterPlan::of_order(const PassPlan& passes, std::span<const int> order) {
  for (const Block& block : passes.circuit().blocks)
    if (block.kind == BlockKind::product && block.product == ProductKind::kronecker)
      return std::nullopt;
  ReadingOrder reading(passes);
  if (!reading.read(order)) return std::nullopt;
  return FilterPlan(passes, reading.take_actions(), order, reading.rows());
}

}  // namespace logpx::pc
