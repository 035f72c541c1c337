#include "libcore/families/vdm/unread_options.hpp"

#include "libcore/base/given_options.hpp"
#include "libcore/families/vdm/model.hpp"

namespace logpx::vdm {
namespace {

std::vector<OptionRule> rules_of_network(const Config& config) {
  const NetKind kind = config.net.kind;
  return {
      {{"--channels", "--depth", "--groups", "--multipliers", "--attention", "--dropout",
        "--embedding"},
       kind == NetKind::unet,
       "goes with --net unet"},
      {{"--width", "--layers"}, kind == NetKind::mlp, "goes with --net mlp"},
      {{"--fourier"}, kind != NetKind::linear_gauss, "does nothing with --net linear-gauss"},
      {{"--moments"}, kind == NetKind::linear_gauss, "goes with --net linear-gauss"},
      {{"--label-drop"}, config.labels, "goes with --labels"},
  };
}

std::vector<OptionRule> rules_of_schedule(const VdmModel& model, const LearnOptions& learning) {
  const ScheduleOptions& schedule = model.config().schedule;
  const bool learns = model.schedule_parameters().learns();
  return {
      {{"--schedule-hidden"},
       model.schedule_parameters().learns_curve(),
       "goes with --schedule monotone or monotone-paper"},
      {{"--gamma-min", "--gamma-max"},
       !schedule.raw_endpoints,
       "does nothing with --raw-endpoints"},
      {{"--gamma-lr-mult", "--decay-schedule"},
       learns,
       "does nothing with a schedule that is not learned"},
      {{"--endpoint-grad"}, *schedule.learn_endpoints, "goes with --learn-endpoints"},
      {{"--aug-flag"},
       !model.config().aug_flag || !learning.augment.empty(),
       "goes with --augment"},
  };
}

std::vector<OptionRule> rules_of_data(const VdmModel& model) {
  const Binarise rule = model.reader().rules().binarise.rule;
  const DatasetInfo& data = model.info().data;
  return {
      {{"--binarise-seed"}, rule == Binarise::fixed, "goes with --binarise static"},
      {{"--standardise"}, model.levels() == 0, data.name + " has levels, which stay as they are"},
  };
}

}  // namespace

void refuse_unread(const VdmModel& model, const LearnOptions& learning, const Fields& given) {
  for (const std::vector<OptionRule>& rules :
       {rules_of_network(model.config()), rules_of_schedule(model, learning), rules_of_data(model)})
    logpx::refuse_unread(given, rules);
}

}  // namespace logpx::vdm
