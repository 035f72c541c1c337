// The named settings of a family: the words of --preset, and what each of them changes.
//
//   struct Settings {
//     double lr = 1e-3;
//     static const Presets<Settings>& presets() {
//       static const Presets<Settings> all = {{"default", [](Settings&) {}},
//                                             {"tiny", [](Settings& s) { s.lr = 1e-2; }}};
//       return all;
//     }
//   };
#pragma once

#include "libcore/base/error.hpp"
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
  };
  // The first one is the defaults, which hold without --preset: it changes nothing. What differs
  // from the defaults of TrainOptions stands in the constructor of Settings.
  Presets(std::initializer_list<Entry> entries) : entries_(entries) {
    for (const Entry& entry : entries_) names_.emplace_back(entry.name);
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
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
