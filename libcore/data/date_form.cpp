#include "libcore/data/date_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace logpx {
namespace {

constexpr std::array month_names = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::int64_t day_seconds = 86400, last_year = 9999, pivot_of_short_years = 69;
constexpr std::size_t longest_form = 64;

struct Moment {
  std::int64_t year = 1970, month = 1, day = 1, hour = 0, minute = 0;
  double second = 0;
  std::int64_t twelfth = 12;  // as clocks with hands show the hour
  bool afternoon = false;
};

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// Days since 1970-01-01: years begin in March, so that the leap day is the last one; 400 of them
// have 146097 days.
std::int64_t days_since_1970(const Moment& at) {
  const std::int64_t year = at.year - (at.month <= 2 ? 1 : 0),
                     era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400,
                     month = (at.month + 9) % 12, day = (153 * month + 2) / 5 + at.day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719468;
}

Moment day_at(std::int64_t days) {
  const std::int64_t shifted = days + 719468,
                     era = (shifted >= 0 ? shifted : shifted - 146096) / 146097,
                     of_era = shifted - era * 146097,
                     year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365,
                     day = of_era - (365 * year + year / 4 - year / 100),
                     month = (5 * day + 2) / 153;
  Moment at;
  at.day = day - (153 * month + 2) / 5 + 1;
  at.month = month < 10 ? month + 3 : month - 9;
  at.year = year + era * 400 + (at.month <= 2 ? 1 : 0);
  return at;
}

// Calls use(letter, plain) for each part of a form: plain is a letter that stands for itself. False
// where % is followed by nothing.
template <typename Use>
bool each_part(std::string_view form, const Use& use) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '%') {
      if (!use(form[i], true, false)) return false;
      continue;
    }
    const bool bare = i + 1 < form.size() && form[i + 1] == '-';
    i += bare ? 2 : 1;
    if (i >= form.size() || !use(form[i], form[i] == '%', bare)) return false;
  }
  return true;
}

bool has_part(std::string_view form, std::string_view letters) {
  return !each_part(form, [&](char letter, bool plain, bool) {
    return plain || letters.find(letter) == std::string_view::npos;
  });
}

// Digits at the start of `text`, at most `most` of them, which are taken off.
std::optional<std::int64_t> take_digits(std::string_view& text, std::size_t least,
                                        std::size_t most) {
  std::size_t count = 0;
  std::int64_t number = 0;
  while (count < most && count < text.size() && text[count] >= '0' && text[count] <= '9')
    number = number * 10 + (text[count++] - '0');
  if (count < least) return std::nullopt;
  text.remove_prefix(count);
  return number;
}

bool take_month_name(std::string_view& text, Moment& at) {
  const auto same = [&](std::string_view name) {
    return text.size() >= name.size() &&
           std::ranges::equal(name, text.substr(0, name.size()),
                              [](char a, char b) { return (a | 32) == (b | 32); });
  };
  const auto found = std::ranges::find_if(month_names, same);
  if (found == month_names.end()) return false;
  at.month = found - month_names.begin() + 1;
  text.remove_prefix(3);
  return true;
}

bool take_half_day(std::string_view& text, std::string_view before_noon,
                   std::string_view after_noon, Moment& at) {
  at.afternoon = text.starts_with(after_noon);
  if (!at.afternoon && !text.starts_with(before_noon)) return false;
  text.remove_prefix(before_noon.size());
  return true;
}

bool take_second(std::string_view& text, Moment& at) {
  const auto whole = take_digits(text, 1, 2);
  if (!whole) return false;
  at.second = static_cast<double>(*whole);
  if (!text.starts_with('.')) return true;
  std::string_view rest = text.substr(1);
  const std::size_t before = rest.size();
  const auto part = take_digits(rest, 1, 9);
  if (!part) return false;
  at.second +=
      static_cast<double>(*part) / std::pow(10.0, static_cast<double>(before - rest.size()));
  text = rest;
  return true;
}

bool take_part(char letter, std::string_view& text, Moment& at) {
  const auto into = [&](std::int64_t& number, std::size_t least, std::size_t most) {
    const auto digits = take_digits(text, least, most);
    number = digits.value_or(0);
    return digits.has_value();
  };
  switch (letter) {
    case 'Y': return into(at.year, 4, 4);
    case 'm': return into(at.month, 1, 2);
    case 'd': return into(at.day, 1, 2);
    case 'H': return into(at.hour, 1, 2);
    case 'M': return into(at.minute, 1, 2);
    case 'S': return take_second(text, at);
    case 'b': return take_month_name(text, at);
    case 'I': return into(at.twelfth, 1, 2);
    case 'p': return take_half_day(text, "AM", "PM", at);
    case 'P': return take_half_day(text, "am", "pm", at);
    default: break;
  }
  if (!into(at.year, 2, 2)) return false;
  at.year += at.year < pivot_of_short_years ? 2000 : 1900;
  return true;
}

