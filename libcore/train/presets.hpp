// The named settings of a family: the words of --preset, and what each of them changes.
//
//   struct Settings {
//     double lr = 1e-3;
//     static const Presets<Settings>& presets() {
//       static const Presets<Settings> all = {
//           {"default", [](Settings&) {}, "what one begins with"},
//           {"tiny", [](Settings& s) { s.lr = 1e-2; }, "a second, to try things out"}};
//       return all;
//     }
//   };
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/base/field.hpp"
#include "libcore/base/number_text.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace logpx {

template <typename Settings>
class Presets {
 public:
  struct Entry {
    const char* name;
    void (*apply)(Settings&);
    const char* says;  // what it is for, in one clause
  };
  // The first one is the defaults, which hold without --preset: it changes nothing. What differs
  // from the defaults of TrainOptions stands in the constructor of Settings.
  Presets(std::initializer_list<Entry> entries) : entries_(entries) {
    for (const Entry& entry : entries_) names_.emplace_back(entry.name);
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::vector<Choice> choices() const {
    std::vector<Choice> choices;
    for (const Entry& entry : entries_) choices.push_back({entry.name, entry.says});
    return choices;
  }
  // A usage error for a name that is not among them.
  void apply(const std::string& name, Settings& settings) const {
    for (const Entry& entry : entries_)
      if (name == entry.name) return entry.apply(settings);
    fail(ErrorKind::usage, "--preset", "'" + name + "' is not one of " + join_text(names_, ", "));
  }
  [[nodiscard]] Settings make(const std::string& name) const {
    Settings settings;
    apply(name, settings);
    return settings;
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::string> names_;
};

}  // namespace logpx
