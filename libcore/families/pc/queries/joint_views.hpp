// What the nodes of a joint leaf say of each of its variables, given all others of the leaf.
// [pc/README 9.2]
#pragma once

#include "libcore/families/pc/leaves/joint_gaussian.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

struct JointView {
  double nats = 0;                  // the log-density of a value that is there
  SeenGaussian::Normal given = {};  // of the variable; in a region its mean and deviation there
};

// For rows with the same holes.
class JointViews {
 public:
  // q: the parameters of all nodes.
  JointViews(std::int64_t variables, std::span<const double> q, const SeenPlaces& places);

  // Views of a row by every node, [variables, nodes].
  void of_row(std::span<const double> x, std::span<JointView> views) const;

 private:
  // A node, and where a region is known the same without each of the seen values.
  struct Node {
    SeenGaussian whole;
    std::vector<SeenGaussian> without = {};  // by place in seen
  };
  void view_without(const Node& node, std::size_t seen, std::span<const double> x,
                    JointView& view) const;

  std::int64_t variables_;
  SeenPlaces places_;
  std::vector<SeenPlaces> places_without_ = {};
  std::vector<Node> nodes_;
};

}  // namespace logpx::pc
