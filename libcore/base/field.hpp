// One knob of a config: its name, what it may be, where it shows, and how its value is read from
// text. Made by Fields::add (fields.hpp); attributes are chained after it.
#pragma once

#include "libcore/base/choice.hpp"
#include "libcore/base/number_text.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logpx {

enum class FieldType { flag, integer, real, text, word, list };
// Where people see it: in --help, in the manual only, or through --set alone.
enum class Rank { shown, manual, set_only };
// Where a value came from; later ones win.
enum class Origin { fallback, preset, config, option };

class Field {
 public:
  // Attributes, chained after add().
  Field& range(double low, double high);
  Field& at_least(double low);
  Field& unit(std::string text);
  Field& source(std::string text);  // paper table or equation that the default is from
  Field& rank(Rank rank);
  Field& short_name(char letter);
  Field& metavar(std::string text);  // N, R, PATH ... by type when not said
  Field& required();
  Field& stands_alone();  // a switch with which nothing is required (--list)
  Field& external();      // cannot change a result: paths, threads, verbosity
  Field& positional();    // implies external; a list takes all that follow
  Field& setting();       // not external after all: a positional word that decides the result
  Field& whole_items();   // a list whose items may hold commas: one per occurrence
  Field& files(std::string pattern);  // "*.h5": what completion offers; "*/": folders too
  Field& output();                    // a path that the tool writes; implies external
  // The formats that a file at this path can be written in, by their suffixes; a stream gets the
  // first. The field named `chooser` says which where the path does not. None: any name will do.
  Field& writes(std::vector<std::string> formats, std::string chooser = {});
  // While this holds, the field is in no file: a setting that older files and their hashes lack.
  Field& unset_while(std::function<bool()> holds);
  // The option counts only while this holds, or does not; several: all of them (given_options.hpp).
  Field& when(Condition condition);        // "with --net unet"
  Field& unless(Condition condition);      // "not with --swap off"
  Field& about(std::string text);          // a paragraph for the manual: when to take what
  Field& shows_default(std::string text);  // for help, when the value itself says little
  Field& hidden_default();                 // help shows no default
  // A word that looks right but makes no sense here: why, and what to use instead.
  Field& refuses(std::string word, std::string why, std::string hint);

  [[nodiscard]] const std::string& name() const { return name_; }  // "encoder.hidden-size"
  [[nodiscard]] std::string option() const;                        // "--encoder-hidden-size"
  [[nodiscard]] std::string key() const;                           // "encoder.hidden_size"
  [[nodiscard]] const std::string& help() const { return help_; }
  [[nodiscard]] const std::string& about() const { return about_; }
  [[nodiscard]] const std::string& group() const { return group_; }
  [[nodiscard]] FieldType type() const { return type_; }
  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] char short_name() const { return short_name_; }
  [[nodiscard]] std::string metavar() const;
  [[nodiscard]] bool is_required() const { return required_; }
  [[nodiscard]] bool lifts_requirements() const { return stands_alone_ && write_() == "true"; }
  [[nodiscard]] bool is_external() const { return external_; }
  [[nodiscard]] bool is_positional() const { return positional_; }
  [[nodiscard]] bool is_output() const { return output_; }
  [[nodiscard]] bool items_are_numbers() const { return numbers_; }
  [[nodiscard]] bool repeats() const { return append_item_ != nullptr; }
  [[nodiscard]] const std::string& files() const { return files_; }
  [[nodiscard]] const std::vector<std::string>& formats() const { return formats_; }
  [[nodiscard]] const std::string& format_chooser() const { return format_chooser_; }
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  [[nodiscard]] std::vector<std::string> words() const;  // those of the choices
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::optional<std::pair<double, double>> limits() const { return limits_; }
  [[nodiscard]] std::string goes_with() const;       // "with --net unet, not with --swap off"
  [[nodiscard]] std::string unread_because() const;  // "goes with --net unet": why nobody reads it
  // What --help prints in brackets: the value at the time of describe(), its unit and source.
  [[nodiscard]] std::string default_text() const;
  // A switch that --no-NAME turns off: one that is on, or that is on or off by other settings.
  [[nodiscard]] bool has_negation() const {
    return type_ == FieldType::flag && (initial_ == "true" || has_value_ != nullptr);
  }

  [[nodiscard]] Origin origin() const { return origin_; }
  [[nodiscard]] bool given() const { return origin_ == Origin::option; }
  [[nodiscard]] bool is_set() const { return has_value_ == nullptr || has_value_(); }  // optionals
  [[nodiscard]] std::string text() const { return write_(); }  // what read() would take back
  [[nodiscard]] std::vector<std::string> items() const;        // of a list

  // All throw a usage error that names `subject` (an option, or a settings file and path).
  void read(std::string_view text, const std::string& subject, Origin origin);
  // A repeated option: a list takes all of them, anything else the last.
  void read_repeated(const std::vector<std::string>& texts, const std::string& subject,
                     Origin origin);
  void read_items(const std::vector<std::string>& items, const std::string& subject, Origin origin);

 private:
  friend class Fields;
  void widen(const Field& other);  // to what either takes
  std::string name_, help_, about_, group_, unit_, source_, files_, metavar_, initial_,
      shown_default_, format_chooser_;
  FieldType type_ = FieldType::text;
  Rank rank_ = Rank::shown;
  Origin origin_ = Origin::fallback;
  char short_name_ = 0;
  bool required_ = false, stands_alone_ = false, external_ = false, positional_ = false,
       output_ = false, hidden_default_ = false, whole_items_ = false, numbers_ = false;
  struct Refusal {
    std::string word, why, hint;
  };
  void check_refusals(const std::string& text) const;
  std::vector<Refusal> refusals_;
  struct Need {
    Condition condition;
    bool wanted = true;
  };
  std::vector<Need> needs_;
  std::vector<Choice> choices_;
  std::vector<std::string> formats_;
  std::optional<std::pair<double, double>> limits_;
  std::function<void(std::string_view)> read_;  // throws Error without subject
  std::function<std::string()> write_;
  std::function<bool()> has_value_;                    // optionals only
  std::function<void(std::string_view)> append_item_;  // lists only
  std::function<void()> clear_;                        // lists only
  std::function<std::vector<std::string>()> list_;     // lists only
};

}  // namespace logpx