std::string padded(std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string second_text(double second, std::size_t width, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const auto units = static_cast<std::int64_t>(std::llround(second * scale)),
             whole = static_cast<std::int64_t>(scale);
  const std::string text = padded(units / whole, width);
  return decimals == 0 ? text
                       : text + '.' + padded(units % whole, static_cast<std::size_t>(decimals));
}

std::string part_text(char letter, const Moment& at, std::size_t width, int decimals) {
  switch (letter) {
    case 'Y': return padded(at.year, 4);
    case 'y': return padded(at.year % 100, 2);
    case 'm': return padded(at.month, width);
    case 'b': return month_names[static_cast<std::size_t>(at.month - 1)];
    case 'd': return padded(at.day, width);
    case 'H': return padded(at.hour, width);
    case 'M': return padded(at.minute, width);
    case 'I': return padded(at.hour % 12 == 0 ? 12 : at.hour % 12, width);
    case 'p': return at.hour < 12 ? "AM" : "PM";
    case 'P': return at.hour < 12 ? "am" : "pm";
    default: return second_text(at.second, width, decimals);
  }
}

Moment moment_of(double value, DateText how) {
  const bool time = has_time(how.form), dated = has_part(how.form, "Yy");
  const double unit = time ? static_cast<double>(day_seconds) : 1;
  const double first = dated ? static_cast<double>(days_since_1970({.year = 0})) : 0,
               end = dated ? static_cast<double>(days_since_1970({.year = last_year + 1})) : 1;
  const double scale = time ? std::pow(10.0, how.decimals) : 1;
  const double clamped = std::clamp(std::isnan(value) ? 0 : std::round(value * scale),
                                    first * unit * scale, end * unit * scale - 1) /
                         scale;
  const double days = std::floor(clamped / unit);
  Moment at = dated ? day_at(static_cast<std::int64_t>(days)) : Moment{};
  if (!time) return at;
  const double seconds = clamped - days * unit;
  const auto minutes = static_cast<std::int64_t>(seconds / 60);
  at.hour = minutes / 60;
  at.minute = minutes % 60;
  at.second = seconds - static_cast<double>(minutes * 60);
  return at;
}

}  // namespace

bool is_date_form(std::string_view form) {
  std::string seen;
  const bool known = each_part(form, [&](char letter, bool plain, bool) {
    if (plain) return letter >= ' ';
    const bool repeated = seen.find(letter) != std::string::npos;
    seen += letter;
    return !repeated && std::string_view("YymbdHMSIpP").find(letter) != std::string_view::npos;
  });
  const auto has = [&](std::string_view letters) {
    return seen.find_first_of(letters) != std::string::npos;
  };
  const bool two_years = has("Y") && has("y"), two_months = has("m") && has("b");
  const bool dated = has("Yy"), halves = has("pP");
  const bool one_clock = halves == has("I") && !(halves && has("H")) && !(has("p") && has("P"));
  return known && one_clock && form.size() <= longest_form && !seen.empty() && !two_years &&
         !two_months && (dated || !has("mbd")) && (!has("d") || has("mb"));
}

bool has_time(std::string_view form) { return has_part(form, "HMSI"); }

std::optional<double> date_of(std::string_view text, std::string_view form) {
  Moment at;
  const bool fits = each_part(form, [&](char letter, bool plain, bool) {
    if (!plain) return take_part(letter, text, at);
    if (!text.starts_with(letter)) return false;
    text.remove_prefix(1);
    return true;
  });
  const bool halved = has_part(form, "I");
  if (halved && (at.twelfth < 1 || at.twelfth > 12)) return std::nullopt;
  if (halved) at.hour = at.twelfth % 12 + (at.afternoon ? 12 : 0);
  if (!fits || !text.empty() || at.month < 1 || at.month > 12 || at.day < 1 ||
      at.day > days_of_month(at.year, at.month) || at.hour > 23 || at.minute > 59 ||
      at.second >= 60)
    return std::nullopt;
  const std::int64_t days = days_since_1970(at);
  if (!has_time(form)) return static_cast<double>(days);
  return static_cast<double>(days * day_seconds + at.hour * 3600 + at.minute * 60) + at.second;
}

std::string date_text(double value, DateText how) {
  const Moment at = moment_of(value, how);
  std::string text;
  (void)each_part(how.form, [&](char letter, bool plain, bool bare) {
    text += plain ? std::string(1, letter) : part_text(letter, at, bare ? 1 : 2, how.decimals);
    return true;
  });
  return text;
}

const std::vector<std::string>& iso_forms() {
  static const std::vector<std::string> forms = {"%Y-%m-%d",           "%Y-%m-%dT%H:%M:%S",
                                                 "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S",
                                                 "%Y-%m-%dT%H:%M",     "%Y-%m-%d %H:%M",
                                                 "%Y-%m-%dT%H:%MZ",    "%Y-%m",
                                                 "%H:%M:%S",           "%H:%M"};
  return forms;
}

const std::vector<std::string>& other_date_forms() {
  static const std::vector<std::string> forms = [] {
    std::vector<std::string> all = {"%d-%b-%Y", "%d %b %Y", "%b %d, %Y",  "%d-%b-%y",
                                    "%I:%M %p", "%I:%M %P", "%I:%M:%S %p"};
    for (const std::string day : {"%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y",
                                  "%Y/%m/%d", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y"})
      for (const char* time : {"", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M %P", " %I:%M:%S %p"})
        all.push_back(day + time);
    return all;
  }();
  return forms;
}

std::string form_as_written(std::string_view form, std::string_view text) {
  std::string bare(form);
  for (const std::string_view part : {"%d", "%m", "%H", "%I"})
    if (const std::size_t at = bare.find(part); at != std::string::npos) bare.insert(at + 1, "-");
  const auto value = date_of(text, form);
  const bool fits = value && date_text(*value, {form}) != text && date_text(*value, {bare}) == text;
  return fits ? bare : std::string(form);
}

}  // namespace logpx
