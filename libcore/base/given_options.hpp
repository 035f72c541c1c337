// Errors for options on the command line that nothing reads. Those of a settings file are exempt,
// since it holds every option.
//
//   const std::string way = "automala";
//   const std::vector<OptionRule> rules = {
//       {{"--eta-min", "--eta-max"}, way == "automala", "goes with --posterior automala"},
//       {{"--eta"}, way != "is", "does nothing with --posterior is"}};
//   refuse_unread(app.fields(), rules);
#pragma once

#include <span>
#include <string>
#include <vector>

namespace logpx {

class Fields;

// A usage error for the first of these options that was given on the command line.
void refuse_given(const Fields& fields, std::span<const char* const> options,
                  const std::string& why);

struct OptionRule {
  std::vector<const char*> options;
  bool read = true;
  std::string why;  // what to say when they are not
};
// The same for the first rule whose options nothing reads.
void refuse_unread(const Fields& fields, std::span<const OptionRule> rules);

}  // namespace logpx
