# Experiments on probabilistic circuits: make reproduce-pc, and what they make of files.
# Everything lies under $(OUT)/pc/; what is there is not made again, and an interrupted training goes
# on where it stopped. The verdicts are written by scripts/recipes/pc-table.

PC_TABLE = scripts/recipes/pc-table
text_kind := $(call kind_of,text27.train.txt*)
PC := $(OUT)/pc/$(SCALE)$(if $(filter built-in,$(mnist_kind) $(text_kind)),-built-in)
TEXT := $(OUT)/data/text-$(text_kind)$(tiny).h5
pc_tool = PATH="$(abspath $(BIN)):$$PATH"
pc_fit = $(pc_tool) train-pc $1 -o $@ --force --resume $2
$(TEXT): | build
	@mkdir -p $(@D)
	$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data text $@

# --- hidden Markov models of text: dense and Monarch sums by what a symbol costs (table 6, fig. 4 of the paper) ---
# KIND-SIZE, where the factors of a Monarch sum are joined by x; each by several seeds.
PC_MODELS := $(call vae_by,dense-4 dense-8 monarch-2x2,dense-16 dense-32 dense-64 dense-128 dense-256 \
  monarch-4x4 monarch-8x8 monarch-16x16 monarch-32x32 monarch-8x8x8,dense-16 dense-32 dense-64 dense-128 dense-256 \
  dense-512 monarch-4x4 monarch-8x8 monarch-16x16 monarch-32x32 monarch-64x64 monarch-8x8x8)
PC_SEEDS := $(call vae_by,1 2,1 2 3 4 5,1 2 3)
pc_passes := --epochs $(call vae_by,1,5,20) --eval-every 0
pc_setting := --batch 128 --pseudocount 0.03
pc_part = $(word $1,$(subst -, ,$*))
pc_states = $(if $(filter dense,$(call pc_part,1)),--hidden $(call pc_part,2),--factors $(subst x,$(comma),$(call pc_part,2)))
pc_texts := $(foreach m,$(PC_MODELS),$(PC_SEEDS:%=$(PC)/text/$m-%))
$(pc_texts:%=%.h5): $(PC)/text/%.h5: $(TEXT)
	@mkdir -p $(@D)
	$(call pc_fit,$<,$(pc_states) --seed $(call pc_part,3) $(pc_setting) $(pc_passes))
pc_score = $(pc_tool) elbo-eval $< $(TEXT):valid --report $@ --force > $@.out
$(PC)/text/%.json: $(PC)/text/%.h5
	$(pc_score)
$(PC)/text/%.drawn.json: $(PC)/text/%.h5
	$(pc_tool) query-pc $< --query sample --length 256 -n 100 -o $@.csv --report $@ --force -q

# What make reproduce-pc makes; the parts below add themselves. Its table has all parts that are there, also the longer
# ones, which are made by their own targets.
PC_PARTS := reproduce-pc-text
.PHONY: reproduce-pc $(PC_PARTS) reproduce-pc-compress reproduce-pc-board reproduce-pc-density
reproduce-pc-text: $(pc_texts:%=%.json) $(pc_texts:%=%.drawn.json) ## bits per character of dense and Monarch hidden Markov models, by cost | < 10 min | 0.4 GB
	@$(pc_tool) $(PC_TABLE) text $(PC) $(TEXT) $(SCALE)
reproduce-pc: ## circuits: the claims of the paper on a text, one table of all parts with verdicts | < 20 min | 0.5 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory $(PC_PARTS)
	@$(pc_tool) $(PC_TABLE) all $(PC) $(TEXT) $(SCALE)

