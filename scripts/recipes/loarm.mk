# Experiments on models that learn their order: make reproduce-loarm, or one of its parts.
# Everything lies under $(OUT)/loarm/; what is there is not made again, and an interrupted
# training goes on where it stopped. The verdicts are written by scripts/recipes/loarm-table.

LOARM_TABLE = scripts/recipes/loarm-table
LOARM := $(OUT)/loarm/$(SCALE)
loarm_tool = PATH="$(abspath $(BIN)):$$PATH"
loarm_train = $(loarm_tool) train-arm $1 -o $@ --force --resume $2
loarm_eval = $(loarm_tool) elbo-eval $1 --report $@ --force > $@.out
# The step at which each value became known, over so many draws with options of their own, as a table.
loarm_draws := $(call vae_by,20,1000,4000)
loarm_ranks = $(loarm_tool) sample-model $1 $2 -n $(loarm_draws) --order-trace steps -o $(@:.csv=.orders.h5) --force; \
  $(loarm_tool) view-samples $(@:.csv=.orders.h5) --order-map --rows 0:$(loarm_draws) > $@.part; mv $@.part $@
define loarm_map
	$(loarm_tool) view-samples $(<:.csv=.orders.h5) --order-map --rows 0:$(loarm_draws) --scale 12 -o $@ --force
endef

LOARM_PARTS := reproduce-loarm-toy reproduce-loarm-mol reproduce-loarm-mnist reproduce-loarm-order
.PHONY: reproduce-loarm $(LOARM_PARTS)

# --- eight symbols, six of them led by a hidden hub: does a learned order pay, and what is its gap ---
LOARM_TOY := $(LOARM)/toy
LOARM_SEEDS := $(call vae_by,1 2,1 2 3,1 2 3)
LOARM_WAYS := ao st-st st-sep
loarm_way_ao := --model ao
loarm_way_st-st := --policy shared --variational shared
loarm_way_st-sep := --policy shared --variational separate
loarm_toy_steps := $(call vae_by,20,8000,40000)
$(LOARM_TOY)/hub.h5: | build
	@mkdir -p $(@D)
	$(loarm_tool) make-data hub -n $(call vae_by,600,2052000,10252000) --split test:$(call vae_by,100,4000,4000),train:rest -o $@ --force
LOARM_RUNS := $(foreach s,$(LOARM_SEEDS),$(LOARM_WAYS:%=%.$s))
$(LOARM_RUNS:%=$(LOARM_TOY)/%.h5): $(LOARM_TOY)/%.h5: $(LOARM_TOY)/hub.h5
	$(loarm_tool) train-arm $< -o $@ --force --resume $(loarm_way_$(basename $*)) --seed $(subst .,,$(suffix $*)) \
	  --net mlp --hidden 64,64 --batch $(call vae_by,20,256,256) --lr 2e-3 --steps $(loarm_toy_steps) \
	  --lr-warmup $(call vae_by,0,500,500) --eval-every $(call vae_by,10,500,2000)
loarm_scored := --limit $(call vae_by,10,400,4000)
$(LOARM_TOY)/%.exact.json: $(LOARM_TOY)/%.h5
	$(loarm_tool) elbo-eval $< $(LOARM_TOY)/hub.h5:test $(loarm_scored) --method exact --report $@ --force > $@.out
$(LOARM_TOY)/%.bound.h5: $(LOARM_TOY)/%.h5
	$(loarm_tool) elbo-eval $< $(LOARM_TOY)/hub.h5:test $(loarm_scored) --samples $(call vae_by,2,64,64) \
	  --per-example $@ --force > $@.out
LOARM_PAIRS := $(foreach s,$(LOARM_SEEDS),st-st.$s st-sep.$s)
define loarm_gains
$(LOARM_TOY)/st-st.$1.gain.json $(LOARM_TOY)/st-sep.$1.gain.json: $(LOARM_TOY)/%.gain.json: $(LOARM_TOY)/%.bound.h5 $(LOARM_TOY)/ao.$1.bound.h5
	$$(loarm_tool) elbo-eval --compare $$<,$(LOARM_TOY)/ao.$1.bound.h5 --report $$@ --force > $$@.out
endef
$(foreach s,$(LOARM_SEEDS),$(eval $(call loarm_gains,$s)))
reproduce-loarm-toy: $(LOARM_RUNS:%=$(LOARM_TOY)/%.exact.json) $(LOARM_PAIRS:%=$(LOARM_TOY)/%.gain.json) ## learned orders of eight symbols beside any order, and their exact gaps | < 10 min | 0.3 GB
	@$(loarm_tool) $(LOARM_TABLE) toy $(LOARM) $(LOARM_TOY)/hub.h5 $(SCALE) "$(LOARM_SEEDS)"

