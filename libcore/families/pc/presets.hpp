// Named settings.
#pragma once

#include "libcore/families/pc/config.hpp"
#include "libcore/families/pc/learning.hpp"
#include "libcore/families/pc/tables/table_choice.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::pc {

struct Settings {
  Config model;
  Learning learning;
  TrainOptions training;
  bool length_open = true;  // no preset has said how long training takes
  bool states_open = true;  // nor how many hidden states tables have

  Settings();
  void describe(Fields& fields);
  // Whether neither a preset nor an option has, so that the rows decide.
  [[nodiscard]] bool length_is_open(const Fields& given) const;
  // Which settings of a table its rows decide.
  [[nodiscard]] TableOpen table_open(const Fields& given) const;
  // Makes what was chosen the settings.
  void take_table(const TableChoice& choice);
  // Makes the chosen length of training one of the settings.
  void take_length(const TrainOptions& chosen);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::pc