# --- two starts of one training: at random, and products of trained dense factors (table 2 of the paper) ---
# product-SIZES-SEED is made of factor-SIZE-SEED1, -SEED2 and so on; the trained models that began at random are those of
# text. START-SIZES-SEED.start is the model before training.
PC_STARTS := $(call vae_by,2x2,16x16 8x8x8,16x16 8x8x8)
pc_starts := $(foreach m,$(PC_STARTS),$(PC_SEEDS:%=$m-%))
pc_sizes = $(subst x, ,$1)
pc_factors = $(addsuffix .h5,$(join $(patsubst %,$(PC)/init/factor-%-$2,$(pc_sizes)),$(wordlist 1,$(words $(pc_sizes)),1 2 3)))
pc_product = product:$(subst $() ,$(comma),$(strip $(call pc_factors,$(call pc_part,2),$(call pc_part,3))))
pc_start = $(if $(filter product,$(call pc_part,1)),--init $(pc_product),--factors $(subst x,$(comma),$(call pc_part,2))) \
  --seed $(call pc_part,3) $(pc_setting)
$(PC)/init/factor-%.h5: $(TEXT)
	@mkdir -p $(@D)
	$(call pc_fit,$<,--hidden $(call pc_part,1) --seed $(call pc_part,2) $(pc_setting) $(pc_passes))
$(pc_starts:%=$(PC)/init/product-%.h5): $(PC)/init/%.h5: $(TEXT)
	$(call pc_fit,$<,$(pc_start) $(pc_passes))
$(PC)/init/%.start.h5: $(TEXT)
	@mkdir -p $(@D)
	$(call pc_fit,$<,$(pc_start) --steps 0)
$(foreach m,$(PC_STARTS),$(foreach s,$(PC_SEEDS),$(eval $(PC)/init/product-$m-$s.h5 $(PC)/init/product-$m-$s.start.h5: $(call pc_factors,$m,$s))))
$(PC)/init/%.json: $(PC)/init/%.h5
	$(pc_score)
pc_start_reports := $(pc_starts:%=text/monarch-%) $(pc_starts:%=init/random-%.start) $(pc_starts:%=init/product-%.start) \
  $(pc_starts:%=init/product-%)
PC_PARTS += reproduce-pc-init
.PHONY: reproduce-pc-init
reproduce-pc-init: $(pc_start_reports:%=$(PC)/%.json) ## hidden Markov models of text that begin as products of trained ones, and at random | < 3 min | 0.1 GB
	@$(pc_tool) $(PC_TABLE) init $(PC) $(TEXT) $(SCALE)

# --- how far Monarch sums stay behind dense ones of as many states, by their number: a fifth of the text, smaller batches ---
PC_GAP := $(call vae_by,dense-4 monarch-2x2 dense-8 monarch-2x4,dense-16 monarch-4x4 dense-64 monarch-8x8 dense-256 \
  monarch-16x16 dense-512 monarch-16x32,dense-16 monarch-4x4 dense-64 monarch-8x8 dense-256 monarch-16x16 dense-512 \
  monarch-16x32 dense-1024 monarch-32x32)
pc_gaps := $(foreach m,$(PC_GAP),$(PC_SEEDS:%=$(PC)/gap/$m-%))
$(pc_gaps:%=%.h5): $(PC)/gap/%.h5: $(TEXT)
	@mkdir -p $(@D)
	$(call pc_fit,$<,$(pc_states) --seed $(call pc_part,3) --limit 781 --batch 32 --pseudocount 0.025 $(pc_passes))
$(PC)/gap/%.json: $(PC)/gap/%.h5
	$(pc_score)
.PHONY: reproduce-pc-gap
reproduce-pc-gap: $(pc_gaps:%=%.json) ## bits that Monarch sums lose to dense ones of as many states, by their number | < 3 min | 0.1 GB
	@$(pc_tool) $(PC_TABLE) gap $(PC) $(TEXT) $(SCALE)

# --- files by circuits: a text by a Monarch hidden Markov model, pictures by trees with styles ---
# Held-out data as a file, its archive with the model and without, and back.
PC_CODED := text digits clothes
pc_tiny_pictures := --structure hclt --preset tiny --styles 2 --limit 200 --steps 20
pc_config_digits := $(call vae_by,$(pc_tiny_pictures),--preset pictures --epochs 6,--preset pictures --hidden 128 --epochs 10)
# Rich pictures: more elements, none of them broad.
pc_rich := --preset pictures --hidden 96 --dictionary 64 --peak-elements 0 --broad-elements 0
pc_config_clothes := $(call vae_by,$(pc_tiny_pictures),$(pc_rich) --epochs 5,$(pc_rich) --epochs 10)
pc_data_digits := $(MNIST)
pc_data_clothes := $(FASHION)
$(PC)/compress/text.training.h5: $(TEXT)
	@mkdir -p $(@D)
	$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data training-text $@
