// validate-json SCHEMA FILE: exit 0 when the file obeys the schema; else says where it does not.
#include "formats/file/input.hpp"
#include "formats/json/schema.hpp"
#include "formats/json/value.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  using namespace logpx;
  if (argc != 3) return std::fputs("usage: validate-json SCHEMA FILE\n", stderr), 2;
  try {
    const JsonSchema schema(Json::parse(read_text_file(argv[1]), argv[1]));
    schema.check(Json::parse(read_text_file(argv[2]), argv[2]), argv[2]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "validate-json: %s\n", error.what()), 1;
  }
}
