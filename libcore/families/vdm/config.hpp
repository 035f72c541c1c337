// What a variational diffusion model is made of: its network, its noise schedule, how x is read.
// [vdm/README 2 to 4, 8]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/families/vdm/networks/net_options.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/schedule/schedule_options.hpp"
#include "libcore/model/data_reading.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::vdm {

struct Config {
  NetOptions net;
  ScheduleOptions schedule;
  Variance process = Variance::preserving;
  std::int64_t timesteps = 0;  // of training; 0: continuous time
  bool labels = false;
  std::int64_t classes = 0;  // 0: without labels
  double label_drop = 0.1;
  bool aug_flag = false;  // the network is told whether augmentation has changed x
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;
  bool standardise = true;
  bool has_levels = false;  // x as it is read; settle() sees it in the data

  void describe(Fields& fields);
  // Fills in what was left open; usage errors for settings that contradict each other or the data.
  // `bound`: training minimises a bound.
  void settle(const DatasetInfo& data, const CurveTable& table, bool bound = true);

  // Checks the data alone; settle() does so, too.
  void check_data(const DatasetInfo& data) const;

  [[nodiscard]] std::int64_t levels(const DatasetInfo& data) const;  // 0: real numbers
  [[nodiscard]] RowRules rules(const DatasetInfo& data) const;
  // The values that x can take; p(x|z_0) follows from gamma_0 (reconstruction.hpp).
  [[nodiscard]] std::unique_ptr<const Likelihood> support(const DatasetInfo& data) const;

 private:
  [[nodiscard]] bool binarises() const;
  [[nodiscard]] std::string values_of_x(const DatasetInfo& data) const;
};

// The data with the mean and deviation of each column of real numbers: those of the dataset, or
// computed here. A column that never changes is a data error.
[[nodiscard]] DatasetInfo with_standardisation(const Config& config, const TaskRows& rows);

}  // namespace logpx::vdm