$(PC)/compress/text.file: $(TEXT)
	@mkdir -p $(@D)
	DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" $(pc_tool) scripts/recipes/get-data held-out-text $@
# One model for each size, whose histories are a curve over size and time; the largest codes the file. Each begins as
# the product of two dense ones of its factors' size, trained alike; four steps less make up for their time.
PC_TEXT_SIZES := $(call vae_by,2x2 4x4,16x16 32x32 64x64,16x16 32x32 64x64 128x128)
$(PC)/compress/text-factor-%.h5: $(PC)/compress/text.training.h5
	$(call pc_fit,$<,$(call vae_by,--preset tiny --steps 20,--steps 150,--epochs 3) --hidden $(call pc_part,1) \
	  --seed $(call pc_part,2) --eval-every 0)
pc_text_factors = $(foreach s,1 2,$(PC)/compress/text-factor-$(firstword $(subst x, ,$1))-$s.h5)
define pc_text_size
$(PC)/compress/text-$1.h5: $(PC)/compress/text.training.h5 $(call pc_text_factors,$1)
	$$(call pc_fit,$$<,$(call vae_by,--preset tiny --steps 20,--steps 146,--epochs 2.9) \
	  --init product:$(subst .h5 ,.h5$$(comma),$(call pc_text_factors,$1)) --eval-every $(call vae_by,5,30,0.05epochs))
endef
$(foreach s,$(PC_TEXT_SIZES),$(eval $(call pc_text_size,$s)))
$(PC)/compress/text.h5: $(PC)/compress/text-$(lastword $(PC_TEXT_SIZES)).h5
	cp $< $@
	cp $(<:.h5=.history.jsonl) $(@:.h5=.history.jsonl)
$(PC)/compress/digits.file: $(MNIST)
	$(call held_out,$(MNIST):test)
# The test file of clothes where it is at hand.
fashion_test := $(if $(fashion_file),$(shell find -L "$(dir $(fashion_file))" -name 't10k-images*idx3-ubyte*' -print -quit))
$(PC)/compress/clothes.file: $(FASHION) $(fashion_test)
	@mkdir -p $(@D)
	$(if $(fashion_test),zcat -f "$(fashion_test)" > $@.part && mv $@.part $@,$(call held_out,$(FASHION):test))
define pc_pictures
$(PC)/compress/$1.h5: $(pc_data_$1)
	@mkdir -p $$(@D)
	$$(call pc_fit,$$<,$(pc_config_$1))
endef
$(foreach d,digits clothes,$(eval $(call pc_pictures,$d)))
pc_carry = $(if $(filter text,$*),--carry)
$(PC)/compress/%.lpx: $(PC)/compress/%.h5 $(PC)/compress/%.file
	$(pc_tool) bits-back-encode --effort fast $^ -o $@ $(pc_carry) --report $(@:.lpx=.code.json) --force
	$(pc_tool) bits-back-decode $< $@ -o $@.back --report $(@:.lpx=.decode.json) --force
	cmp $@.back $(word 2,$^) && rm $@.back
	$(pc_tool) bits-back-encode --effort fast $^ -o $(@:.lpx=.whole.lpx) $(pc_carry) --embed-model --no-verify --force
$(PC)/compress/%.sizes: $(PC)/compress/%.file
	scripts/recipes/compressors $< > $@.part && mv $@.part $@
reproduce-pc-compress: $(PC_TEXT_SIZES:%=$(PC)/compress/text-%.h5) $(foreach d,$(PC_CODED),$(PC)/compress/$d.lpx $(PC)/compress/$d.sizes) ## a text and pictures coded by circuits, beside other compressors | < 15 min | 1 GB
	@$(pc_tool) $(PC_TABLE) compress $(PC) $(TEXT) $(SCALE)