# --- digits: any order beside a learned one in four shades of 14x14, maps of it; bits of 28x28 ---
# LOARM_MNIST is that of mnist.mk.
loarm_shades = --levels 4 $(call vae_by,--preset tiny --net mlp --hidden 16,--preset small,--preset mnist)
loarm_shades_steps := $(call vae_by,--steps 20 --eval-every 10,--steps 2000 --lr 2e-3 --lr-warmup 100 --eval-every 250,--steps 100000 --eval-every 2000)
loarm_shades_ao := --model ao
loarm_shades_lo := --warmup-uniform $(call vae_by,10,1000,50000)
$(LOARM_MNIST)/ao.h5 $(LOARM_MNIST)/lo.h5: $(LOARM_MNIST)/%.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(call loarm_train,$<,$(loarm_shades) $(loarm_shades_steps) $(loarm_shades_$*))
loarm_mnist_scored := --limit $(call vae_by,20,2000,10000)
$(LOARM_MNIST)/ao.bound.json $(LOARM_MNIST)/lo.bound.json: $(LOARM_MNIST)/%.bound.json: $(LOARM_MNIST)/%.h5
	$(call loarm_eval,$< $(MNIST14):test $(loarm_mnist_scored) --per-example $(@:.json=.h5))
$(LOARM_MNIST)/lo.gain.json: $(LOARM_MNIST)/lo.bound.json $(LOARM_MNIST)/ao.bound.json
	$(loarm_tool) elbo-eval --compare $(<:.json=.h5),$(@D)/ao.bound.h5 --report $@ --force > $@.out
$(LOARM_MNIST)/lo.csv $(DIGITS)/loarm.csv: %.csv: %.h5
	$(call loarm_ranks,$<)
# Maps, from black to white; what came next, what was known, and the picture, after some steps of a few draws.
loarm_frames_lo := 1$(comma)10$(comma)20$(comma)50$(comma)100$(comma)150$(comma)196
loarm_frames_bits := 1$(comma)10$(comma)20$(comma)100$(comma)300$(comma)600$(comma)760
$(LOARM_MNIST)/lo.order.png $(DIGITS)/loarm.order.png: %.order.png: %.csv
	$(loarm_map)
$(LOARM_MNIST)/%.path.png: $(LOARM_MNIST)/%.h5
	$(loarm_tool) sample-model $< -n 3 --order-trace all -o $(@:.png=.h5) --force
	$(loarm_tool) view-samples $(@:.png=.h5) --order-frames $(loarm_frames_$*) --scale 3 -o $@ --force
$(LOARM_MNIST)/%.samples.png: $(LOARM_MNIST)/%.h5
	$(loarm_tool) sample-model $< -n 100 -o $(@:.png=.h5) --force
	$(loarm_tool) view-samples $(@:.png=.h5) --grid 20x5 --scale 2 -o $@ --force
# Ten held-out digits of which the upper half is given; five draws of the lower one.
loarm_half = $(loarm_tool) sample-model $< --given $1 --known rows:0-$2 --index 0:10 -n 5 -o $(@:.png=.h5) --force
$(LOARM_MNIST)/ao.halves.png $(LOARM_MNIST)/lo.halves.png: $(LOARM_MNIST)/%.halves.png: $(LOARM_MNIST)/%.h5
	$(call loarm_half,$(MNIST14):test,6)
	$(loarm_tool) view-samples $(@:.png=.h5) --grid 10x5 --scale 4 -o $@ --force
$(LOARM_MNIST)/bits.halves.png: $(LOARM_MNIST)/bits.h5
	$(call loarm_half,$(MNIST):test,13)
	$(loarm_tool) view-samples $(@:.png=.h5) --grid 10x5 --scale 2 -o $@ --force
$(LOARM_MNIST)/bits.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call loarm_train,$<,--binarise static --net mlp $(call vae_by,--preset tiny --hidden 16 --steps 20 --eval-every 10,\
	  --hidden 512$(comma)512 --steps 6000 --eval-every 500,--preset mnist --net unet --eval-every 2000) \
	  --warmup-uniform $(call vae_by,10,4000,50000))
$(LOARM_MNIST)/bits.bound.json: $(LOARM_MNIST)/bits.h5
	$(call loarm_eval,$< $(MNIST):test $(call vae_by,--limit 10,,))

