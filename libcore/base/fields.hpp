// Fields: the one description of every knob. A config struct describes itself once,
//
//   enum class Padding { zero, edge };
//   struct Options {
//     double lr = 1e-3;
//     Padding padding = Padding::zero;
//     void describe(Fields& f) {
//       f.group("training");
//       f.add("lr", lr, "learning rate").range(0, 10).source("AEVB sec. 5");
//       f.add("padding", padding,
//             {{"zero", Padding::zero, "black"}, {"edge", Padding::edge, "the nearest pixel"}},
//             "what lies outside");
//     }
//   };
//
// and from that list come command-line options, --help, the manual's OPTIONS, completions, JSON
// settings, provenance, and the comparison that lets --resume refuse a changed setting.
// Every value, wherever it comes from, is read from text by the one parser here.
#pragma once

#include "libcore/base/field.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logpx {

template <typename E>
struct WordOf {
  const char* word;
  E value;
  const char* says;  // what it means, in one clause
};
template <typename E>
using WordsOf = std::initializer_list<WordOf<E>>;

class Fields {
 public:
  // Everything added from here on is listed under this heading in --help and the manual.
  void group(std::string title) { group_ = std::move(title); }

  Field& add(std::string name, bool& value, std::string help);
  Field& add(std::string name, int& value, std::string help);
  Field& add(std::string name, std::int64_t& value, std::string help);
  Field& add(std::string name, std::uint64_t& value, std::string help);
  Field& add(std::string name, double& value, std::string help);
  Field& add(std::string name, std::string& value, std::string help);
  Field& add(std::string name, Bytes& value, std::string help);
  Field& add(std::string name, Duration& value, std::string help);
  Field& add(std::string name, Interval& value, std::string help);
  // A switch whose default depends on other settings.
  Field& add(std::string name, std::optional<bool>& value, std::string help);
  Field& add(std::string name, std::optional<std::int64_t>& value, std::string help);
  Field& add(std::string name, std::optional<double>& value, std::string help);
  Field& add(std::string name, std::optional<std::string>& value, std::string help);
  Field& add(std::string name, std::optional<RowRange>& value, std::string help);
  // Lists: one option with commas, or the option repeated; --set and JSON replace the whole list.
  Field& add(std::string name, std::vector<std::string>& value, std::string help);
  Field& add(std::string name, std::vector<std::int64_t>& value, std::string help);
  Field& add(std::string name, std::vector<double>& value, std::string help);
  // A switch that counts how often it was given.
  Field& add_count(std::string name, int& value, std::string help);
  // A string that is one of several words.
  Field& add_word(std::string name, std::string& value, std::vector<Choice> choices,
                  std::string help);
  template <typename E>
  Field& add(std::string name, E& value, WordsOf<E> words, std::string help) {
    std::vector<Choice> choices;
    std::vector<E> values;
    for (const auto& [word, value_of_word, says] : words) {
      choices.push_back({word, says});
      values.push_back(value_of_word);
    }
    return add_enum(
        std::move(name), std::move(choices), [&value, values](std::size_t i) { value = values[i]; },
        [&value, values] {
          std::size_t i = 0;
          while (i + 1 < values.size() && values[i] != value) ++i;
          return i;
        },
        std::move(help));
  }

  // An option that stands for fields of the same name that are described elsewhere: it looks like
  // the first, accepts what any of them does, and keeps it as text for the one that is chosen
  // later.
  Field& add_for(const std::vector<Field*>& others, std::string help,
                 std::optional<std::string>& text);

  [[nodiscard]] const std::deque<Field>& all() const { return fields_; }
  [[nodiscard]] std::deque<Field>& all() { return fields_; }
  [[nodiscard]] Field* find_key(std::string_view key);  // "lr_schedule" or "encoder.hidden_size"
  [[nodiscard]] const Field* find_key(std::string_view key) const;
  [[nodiscard]] Field* find_option(std::string_view option);  // "--lr-schedule"
  [[nodiscard]] const Field* find_option(std::string_view option) const;

  // "KEY=VALUE", as --set takes it.
  void set(std::string_view assignment, Origin origin);

 private:
  using Reader = std::function<void(std::string_view)>;
  Field& append(std::string name, FieldType type, std::string help, Reader read,
                std::function<std::string()> write);
  // A field that is one of these words, of which `take` gets only those.
  Field& add_choice(std::string name, std::vector<Choice> choices, Reader take,
                    std::function<std::string()> write, std::string help);
  Field& add_enum(std::string name, std::vector<Choice> choices,
                  std::function<void(std::size_t)> set, std::function<std::size_t()> get,
                  std::string help);

  std::deque<Field> fields_;  // addresses stay
  std::string group_ = "options";
};

}  // namespace logpx