# --- models of text that leave out the hidden states with the smallest messages (fig. 6 of the paper) ---
# MODEL-SEED.PERCENT.SCOPE.EXEC; what nothing is left out of has its report in text/.
PC_PRUNED := $(call vae_by,monarch-2x2,dense-256 monarch-32x32,dense-512 monarch-64x64)
PC_LEFT_OUT := $(call vae_by,50 90,50 80 90 95 99,50 80 90 95 99)
pc_pruned := $(foreach s,$(PC_SEEDS),$(foreach p,$(PC_LEFT_OUT),$(foreach w,step all,$(foreach e,dense sparse,$s.$p.$w.$e))))
pc_how_pruned = --prune-states 0.$(word 1,$1) --prune-scope $(word 2,$1) --prune-exec $(word 3,$1)
define pc_pruned_model
$(PC)/prune/$1.%.json: $(PC)/text/$1.h5
	@mkdir -p $$(@D)
	$$(pc_tool) elbo-eval $$< $(TEXT):valid $$(call pc_how_pruned,$$(subst ., ,$$*)) --report $$@ --force > $$@.out
endef
$(foreach m,$(PC_PRUNED),$(foreach s,$(PC_SEEDS),$(eval $(call pc_pruned_model,$m-$s))))
PC_PARTS += reproduce-pc-prune
.PHONY: reproduce-pc-prune
reproduce-pc-prune: $(foreach m,$(PC_PRUNED),$(PC_SEEDS:%=$(PC)/text/$m-%.json) $(pc_pruned:%=$(PC)/prune/$m-%.json)) ## bits per character from few of the hidden states | < 5 min | 0.4 GB
	@$(pc_tool) $(PC_TABLE) prune $(PC) $(TEXT) $(SCALE)

# --- what training takes of memory, by the paper's formula, by the plan and at its peak (table 3 of the paper) ---
# Two steps of each, all rows in one minibatch, by one thread; of dense-8 it is what every run takes.
pc_memory_rows := $(call vae_by,32,32,128)
PC_MEMORY := dense-8 $(call vae_by,dense-64 monarch-8x8 monarch-8x8-sqrt,\
  dense-4096 monarch-128x128 monarch-128x128-sqrt monarch-16x32x32 monarch-8x8x16x16,\
  dense-16384 monarch-512x512 monarch-512x512-sqrt monarch-64x64x64 monarch-16x16x32x32)
$(PC)/memory/data.h5: | build
	@mkdir -p $(@D)
	$(pc_tool) make-data hmm-text -n $(pc_memory_rows) --length $(call vae_by,64,64,256) --split train:rest -o $@ --force -q
$(PC)/memory/%.json: $(PC)/memory/data.h5
	$(pc_tool) env -u SOURCE_DATE_EPOCH train-pc $< -o $(@:.json=.h5) --force $(pc_states) \
	  --time-checkpoint $(or $(call pc_part,3),none) --batch $(pc_memory_rows) --shards 1 -j 1 --steps 2 --eval-every 0 --report $@
	rm -f $(@:.json=.h5) $(@:.json=.ckpt.h5)*
PC_PARTS += reproduce-pc-memory
.PHONY: reproduce-pc-memory
reproduce-pc-memory: $(PC_MEMORY:%=$(PC)/memory/%.json) ## memory of training: the paper's, the plan, and the peak | < 2 min | 0.4 GB
	@$(pc_tool) $(PC_TABLE) memory $(PC) $(PC)/memory/data.h5 $(SCALE)

# --- sets of bits whose log-likelihoods others have published: trees of hidden states, one procedure for every set ---
# The validation rows choose the number of states and how long a tree learns (STATES: for as long as unseen rows gain by
# full updates; STATES-long: 40 epochs of minibatches, of which the best are kept); the test rows judge what they chose.
pc_sets := $(if $(DATA_DIR),$(shell find -L "$(DATA_DIR)" -name '*.train.data*' -printf '%f\n' | sed 's/\.train\.data.*//' | sort -u))
PC_SETS := $(or $(call vae_by,,$(pc_sets),$(pc_sets)),mixture)
PC_SET_TREES := $(call vae_by,2 4-long,8 16 32 32-long 64-long,8 16 32 64 32-long 64-long 128-long)
pc_set_long := --em-rule stats --keep-best --epochs $(call vae_by,2,40,40)
define pc_density_of
$(PC)/density/$1/data.h5: | build
	@mkdir -p $$(@D)
	$$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data density:$1 $$@
