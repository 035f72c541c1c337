#include "libcore/families/vdm/training/learn_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/vdm/config.hpp"

namespace logpx::vdm {

void LearnOptions::describe(Fields& f, const Config& model) {
  const Condition ends{[&model] { return model.schedule.learn_endpoints.value_or(false); },
                       "--learn-endpoints"},
      fixed{[&model] { return !model.schedule.learns(); }, "a schedule that is not learned"},
      linear{[&model] { return model.net.kind == NetKind::linear_gauss; }, "--net linear-gauss"};
  f.group("objective");
  f.add("weight", weight,
        "weights of noise levels: vlb, simple, sigmoid:B, snr-clip:K or table:FILE")
      .metavar("NAME")
      .source("VDM app. K")
      .rank(Rank::manual);
  f.add("times", times,
        {{"low-discrepancy", TimeDraws::low_discrepancy,
          "spread evenly over the rows of a step, which makes the bound less noisy"},
         {"iid", TimeDraws::iid, "each on its own"}},
        "how the rows of a step get their times")
      .source("VDM app. I.1")
      .rank(Rank::manual);
  f.add("endpoint-grad", endpoint_gradient,
        {{"path", EndpointGradient::path, "through the noised z of every row"},
         {"boundary", EndpointGradient::boundary,
          "from the losses at both ends, in continuous time"}},
        "gradient of learned endpoints: through z, or from losses at both ends")
      .when(ends)
      .rank(Rank::manual);
  f.add("gamma-lr-mult", gamma_lr_mult, "factor on the learning rate of the noise schedule")
      .range(0, 1e6)
      .unless(fixed)
      .rank(Rank::manual);
  f.add("decay-schedule", decay_schedule, "decay the weights of the noise schedule, too")
      .unless(fixed)
      .rank(Rank::manual);
  f.add("augment", augment, "changes of pictures, half the time each: flip, rot90, channels")
      .metavar("WORD,...")
      .rank(Rank::manual);
  f.add("mse-rows", mse_rows,
        "training rows that the curve of fitted grids is measured on; 0: none")
      .range(0, 1 << 20)
      .rank(Rank::manual);
  f.add("moments", moments, "mean and covariance of x that the network knows; else the data's own")
      .metavar("FILE")
      .when(linear)
      .rank(Rank::manual);
}

void LearnOptions::validate(const Config& config) const {
  if (endpoint_gradient == EndpointGradient::boundary &&
      (!*config.schedule.learn_endpoints || config.timesteps > 0))
    fail(ErrorKind::usage, "--endpoint-grad boundary",
         config.timesteps > 0 ? "is that of continuous time: --timesteps 0"
                              : "goes with --learn-endpoints");
}

}  // namespace logpx::vdm
