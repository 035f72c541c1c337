// The knobs of scoring, sampling and coding as options of a tool. Help shows them before a model is
// read, so the union over all families is registered, each word once and kept as text. Once a model
// is read, its plan takes what was given; other words are usage errors.
//
//   JobOptions knobs{Job::sample};            // a member of the tool's options
//   knobs.describe(fields);
//   const auto plan = can.sampling();
//   Fields own;  plan->describe(own);
//   knobs.hand_to(own, {"vae", "sampling"});  plan->settle();  knobs.keep(own);
#pragma once

#include "libcore/base/given_options.hpp"
#include "libcore/model/plan.hpp"

#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class JobOptions {
 public:
  explicit JobOptions(std::initializer_list<Job> jobs);

  // Words of several headings under the one that `fields` is at, the others under their own.
  void describe(Fields& fields);

  struct Taker {
    std::string family, doing;  // "vae", "sampling"
  };
  // Gives the plan's fields what was given. A default from a settings file is not handed to a plan
  // that does not know it.
  void hand_to(Fields& plan, const Taker& taker) const;
  // From here on the report's config shows the plan's resolved fields, and no others.
  void keep(const Fields& plan);
  // Describes the plan, hands to it, settles and keeps.
  template <typename Plan>
  void prepare(Plan& plan, const Taker& taker) {
    Fields fields;
    plan.describe(fields);
    hand_to(fields, taker);
    plan.settle();
    refuse_unread(fields, fields);
    keep(fields);
  }

  [[nodiscard]] bool given() const;  // any of them on the command line
  // For a run that reads none of them: a usage error for the first that was given; those of a
  // settings file are left out of the report's config.
  void refuse(const std::string& why);

 private:
  struct Owner {
    std::string name, heading;  // "vae", "variational auto-encoder"; or of a method
    bool beside = false;        // its job is a second one of the tool, shown in the manual
    std::unique_ptr<Knobs> knobs;
    Fields fields;
  };
  struct Word {
    std::vector<const Owner*> owners;
    std::vector<Field*> fields;
    std::vector<std::string> defaults;
    std::optional<std::string> text;
    Field* option = nullptr;  // in the tool's fields

    [[nodiscard]] bool is_shared() const;
    [[nodiscard]] std::string help() const;
    void show_defaults() const;
    [[nodiscard]] bool changes_nothing() const;
  };
  void add_owner(Owner&& owner);
  static void add_option(Word& word, Fields& fields);

  std::deque<Owner> owners_;  // addresses stay
  std::deque<Word> words_;
};

}  // namespace logpx
