#include "tools/store/job_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/families/registry.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

bool are_alike(const std::vector<std::string>& texts) {
  return std::ranges::count(texts, texts.front()) == std::ssize(texts);
}

// Each of them once; "12" is left out beside "12, coding 3.7".
std::vector<std::string> different(const std::vector<std::string>& texts) {
  std::vector<std::string> kept;
  for (const std::string& text : texts) {
    const auto says_more = [&](const std::string& other) { return other.starts_with(text + ", "); };
    if (std::ranges::find(kept, text) == kept.end() && std::ranges::none_of(texts, says_more))
      kept.push_back(text);
  }
  return kept;
}

}  // namespace

JobOptions::JobOptions(std::initializer_list<Job> jobs) {
  for (const Job job : jobs) {
    const bool beside = job == Job::code && jobs.size() > 1;
    for (const Family& family : families()) {
      auto all = family.knobs_of(job);
      const bool by_method = job == Job::score && all.size() > 1;
      for (std::size_t i = 0; i < all.size(); ++i)
        add_owner({.name = family.name + (beside      ? " coding"
                                          : by_method ? ' ' + family.score.at(i).word
                                                      : ""),
                   .heading = family.summary,
                   .beside = beside,
                   .knobs = std::move(all[i]),
                   .fields = {}});
    }
    if (job != Job::score) continue;
    for (const Method& method : latent_methods())
      add_owner(
          {.name = method.name, .heading = method.summary, .knobs = method.knobs(), .fields = {}});
  }
}

void JobOptions::add_owner(Owner&& given) {
  Owner& owner = owners_.emplace_back(std::move(given));
  owner.knobs->describe(owner.fields);
  for (Field& field : owner.fields.all()) {
    auto word = std::ranges::find_if(
        words_, [&](const Word& known) { return known.fields.front()->key() == field.key(); });
    if (word == words_.end()) word = words_.emplace(words_.end());
    word->owners.push_back(&owner);
    word->fields.push_back(&field);
    word->defaults.push_back(field.text());
  }
}

bool JobOptions::Word::is_shared() const {
  return std::ranges::any_of(
      owners, [&](const Owner* owner) { return owner->heading != owners.front()->heading; });
}

// One text if all owners have the same, else the text of each.
std::string JobOptions::Word::help() const {
  std::vector<std::string> texts, told_apart;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    texts.push_back(fields[i]->help());
    told_apart.push_back(owners[i]->name + ": " + texts.back());
  }
  return are_alike(texts) ? texts.front() : join_text(told_apart, "; ");
}

// One phrase for all of them: from the least number to the most, or the few texts that there are.
void JobOptions::Word::show_defaults() const {
  std::vector<std::string> texts;
  for (const Field* field : fields) texts.push_back(field->default_text());
  if (are_alike(texts)) return;
  const std::vector<std::string> kept = different(texts);
  const auto number = [](const std::string& said) {
    return parse_real(std::string_view(said).substr(0, said.find(' ')));
  };
  if (std::ranges::all_of(kept, [&](const auto& said) { return number(said).has_value(); })) {
    const auto [least, most] = std::ranges::minmax_element(kept, {}, number);
    option->shows_default(*least + " to " + *most + ", by model and method");
  } else {
    option->shows_default(join_text(kept, " or ") +
                          (kept.size() > 1 ? ", by model and method" : ""));
  }
}

// True for defaults, which older reports record for every method.
bool JobOptions::Word::changes_nothing() const {
  return option->origin() == Origin::config && std::ranges::find(defaults, *text) != defaults.end();
}

void JobOptions::add_option(Word& word, Fields& fields) {
  word.option = &fields.add_for(word.fields, word.help(), word.text);
  word.show_defaults();
  if (std::ranges::all_of(word.owners, &Owner::beside)) word.option->rank(Rank::manual);
}

void JobOptions::describe(Fields& fields) {
  for (Word& word : words_)
    if (word.is_shared()) add_option(word, fields);
  for (const Owner& owner : owners_) {
    fields.group(owner.heading);
    for (Word& word : words_)
      if (word.option == nullptr && word.owners.front()->heading == owner.heading)
        add_option(word, fields);
  }
}

void JobOptions::hand_to(Fields& plan, const Taker& taker) const {
  for (const Word& word : words_) {
    if (!word.text) continue;
    if (Field* const field = plan.find_key(word.fields.front()->key())) {
      field->read(*word.text, field->option(), word.option->origin());
      continue;
    }
    if (word.changes_nothing()) continue;
    std::vector<std::string> known;
    for (const Field& field : plan.all()) known.push_back(field.option());
    fail(ErrorKind::usage, "",
         word.option->option() + " does nothing for this " + taker.family + "; for " + taker.doing +
             " it knows " + (known.empty() ? "no option" : join_text(known, ", ")));
  }
}

void JobOptions::keep(const Fields& plan) {
  for (Word& word : words_) word.text.reset();
  for (const Field& field : plan.all()) {
    if (!field.is_set() || field.is_external()) continue;
    const auto word = std::ranges::find_if(
        words_, [&](const Word& known) { return known.fields.front()->key() == field.key(); });
    LOGPX_ASSERT(word != words_.end());  // a family lists every knob of its plans
    word->option->read(field.text(), field.option(), word->option->origin());
  }
}

bool JobOptions::given() const {
  return std::ranges::any_of(words_, [](const Word& word) { return word.option->given(); });
}

void JobOptions::refuse(const std::string& why) {
  for (Word& word : words_) {
    if (word.option->given()) fail(ErrorKind::usage, word.option->option(), why);
    word.text.reset();
  }
}

}  // namespace logpx
