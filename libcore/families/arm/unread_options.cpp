#include "libcore/families/arm/unread_options.hpp"

#include "libcore/base/given_options.hpp"

namespace logpx::arm {

void refuse_unread(const ArmModel& model, const LearnOptions&, const Fields& given) {
  const Config& config = model.config();
  const NetKind net = config.net.kind;
  const bool learned = config.orders == OrderKind::learned;
  const std::vector<OptionRule> rules = {
      {{"--policy", "--variational", "--q-entropy", "--kl-weight", "--score-clip",
        "--warmup-uniform"},
       learned,
       "goes with --model lo"},
      {{"--order"}, config.orders == OrderKind::fixed, "goes with --model fixed"},
      {{"--groups"}, config.orders == OrderKind::biased, "goes with --model biased"},
      {{"--hidden", "--activation"}, net == NetKind::mlp, "goes with --net mlp"},
      {{"--channels", "--multipliers"}, net == NetKind::unet, "goes with --net unet"},
      {{"--layers", "--heads", "--widths", "--ff-widths", "--io-widths", "--extra-features"},
       net == NetKind::graph,
       "goes with --net graph"},
      {{"--binarise-seed"},
       model.reader().rules().binarise.rule == Binarise::fixed,
       "goes with --binarise static"},
  };
  logpx::refuse_unread(given, rules);
}

}  // namespace logpx::arm
