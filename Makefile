# The front door: `make help` lists the targets; README.md has the two commands.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# What recipes make is kept, also models that are only steps to a report.
.SECONDARY:

BUILD ?= build
PREFIX ?= /usr/local
TOOL_PREFIX ?=
LIBDIR ?= lib
SCALE ?= small
SCALES := tiny small paper
$(if $(filter 1,$(words $(SCALE))),$(if $(filter-out $(SCALES),$(SCALE)),$(error there is no SCALE=$(SCALE); there are $(SCALES))),\
  $(error SCALE is one of $(SCALES)))
DATA_DIR ?=
OUT ?= out
DEPS ?= install
DATA ?=
JOBS ?= $(shell nproc)
# Warnings are errors with the compiler that the project is kept clean for.
WERROR ?= $(if $(filter 12,$(shell g++ -dumpversion 2> /dev/null)),ON,OFF)
FUZZ_SECONDS ?= 60
TRUST_SCALE ?= full
SECTIONS ?=
BIN := $(BUILD)/bin
comma := ,
GENERATOR = $(if $(shell command -v ninja),-G Ninja)
configure = cmake -S . -B $(1) $(GENERATOR) -DLOGPX_WERROR=$(WERROR) $(2) > $(1).configure.log \
  || { cat $(1).configure.log >&2; exit 1; }

.PHONY: all deps build tests man check check-unit check-cli check-pipelines check-layers check-style \
  check-batches check-options check-man check-headers check-examples check-long check-asan check-arm64 check-builds update-cli clang \
  demo bench bench-peers bench-ranks bench-files bench-parts fuzz trust site dist deb check-package container install \
  reproduce-all uninstall list help clean

all: build ## build the tools into build/bin (packages: make deps)

deps: ## install what is missing of the Debian packages (DEPS=skip only prints them)
ifeq ($(DEPS),skip)
	@scripts/deps --list
else
	@scripts/deps
endif

build:
	@command -v cmake > /dev/null || { echo "make: cmake is missing; try: make deps" >&2; exit 1; }
	@mkdir -p $(BUILD)
	@$(call configure,$(BUILD))
	@scripts/timed "built the tools" cmake --build $(BUILD) -j $(JOBS)

tests: build
	@scripts/timed "built the tests" cmake --build $(BUILD) -j $(JOBS) \
	  --target logpx-tests validate-json watch-crashes train-fixture train-counts train-gauss make-chemnet \
	  bits-back-fixture lone-decoder

man: build ## make the manual pages in build/man
	scripts/make-man $(BIN) $(BUILD)/man

check: ## the tests: builds, unit, golden, command line, manuals, layers (installs packages first)
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory tests
	@$(MAKE) --no-print-directory check-layers check-style check-batches check-examples
	@$(MAKE) --no-print-directory check-unit
	@$(MAKE) --no-print-directory check-cli check-options check-man check-pipelines
	@echo "make check: all tests passed"

check-unit:
	@scripts/run-unit-tests $(JOBS) $(BIN)/logpx-tests

check-options:
	@scripts/check-options --bin $(BIN) --jobs $(JOBS) words

check-cli:
	@rm -f $(BUILD)/hint-places
	HINT_PLACES=$(abspath $(BUILD))/hint-places scripts/run-cli-tests --bin $(BIN) --jobs $(JOBS)
	@scripts/check-hints $(BUILD)/hint-places

check-pipelines:
	@scripts/run-pipelines $(BUILD) tiny $(JOBS)

check-layers:
	@scripts/check-layers
check-style:
	@scripts/check-style
check-batches:
	@scripts/check-batches
check-man:
	@scripts/check-man --bin $(BIN) --jobs $(JOBS)
check-headers: build
	@scripts/check-headers $(BUILD) $(JOBS)
check-examples: build
	@scripts/check-examples $(BUILD)

check-long: check ## the tests, every pipeline at SCALE=small, every option at both ends, stated errors against seeds, all tools under sanitizers
	@scripts/check-options --bin $(BIN) --jobs $(JOBS) ranges
	@$(MAKE) --no-print-directory check-asan-tools
	@scripts/run-pipelines $(BUILD) small $(JOBS)
	@scripts/run-unit-tests $(JOBS) $(BIN)/logpx-tests --no-skip "-tc=coverage:*"

