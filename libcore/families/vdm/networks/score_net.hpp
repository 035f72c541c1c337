// eps_hat(z, gamma), the noise in z, as nodes of a graph. Networks that learn add z to the output
// of their last layer, which starts at zero: at first all of z is taken for noise.
// [VDM sec. 3.3, app. B; vdm/README 8.1]
#pragma once

#include "libcore/families/vdm/networks/net_options.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/model/model.hpp"
#include "libcore/nn/resnet.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace logpx::vdm {

// Inputs of the graph, by their names.
struct NetInputs {
  Var z, gamma;  // [M,D] of the variance-preserving process, channels first; [M]
  // Only of some networks: "label" [M], a class, or the number of classes for none; "changed" [M],
  // 1 where augmentation has changed the picture.
  std::optional<Var> label = {}, changed = {};
};

struct NetForm {
  NetOptions options;
  Extents extents;
  std::vector<int> exponents;  // of Fourier features
  Endpoints ends;              // of the schedule that training began with: gamma is read as a
                               // share of the way between them
  std::int64_t classes = 0;
  bool marks_changes = false;
};

class ScoreNet {
 public:
  virtual ~ScoreNet() = default;
  [[nodiscard]] virtual Var operator()(const ParamSet& params, const NetInputs& in,
                                       BlockPass pass) const = 0;
};

// Networks put their tensors at the site; picture_net gives them the names of VDM's code (dense0,
// conv_in, down, mid, up, out, conv_out), and label.
[[nodiscard]] std::unique_ptr<const ScoreNet> picture_net(const Site& site, const NetForm& form);
// Layers [z, Fourier features, 2t - 1, label] -> hidden ... -> D.
[[nodiscard]] std::unique_ptr<const ScoreNet> dense_net(const Site& site, const NetForm& form);

}  // namespace logpx::vdm
