#include "formats/data_description.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/description.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace logpx {
namespace {

std::string attribute_name(const DataFact& fact) { return std::string("data_") + fact.name; }

bool is_nothing(const FactValue& value) {
  return std::visit(
      [](const auto& kept) {
        if constexpr (requires { kept.empty(); }) return kept.empty();
        else return kept == 0;
      },
      value);
}

// Calls use(name, value) for what there is to keep.
template <typename Use>
void each_fact(const std::vector<DataFact>& facts, const DatasetInfo& data, const Use& use) {
  for (const DataFact& fact : facts)
    if (const FactValue value = fact.get(data); fact.always || !is_nothing(value)) use(fact, value);
}

// Takes what `find` gives for each fact; `find` may give nothing for those that may be absent.
template <typename Find>
DatasetInfo data_from(const Find& find) {
  DatasetInfo data;
  for (const DataFact& fact : data_facts()) {
    const std::optional<FactValue> value = find(fact, fact.get(data));
    if (value) fact.set(data, *value);
    else if (fact.always) fail(ErrorKind::data, fact.name, "is missing");
  }
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t size : data.shape) {
    if (size < 1 || size > left)
      fail(ErrorKind::data, "shape", "has a side of " + std::to_string(size));
    left /= size;
  }
  check_columns(data);
  check_alphabet(data);
  return data;
}

struct ToValue {
  template <typename T>
  static h5::Value of(const std::vector<T>& values) {
    return h5::Value::of<T>(values, {std::ssize(values)});
  }
  h5::Value operator()(std::int64_t value) const { return h5::Value::scalar(value); }
  h5::Value operator()(const std::vector<std::int64_t>& values) const { return of(values); }
  h5::Value operator()(const std::vector<double>& values) const { return of(values); }
  h5::Value operator()(const std::string& text) const { return h5::Value::text(text); }
  h5::Value operator()(const std::vector<std::string>& texts) const {
    return {h5::ValueType::str, {std::ssize(texts)}, {}, texts};
  }
};

// A value of the type of the pattern it is called with.
struct FromValue {
  const h5::Value& value;

  void require(h5::ValueType type, std::size_t rank) const {
    if (value.type != type || value.shape.size() != rank)
      fail(ErrorKind::data, "",
           std::string("is ") + h5::word_of(value.type) + " of shape " +
               h5::shape_text(value.shape) + ", expected " + h5::word_of(type) + " of rank " +
               std::to_string(rank));
  }
  template <typename T>
  FactValue numbers() const {
    require(h5::value_type_of<T>(), 1);
    const auto elements = value.as<T>();
    return std::vector<T>(elements.begin(), elements.end());
  }
  FactValue operator()(std::int64_t) const {
    require(h5::ValueType::i64, 0);
    return value.as<std::int64_t>()[0];
  }
  FactValue operator()(const std::vector<std::int64_t>&) const { return numbers<std::int64_t>(); }
  FactValue operator()(const std::vector<double>&) const { return numbers<double>(); }
  FactValue operator()(const std::string&) const {
    require(h5::ValueType::str, 0);
    return value.texts.front();
  }
  FactValue operator()(const std::vector<std::string>&) const {
    require(h5::ValueType::str, 1);
    return value.texts;
  }
};

struct ToJson {
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(const std::string& text) const { return text; }
  template <typename T>
  Json operator()(const std::vector<T>& values) const {
    return Json::array_of(values);
  }
};

struct FromJson {
  const Json& json;

  template <typename T, typename Read>
  FactValue each(const Read& read) const {
    std::vector<T> values;
    for (const Json& item : json.items()) values.push_back(read(item));
    return values;
  }
  FactValue operator()(std::int64_t) const { return json.integer(); }
  FactValue operator()(const std::string&) const { return json.string(); }
  FactValue operator()(const std::vector<std::int64_t>&) const {
    return each<std::int64_t>([](const Json& item) { return item.integer(); });
  }
  FactValue operator()(const std::vector<double>&) const {
    return each<double>([](const Json& item) { return item.number(); });
  }
  FactValue operator()(const std::vector<std::string>&) const {
    return each<std::string>([](const Json& item) { return item.string(); });
  }
};

}  // namespace

Attributes data_attributes(const DatasetInfo& data) {
  Attributes attributes;
  each_fact(data_facts(), data, [&](const DataFact& fact, const FactValue& value) {
    attributes.emplace_back(attribute_name(fact), std::visit(ToValue{}, value));
  });
  return attributes;
}

DatasetInfo data_of(const Attributes& attributes) {
  return data_from([&](const DataFact& fact, const FactValue& pattern) -> std::optional<FactValue> {
    const auto found =
        std::ranges::find(attributes, attribute_name(fact), &Attributes::value_type::first);
    if (found == attributes.end()) return std::nullopt;
    try {
      return std::visit(FromValue{found->second}, pattern);
    } catch (const Error& error) {
      throw error.within(found->first);
    }
  });
}

Json data_json(const DatasetInfo& data) {
  Json json = Json::object();
  each_fact(data_facts(), data, [&](const DataFact& fact, const FactValue& value) {
    json.set(fact.name, std::visit(ToJson{}, value));
  });
  return json;
}

DatasetInfo data_of(const Json& json) {
  return data_from([&](const DataFact& fact, const FactValue& pattern) -> std::optional<FactValue> {
    const Json* const found = json.find(fact.name);
    if (found == nullptr) return std::nullopt;
    try {
      return std::visit(FromJson{*found}, pattern);
    } catch (const Error& error) {
      throw error.within(fact.name);
    }
  });
}

void write_facts(ArtifactWriter& artifact, const std::string& prefix,
                 const std::vector<DataFact>& facts, const DatasetInfo& data) {
  each_fact(facts, data, [&](const DataFact& fact, const FactValue& value) {
    artifact.dataset(prefix + fact.name, std::visit(ToValue{}, value));
  });
}

void read_facts(const ArtifactFile& artifact, const std::string& prefix,
                const std::vector<DataFact>& facts, DatasetInfo& data) {
  for (const DataFact& fact : facts) {
    if (!artifact.has(prefix + fact.name)) continue;
    const FactValue pattern = fact.get(data);
    const h5::ValueType type = std::visit(ToValue{}, pattern).type;
    const h5::Value value = artifact.read(prefix + fact.name, type);
    try {
      fact.set(data, std::visit(FromValue{value}, pattern));
    } catch (const Error& error) {
      throw error.subject().starts_with(fact.name) ? error : error.within(fact.name);
    }
  }
}

}  // namespace logpx