$(PC_SET_TREES:%=$(PC)/density/$1/%.h5): $(PC)/density/$1/%.h5: $(PC)/density/$1/data.h5
	$$(call pc_fit,$$<,--structure hclt --hidden $$(firstword $$(subst -, ,$$*)) \
	  $$(if $$(findstring long,$$*),$(pc_set_long),$(call vae_by,--epochs 2)))
$(PC_SET_TREES:%=$(PC)/density/$1/%.json): %.json: %.h5
	$$(pc_tool) elbo-eval $$< $(PC)/density/$1/data.h5:valid --report $$@ --force > $$@.out
$(PC)/density/$1/test.json: $(PC_SET_TREES:%=$(PC)/density/$1/%.json)
	best=$$$$(jq -r '"\(.result.log_likelihood.value) \(.inputs[0].path)"' $$^ | sort -g | tail -n 1 | cut -d ' ' -f 2-) && \
	  $$(pc_tool) elbo-eval "$$$$best" $(PC)/density/$1/data.h5:test --report $$@ --force > $$@.out
endef
$(foreach s,$(PC_SETS),$(eval $(call pc_density_of,$s)))
reproduce-pc-density: $(PC_SETS:%=$(PC)/density/%/test.json) ## log-likelihoods of the usual sets of bits, beside published ones | < 20 min | 0.5 GB
	@$(pc_tool) $(PC_TABLE) density $(PC) $(<D)/data.h5 $(SCALE)

# --- one table: held-out digits in bits by every model and compressor at hand ---
pc_board_monarch := --structure hclt --dictionary 0 $(call vae_by,--preset tiny --factors 2$(comma)2 --limit 200 --steps 5,\
  --factors 8$(comma)8 --program 1$(comma)2$(comma)1 --epochs 1,--factors 8$(comma)8 --program 1$(comma)2$(comma)1 --epochs 5)
pc_board_hmm := --structure hmm $(call vae_by,--preset tiny --limit 200 --steps 5,--factors 16$(comma)16 --epochs 1,\
  --factors 32$(comma)32 --epochs 3)
$(PC)/board/monarch.h5 $(PC)/board/hmm.h5: $(PC)/board/%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call pc_fit,$<,$(pc_board_$*))
$(PC)/board/tree.h5: $(PC)/compress/digits.h5
	@mkdir -p $(@D)
	cp $< $@
$(PC)/board/vae.h5: $(DIGITS)/grey.h5
	@mkdir -p $(@D)
	cp $< $@
$(PC)/board/%.json: $(PC)/board/%.h5 $(PC)/compress/digits.file
	$(pc_tool) bits-back-encode --effort fast $^ -o $(@:.json=.lpx) --report $@ --no-verify --force
	$(pc_tool) bits-back-encode --effort fast $^ -o $(@:.json=.whole.lpx) --embed-model --no-verify --force
PC_BOARD := vae tree monarch hmm
reproduce-pc-board: $(PC_BOARD:%=$(PC)/board/%.json) $(PC)/compress/digits.sizes ## held-out digits in bits by every model and compressor at hand | < 15 min | 1 GB
	@$(pc_tool) $(PC_TABLE) board $(PC) $(MNIST) $(SCALE)

# --- tiles of photographs: trees of dense and of Monarch sums, and a quad-graph (table 5, fig. 7 of the paper) ---
# KIND-SIZE-TRANSFORM; a Monarch sum has three layers, and dense-39 takes as many multiply-adds as monarch-8x8. Trees
# learn by their counts and the graph by its parameters, as the tiles kept for choices have it.
PC_TILE_MODELS := $(call vae_by,dense-4 monarch-2x2 quad-4,dense-16 dense-39 dense-64 monarch-8x8 monarch-16x16 quad-64,\
  dense-16 dense-39 dense-64 dense-256 monarch-8x8 monarch-16x16 monarch-64x64 monarch-128x128 quad-64 quad-256)