# The first held-out digits of 14x14, as the model reads them, coded in every order, and by any order in so many looks
# at the network.
LOARM_ORDERS := policy greedy fixed any
LOARM_CODED := $(LOARM_ORDERS) any-50 any-20 any-10
loarm_coder = $(LOARM_MNIST)/$(if $(filter any%,$1),ao,lo).h5
loarm_knobs = --arm-order $(if $(filter any%,$1),policy,$1) $(patsubst any-%,--parallel-steps %,$(filter any-%,$1))
loarm_coded_rows := --limit $(call vae_by,4,200,1000)
$(LOARM_MNIST)/data.idx: $(LOARM_MNIST)/ao.h5
	$(call held_out_bits,$(MNIST14):test $(loarm_coded_rows))
$(LOARM_CODED:%=$(LOARM_MNIST)/%.lpx): $(LOARM_MNIST)/%.lpx: $(LOARM_MNIST)/ao.h5 $(LOARM_MNIST)/lo.h5 $(LOARM_MNIST)/data.idx
	$(loarm_tool) bits-back-encode --effort fast $(call loarm_coder,$*) $(@D)/data.idx -o $@ $(call loarm_knobs,$*) \
	  --report $(@:.lpx=.code.json) --no-verify --force
	$(loarm_tool) bits-back-decode $(call loarm_coder,$*) $@ -o $@.back --report $(@:.lpx=.decode.json) --force
	cmp $@.back $(@D)/data.idx && rm $@.back
$(LOARM_ORDERS:%=$(LOARM_MNIST)/%.det.json): $(LOARM_MNIST)/%.det.json: $(LOARM_MNIST)/ao.h5 $(LOARM_MNIST)/lo.h5
	$(call loarm_eval,$(call loarm_coder,$*) $(MNIST14):test $(loarm_coded_rows) --det $(call loarm_knobs,$*) --per-example $(@:.json=.csv))
$(LOARM_MNIST)/data.sizes: $(LOARM_MNIST)/data.idx
	scripts/recipes/compressors $< > $@.part && mv $@.part $@
LOARM_MNIST_PARTS := ao.bound.json lo.bound.json lo.gain.json lo.order.png lo.path.png ao.samples.png lo.samples.png \
  ao.halves.png lo.halves.png bits.bound.json bits.path.png bits.samples.png bits.halves.png data.sizes \
  $(LOARM_CODED:%=%.lpx) $(LOARM_ORDERS:%=%.det.json)
reproduce-loarm-mnist: $(LOARM_MNIST_PARTS:%=$(LOARM_MNIST)/%) ## digits in a learned order: bounds, maps, halves completed, coded in every order | < 60 min | 0.6 GB
	@$(loarm_tool) $(LOARM_TABLE) $(notdir $(LOARM_MNIST)) $(LOARM) $(MNIST14) $(SCALE) $(DIGITS)

# --- the orders that seeds arrive at, of eight symbols and of digits ---
LOARM_ORDER := $(LOARM)/order$(if $(filter given,$(mnist_kind)),,-built-in)
$(LOARM_SEEDS:%=$(LOARM_ORDER)/digits.%.h5): $(LOARM_ORDER)/digits.%.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(call loarm_train,$<,--levels 4 --seed $* --net mlp $(call vae_by,--preset tiny --hidden 16 --steps 20,\
	  --steps 3000 --warmup-uniform 1500 --lr 2e-3 --lr-warmup 100,--steps 100000 --warmup-uniform 50000) --eval-every $(call vae_by,10,500,2000))
$(LOARM_SEEDS:%=$(LOARM_ORDER)/hub.%.h5): $(LOARM_ORDER)/hub.%.h5: $(LOARM_TOY)/st-sep.%.h5
	@mkdir -p $(@D)
	cp $< $@
	cp $(<:.h5=.history.jsonl) $(@:.h5=.history.jsonl)
LOARM_ORDERED := $(foreach d,hub digits,$(LOARM_SEEDS:%=$d.%))
# Draws with the same seed would have orders that are alike.
$(LOARM_ORDERED:%=$(LOARM_ORDER)/%.csv): $(LOARM_ORDER)/%.csv: $(LOARM_ORDER)/%.h5
	$(call loarm_ranks,$<,--seed $(subst .,,$(suffix $*)))
$(LOARM_SEEDS:%=$(LOARM_ORDER)/digits.%.order.png): $(LOARM_ORDER)/%.order.png: $(LOARM_ORDER)/%.csv
	$(loarm_map)