# What the sanitizers look at is built by Clang, in half of GCC's time; it is a second compiler that must give the same
# bits. Unit tests that ask how good numbers become are left out (tests/support/sanitizers.hpp), as are the golden ones.
# What the tests of the tools make their data with is the ordinary build. The tools that read foreign files are tested
# so each time; in check-long all are. `make fuzz` sees every branch that an input takes, which makes a build of its
# own, half as fast.
CLANG ?= clang++-19
READERS := pack-data bits-back-decode query-pc fid-extrapolate sample-its view-samples
configure_by_clang = mkdir -p $(BUILD) && $(call configure,$(1),-DLOGPX_WERROR=OFF -DCMAKE_CXX_COMPILER=$(CLANG) \
  -DLOGPX_FUZZ=ON -DLOGPX_SANITIZE=$(2)address$(comma)undefined)
clang:
ifneq ($(DEPS),skip)
	@scripts/deps clang
endif
check-asan: tests clang ## by Clang, under address and undefined-behaviour sanitizers: the unit tests (but for those of numbers), what reads foreign files, 3,000 inputs of each fuzz target
	@$(call configure_by_clang,$(BUILD)/asan,)
	@scripts/timed "built what is sanitized" cmake --build $(BUILD)/asan -j $(JOBS) --target logpx-tests $(READERS) fuzzers
	@scripts/run-unit-tests $(JOBS) $(BUILD)/asan/bin/logpx-tests
	@scripts/run-cli-tests --sanitized $(BUILD)/asan/bin --bin $(BIN) --jobs $(JOBS) $(READERS:%=%/)
	@scripts/run-fuzz $(BUILD)/asan 3000 $(JOBS)

check-asan-tools: tests clang
	@$(call configure_by_clang,$(BUILD)/asan,)
	cmake --build $(BUILD)/asan -j $(JOBS) --target all bits-back-fixture
	@scripts/run-cli-tests --sanitized $(BUILD)/asan/bin --bin $(BIN) --jobs $(JOBS)

check-arm64: ## rng, det, golden coding values and generator hashes on AArch64 under qemu
ifneq ($(DEPS),skip)
	@scripts/deps arm64
endif
	scripts/check-arm64

check-builds: tests check-headers ## each header alone; the unit tests without the optional parts, and with other builds of OpenBLAS
	scripts/check-builds $(BIN)

update-cli: build ## rewrite the expectations of tests/cli from what happens (read the diff)
	scripts/run-cli-tests --bin $(BIN) --update

demo: ## a tour in two minutes: a model trained, measured, drawn from; a file compressed (out/demo)
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory build
	@PATH="$(abspath $(BIN)):$$PATH" bash -eu -o pipefail scripts/demo $(OUT)/demo

bench: build ## how fast the tools and the kernels are, next to others in the same run (out/bench) | < 10 min | 1 GB
	@PATH="$(abspath $(BIN)):$$PATH" DATA_DIR=$(DATA_DIR) bash -eu -o pipefail scripts/bench-data $(OUT)/bench
	cmake --build $(BUILD) -j $(JOBS) --target logpx-bench
	$(BIN)/logpx-bench --json $(OUT)/bench/bench-kernels.json
	scripts/roofline $(OUT)/bench/bench-kernels.json | tee $(OUT)/bench/roofline.md

bench-peers: build ## training steps and answers next to those of others on this CPU: a file of scripts/peers each (out/bench-peers) | < 60 min | 2 GB
	cmake --build $(BUILD) -j $(JOBS) --target logpx-bench
	scripts/bench-peers $(BUILD) $(OUT)/bench-peers

bench-ranks: build ## what training over several processes sends, counted and timed, with a model for 64 and 1,024 of them (out/bench) | < 5 min | 1 GB
	cmake --build $(BUILD) -j $(JOBS) --target logpx-bench
	scripts/bench-ranks $(BUILD) $(OUT)/bench

bench-files: build ## archives next to other compressors, on files of Debian packages, wheels and DATA_DIR: a table, and whether each bar holds (SECTIONS=..., out/bench-files) | < 60 min | 2 GB
	cmake --build $(BUILD) -j $(JOBS) --target every-form
	@mkdir -p $(OUT)/bench-files
	@PATH="$(abspath $(BIN)):$(abspath $(BUILD)/test-bin):$$PATH" DATA_DIR=$(DATA_DIR) scripts/bench-files $(OUT)/bench-files $(SECTIONS) | \
	  tee $(OUT)/bench-files/table.md