pc_tiles := $(foreach m,$(PC_TILE_MODELS),$(PC)/images/$m-lossless $(PC)/images/$m-lossy)
pc_tile_dense = --structure hclt --em-rule stats --hidden $1
pc_tile_monarch = --structure hclt --em-rule stats --factors $(subst x,$(comma),$1) --program 1$(comma)2$(comma)1
pc_tile_quad = --structure quad-graph --em-rule params --hidden $1
$(PC)/images/data.h5: | build
	@mkdir -p $(@D)
	$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data tiles $@
$(pc_tiles:%=%.h5): $(PC)/images/%.h5: $(PC)/images/data.h5
	$(call pc_fit,$<,$(call pc_tile_$(call pc_part,1),$(call pc_part,2)) --tie-leaves channel \
	  --transform $(if $(filter lossy,$(call pc_part,3)),ycocg-lossy,ycocg-r) \
	  $(call vae_by,--steps 3,--samples-seen 40000,--epochs 20) --eval-every 0)
$(pc_tiles:%=%.json): %.json: %.h5
	$(pc_tool) elbo-eval $< $(PC)/images/data.h5:test --report $@ --force > $@.out
$(PC)/images/%.form.json: $(PC)/images/%-lossless.h5
	$(pc_tool) query-pc $< --query validate --report $@ --force -q > $@.out
PC_PARTS += reproduce-pc-images
.PHONY: reproduce-pc-images
reproduce-pc-images: $(pc_tiles:%=%.json) $(PC_TILE_MODELS:%=$(PC)/images/%.form.json) ## bits of tiles of photographs by trees of dense and Monarch sums and a quad-graph | < 5 min | 0.5 GB
	@$(pc_tool) $(PC_TABLE) images $(PC) $(PC)/images/data.h5 $(SCALE)

# --- subword tokens: dense and Monarch hidden Markov models of equal cost (table 4 of the paper) ---
# KIND-SIZE-SEED; left out where the tools were built without SentencePiece.
PC_TOKEN_MODELS := $(call vae_by,dense-4 monarch-2x2,dense-32 monarch-8x8 dense-256 monarch-32x32,\
  dense-32 monarch-8x8 dense-256 monarch-32x32 dense-2048 monarch-128x128)
pc_token_names := $(if $(filter without,$(shell $(pc_tool) pack-data --version 2> /dev/null | sed -n 's/^sentencepiece //p')),,\
  $(PC_TOKEN_MODELS:%=$(PC)/tokens/%-1))
$(PC)/tokens/data.h5: | build
	@mkdir -p $(@D)
	$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data tokens $@
$(PC)/tokens/test.h5: $(PC)/tokens/data.h5
	$(pc_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data held-out-tokens $@ $<
$(PC)/tokens/%.h5: $(PC)/tokens/data.h5
	$(call pc_fit,$<,$(pc_states) --epochs $(call vae_by,1,2,2) --eval-every 0)
$(PC)/tokens/%.json: $(PC)/tokens/%.h5 $(PC)/tokens/test.h5
	$(pc_tool) elbo-eval $^ --report $@ --force > $@.out
$(PC)/tokens/%.drawn.json: $(PC)/tokens/%.h5
	$(pc_tool) query-pc $< --query sample --length 128 -n 100 -o $(@:.json=.csv) --report $@ --force -q > $@.out
PC_PARTS += reproduce-pc-tokens
.PHONY: reproduce-pc-tokens
reproduce-pc-tokens: $(pc_token_names:%=%.json) $(pc_token_names:%=%.drawn.json) ## perplexity of dense and Monarch hidden Markov models of subword tokens | < 5 min | 1 GB
	@$(pc_tool) $(PC_TABLE) tokens $(PC) $(PC)/tokens/data.h5 $(SCALE)
