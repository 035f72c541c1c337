#include "libcore/families/pc/text/json.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr int deepest = 32, most_values = 1'000'000;

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  JsonValue whole() {
    JsonValue read = value(0);
    skip_blanks();
    if (place_ != text_.size()) bad("something follows the end of the value");
    return read;
  }

 private:
  [[noreturn]] void bad(const std::string& what) const {
    fail(ErrorKind::data, name_, "line " + std::to_string(line_) + ": " + what);
  }
  [[nodiscard]] char next() const { return place_ < text_.size() ? text_[place_] : '\0'; }
  void skip_blanks() {
    for (; place_ < text_.size(); ++place_) {
      const char c = text_[place_];
      if (c == '\n') ++line_;
      else if (c != ' ' && c != '\t' && c != '\r') return;
    }
  }
  bool take(char c) {
    skip_blanks();
    if (next() != c) return false;
    ++place_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) bad(std::string("expected '") + c + '\'');
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(place_).starts_with(word)) return false;
    place_ += word.size();
    return true;
  }

  JsonValue value(int depth) {
    if (depth > deepest) bad("values lie more than " + std::to_string(deepest) + " deep");
    if (++values_ > most_values)
      bad("there are more than " + std::to_string(most_values) + " values");
    skip_blanks();
    JsonValue read;
    read.line = line_;
    if (next() == '{') return object(depth);
    if (next() == '[') return list(depth);
    if (next() == '"') {
      read.kind = JsonValue::Kind::text;
      read.text = quoted();
    } else if (take_word("null")) {
      read.kind = JsonValue::Kind::null;
    } else if (take_word("true") || take_word("false")) {
      read.kind = JsonValue::Kind::boolean;
      read.number = text_[place_ - 2] == 'u' ? 1 : 0;
    } else {
      read.kind = JsonValue::Kind::number;
      read.number = number();
    }
    return read;
  }

  bool is_number() {
    skip_blanks();
    return next() == '-' || (next() >= '0' && next() <= '9');
  }
  double number() {
    const std::size_t end =
        std::min(text_.find_first_not_of("+-.0123456789eE", place_), text_.size());
    const auto read = parse_real(text_.substr(place_, end - place_));
    if (!read || end == place_) bad("expected a value");
    place_ = end;
    return *read;
  }

  std::string quoted() {
    ++place_;
    std::string read;
    while (next() != '"') {
      const char c = next();
      if (place_ >= text_.size() || static_cast<unsigned char>(c) < 0x20)
        bad("a text has no closing quote");
      if (c != '\\') {
        read += c;
        ++place_;
        continue;
      }
      if (place_ + 1 >= text_.size()) bad("a text has no closing quote");
      const char escaped = text_[place_ + 1];
      if (escaped != '"' && escaped != '\\' && escaped != '/')
        bad("only \\\", \\\\ and \\/ are known in texts");
      read += escaped;
      place_ += 2;
    }
    ++place_;
    return read;
  }

  JsonValue list(int depth) {
    JsonValue read{.kind = JsonValue::Kind::list, .line = line_};
    expect('[');
    if (take(']')) return read;
    if (is_number()) {
      do {
        skip_blanks();
        read.numbers.push_back(number());
      } while (take(','));
    } else {
      do read.items.push_back(value(depth + 1));
      while (take(','));
    }
    expect(']');
    return read;
  }

  JsonValue object(int depth) {
    JsonValue read{.kind = JsonValue::Kind::object, .line = line_};
    expect('{');
    if (take('}')) return read;
    do {
      skip_blanks();
      if (next() != '"') bad("expected a name in quotes");
      std::string key = quoted();
      if (read.find(key) != nullptr) bad("\"" + key + "\" stands there twice");
      read.keys.push_back(std::move(key));
      expect(':');
      read.items.push_back(value(depth + 1));
    } while (take(','));
    expect('}');
    return read;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t place_ = 0;
  int line_ = 1, values_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

JsonValue read_json(std::string_view text, const std::string& name) {
  return Reader(text, name).whole();
}

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

}  // namespace logpx::pc