reproduce-loarm-order: $(LOARM_ORDERED:%=$(LOARM_ORDER)/%.csv) $(LOARM_SEEDS:%=$(LOARM_ORDER)/digits.%.order.png) ## the orders that several seeds learn, and how far they agree | < 30 min | 0.4 GB
	@$(loarm_tool) $(LOARM_TABLE) $(notdir $(LOARM_ORDER)) $(LOARM) $(MNIST14) $(SCALE) "$(LOARM_SEEDS)"

# --- molecules of three to five atoms: which way to an order bounds them best, and what draws are worth ---
# SEEDS="1 2 3", VARIANTS="ao st-sep st-sep-warm st-sep-entropy st-sep-kl st-sep-paths" and STEPS= make other runs
# of the same.
# All nets are told of rings and valences; without (VARIANTS="ao-untold biased-untold", of any) they see no bonds
# where they know no atom, and an order that begins with bonds is judged by that.
LOARM_MOL := $(LOARM)/mol
LOARM_MOL_SEEDS := $(or $(SEEDS),1)
LOARM_MOL_WAYS := $(or $(VARIANTS),ao biased st-st st-sep ent-st)
loarm_mol_steps := $(or $(STEPS),$(call vae_by,20,20000,200000))
loarm_mol_ways := $(call vae_by,--max-atoms 4,,)
loarm_way_biased := --model biased
loarm_way_ent-st := --policy entropy --variational shared
loarm_way_st-sep-warm := $(loarm_way_st-sep) --warmup-uniform $(shell expr $(loarm_mol_steps) / 4)
loarm_way_st-sep-entropy := $(loarm_way_st-sep) --q-entropy 1:$(shell expr $(loarm_mol_steps) / 2)
loarm_way_st-sep-kl := $(loarm_way_st-sep) --kl-weight 0.3:$(shell expr $(loarm_mol_steps) / 2)
loarm_way_st-sep-paths := $(loarm_way_st-sep) --paths 4
loarm_mol_way = $(loarm_way_$(1:-untold=)) $(if $(filter %-untold,$1),,--extra-features cycles)
$(LOARM_MOL)/mol.h5: | build
	@mkdir -p $(@D)
	$(loarm_tool) make-data molecules $(loarm_mol_ways) -o $@ --force
# All that log p(x) itself can be had of.
$(LOARM_MOL)/few.h5: | build
	@mkdir -p $(@D)
	$(loarm_tool) make-data molecules --max-atoms 4 -o $@ --force
LOARM_MOL_RUNS := $(foreach s,$(LOARM_MOL_SEEDS),$(LOARM_MOL_WAYS:%=%.$s))
$(LOARM_MOL_RUNS:%=$(LOARM_MOL)/%.h5): $(LOARM_MOL)/%.h5: $(LOARM_MOL)/mol.h5
	$(loarm_tool) train-arm $< -o $@ --force --resume $(call loarm_mol_way,$(basename $*)) --seed $(subst .,,$(suffix $*)) \
	  --preset $(call vae_by,tiny,small,small) --batch $(call vae_by,8,128,128) --steps $(loarm_mol_steps) \
	  --lr-warmup $(call vae_by,0,500,500) --eval-every $(call vae_by,5,500,2000)
$(LOARM_MOL)/%.bound.json: $(LOARM_MOL)/%.h5
	$(loarm_tool) elbo-eval $< $(LOARM_MOL)/mol.h5:test $(call vae_by,--limit 10,,) --samples $(call vae_by,2,8,8) \
	  --per-example $(@:.json=.h5) --report $@ --force > $@.out
$(LOARM_MOL)/%.exact.json: $(LOARM_MOL)/%.h5 $(LOARM_MOL)/few.h5
	$(loarm_tool) elbo-eval $< $(LOARM_MOL)/few.h5:train --limit $(call vae_by,3,100,400) --method exact \
	  --report $@ --force > $@.out
loarm_mol_drawn := $(call vae_by,120,2000,10000)
$(LOARM_MOL)/%.drawn: $(LOARM_MOL)/%.h5
	$(loarm_tool) sample-model $< -n $(loarm_mol_drawn) -o $(@:.drawn=.samples.h5) --force
	$(loarm_tool) view-samples $(@:.drawn=.samples.h5) --as graph --rows 0:$(loarm_mol_drawn) > $@.part
	mv $@.part $@
# The held-out ones as one file, and back.
$(LOARM_MOL)/%.restored: $(LOARM_MOL)/%.h5
	$(loarm_tool) bits-back-encode --effort fast $< --dataset $(LOARM_MOL)/mol.h5:test $(call vae_by,--limit 10,,) \
	  -o $(@:.restored=.lpx) --report $(@:.restored=.code.json) --force
	$(loarm_tool) bits-back-decode --test $< $(@:.restored=.lpx)
	touch $@