bench-parts: build ## what each part of the adaptive coder is worth, in bytes and seconds, over files of DATA_DIR | < 60 min | 0.5 GB
	cmake --build $(BUILD) -j $(JOBS) --target coder-parts
	@mkdir -p $(OUT)/bench
	DATA_DIR=$(DATA_DIR) scripts/ablate-coder $(BUILD) > $(OUT)/bench/parts.md.part
	@mv $(OUT)/bench/parts.md.part $(OUT)/bench/parts.md && cat $(OUT)/bench/parts.md

fuzz: clang ## fuzz the readers of foreign files with Clang's libFuzzer (FUZZ_SECONDS each)
	@$(call configure_by_clang,$(BUILD)/fuzz,fuzzer-no-link$(comma))
	cmake --build $(BUILD)/fuzz -j $(JOBS) --target fuzzers
	@scripts/run-fuzz $(BUILD)/fuzz $(FUZZ_SECONDS)s $(JOBS)

trust: tests ## kill, starve, interrupt and deceive the tools, many times, and count what was lost: logpx-trust(7) (TRUST_SCALE=tiny, out/trust)
	scripts/trust $(BIN) $(OUT)/trust $(TRUST_SCALE) $(JOBS)

site: man ## README, manuals and all documents as pages, every link followed (out/site)
	scripts/site $(BUILD)/man $(OUT)

dist: ## a tarball of the tree, which builds without git (out/)
	@scripts/dist $(OUT)

deb: ## Debian packages of the tree (out/deb)
ifneq ($(DEPS),skip)
	@scripts/deps packages
endif
	@JOBS=$(JOBS) scripts/package $(OUT)

check-package: deb ## the packages in a bare Debian 12: lintian, installed, used, upgraded, purged (needs root)
	@scripts/check-package $(OUT)

container: ## an image with the tools on Debian slim (podman or buildah)
	@scripts/container

install: build man ## install tools, library, manuals and completions (PREFIX, DESTDIR, TOOL_PREFIX, LIBDIR)
	@scripts/install install "$(BUILD)" "$(DESTDIR)$(PREFIX)" "$(TOOL_PREFIX)" "$(LIBDIR)"

uninstall: ## remove what install put there
	@scripts/install uninstall "$(BUILD)" "$(DESTDIR)$(PREFIX)" "$(TOOL_PREFIX)" "$(LIBDIR)"

include scripts/recipes/vae.mk scripts/recipes/kaem.mk scripts/recipes/judges.mk scripts/recipes/mnist.mk \
  scripts/recipes/pc.mk scripts/recipes/vdm.mk scripts/recipes/vdm-claims.mk scripts/recipes/vdm-paper.mk \
  scripts/recipes/loarm.mk scripts/recipes/molecules.mk

# Every experiment there is, each with its parts; one that fails does not keep the others from running.
reproduce-all: ## every experiment, their tables in out/RESULTS.md | < 34 h | 3 GB
	@failed=; for target in $$(scripts/list-targets $(MAKEFILE_LIST) | cut -f 1 | grep '^reproduce-' | grep -vx $@); do \
	  $(MAKE) --no-print-directory $$target || failed+=" $$target"; done; \
	PATH="$(abspath $(BIN)):$$PATH" scripts/recipes/results $(OUT) $(SCALE) > $(OUT)/RESULTS.md.part && mv $(OUT)/RESULTS.md.part $(OUT)/RESULTS.md; \
	echo "the tables: $(OUT)/RESULTS.md"; [ -z "$$failed" ] || { echo "make: failed:$$failed" >&2; exit 1; }

list: ## experiments and benchmarks, with time and memory at SCALE=small on two cores
	@scripts/list-targets $(MAKEFILE_LIST) | \
	  awk -F '\t' '/^(reproduce|bench)/ { printf "%-27s %9s %7s  %s\n", $$1, $$3, $$4, $$2 }'

help: ## this list
	@echo "logpx: tools for likelihood-based generative models"; echo
	@scripts/list-targets $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-16s %s\n", $$1, $$2 }'
	@echo; echo "variables: SCALE=tiny|small|paper DATA_DIR=FOLDER OUT=FOLDER DEPS=skip PREFIX= TOOL_PREFIX= JOBS="

clean: ## remove build and out
	rm -rf $(BUILD) $(BUILD).configure.log $(OUT)