# When each kind of part became known, over draws with their orders.
$(LOARM_MOL)/%.template.csv: $(LOARM_MOL)/%.h5
	$(loarm_tool) sample-model $< -n $(loarm_draws) --order-trace steps -o $(@:.template.csv=.orders.h5) --force
	$(loarm_tool) view-samples $(@:.template.csv=.orders.h5) --order-template ENA --rows 0:$(loarm_draws) > $@.part
	mv $@.part $@
# Held-out ones in every order, as one array and back: by a learned order and by any.
loarm_mol_seed := $(firstword $(LOARM_MOL_SEEDS))
loarm_mol_coder := $(firstword $(filter st-sep,$(LOARM_MOL_WAYS)) $(filter st-st,$(LOARM_MOL_WAYS)))
LOARM_MOL_CODED := $(if $(loarm_mol_coder),policy greedy fixed) $(if $(filter ao,$(LOARM_MOL_WAYS)),any)
loarm_mol_model = $(LOARM_MOL)/$(if $(filter any,$1),ao,$(loarm_mol_coder)).$(loarm_mol_seed).h5
loarm_mol_rows := $(LOARM_MOL)/mol.h5:test --limit $(call vae_by,10,400,400)
$(LOARM_MOL)/coded.npy: $(LOARM_MOL)/mol.h5
	$(loarm_tool) bits-back-encode --fallback-only --dataset $(loarm_mol_rows) -o $(@:.npy=.plain.lpx) --force
	$(loarm_tool) bits-back-decode $(@:.npy=.plain.lpx) --to npy -o $@ --force
define loarm_mol_codes
$(LOARM_MOL)/coded.$1.lpx: $(loarm_mol_model) $(LOARM_MOL)/coded.npy
	$$(loarm_tool) bits-back-encode --effort fast $$^ -o $$@ $(loarm_knobs) --report $$(@:.lpx=.code.json) --no-verify --force
	$$(loarm_tool) bits-back-decode $$< $$@ -o $$@.back --report $$(@:.lpx=.decode.json) --force
	cmp $$@.back $(LOARM_MOL)/coded.npy && rm $$@.back
$(LOARM_MOL)/coded.$1.det.json: $(loarm_mol_model)
	$$(call loarm_eval,$$< $(loarm_mol_rows) --det $(loarm_knobs) --per-example $$(@:.json=.csv))
endef
$(foreach c,$(LOARM_MOL_CODED),$(eval $(call loarm_mol_codes,$c)))
loarm_mol_learned := $(if $(filter ao,$(LOARM_MOL_WAYS)),$(filter-out ao,$(LOARM_MOL_WAYS)))
LOARM_MOL_GAINS := $(foreach s,$(LOARM_MOL_SEEDS),$(loarm_mol_learned:%=$(LOARM_MOL)/%.$s.gain.json))
define loarm_mol_gains
$(loarm_mol_learned:%=$(LOARM_MOL)/%.$1.gain.json): $(LOARM_MOL)/%.gain.json: $(LOARM_MOL)/%.bound.json $(LOARM_MOL)/ao.$1.bound.json
	$$(loarm_tool) elbo-eval --compare $$(<:.json=.h5),$(LOARM_MOL)/ao.$1.bound.h5 --report $$@ --force > $$@.out
endef
$(foreach s,$(LOARM_MOL_SEEDS),$(eval $(call loarm_mol_gains,$s)))
reproduce-loarm-mol: $(foreach r,$(LOARM_MOL_RUNS),$(patsubst %,$(LOARM_MOL)/$r.%,bound.json exact.json drawn restored template.csv)) $(LOARM_MOL_GAINS) \
  $(foreach c,$(LOARM_MOL_CODED),$(LOARM_MOL)/coded.$c.lpx $(LOARM_MOL)/coded.$c.det.json) ## small molecules in any order, by bonds first, and in learned ones: bounds, exact log p(x), draws | < 60 min | 0.5 GB
	@$(loarm_tool) LOARM_WAYS="$(LOARM_MOL_WAYS)" $(LOARM_TABLE) mol $(LOARM) $(LOARM_MOL)/mol.h5 $(SCALE) "$(LOARM_MOL_SEEDS)"

reproduce-loarm: ## all experiments on learned orders, one table with verdicts | < 150 min | 0.6 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory $(LOARM_PARTS)
	@$(loarm_tool) $(LOARM_TABLE) all $(LOARM) $(LOARM_TOY)/hub.h5 $(SCALE)
