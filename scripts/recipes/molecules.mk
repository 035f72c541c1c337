# Real molecules in learned orders: make reproduce-molecules, or one of its parts.
# Everything lies under $(OUT)/molecules/; what is there is not made again, and an interrupted training goes on where
# it stopped. SEEDS="1 2 3", VARIANTS="ao st-sep" and CHEMNET=FILE (scripts/convert-chemnet) make other runs of the same.
# Without RDKit the measures and pictures of molecules are left out. The verdicts are written by molecules-table.

MOLECULES_TABLE = scripts/recipes/molecules-table
MOLECULES := $(OUT)/molecules/$(SCALE)
with_chemistry = $(loarm_tool) scripts/recipes/with-chemistry $@
MOLECULES_SEEDS := $(or $(SEEDS),$(call vae_by,1,1,1 2 3))
molecules_seed := $(firstword $(MOLECULES_SEEDS))
molecules_chemnet := $(or $(CHEMNET),$(if $(DATA_DIR),$(shell find -L "$(DATA_DIR)" -name chemnet.h5 -print -quit)))
molecules_all_ways := ao biased ent-st ent-sep st-st st-sep
loarm_way_ent-sep := --policy entropy --variational separate

MOLECULES_PARTS := reproduce-loarm-qm9 reproduce-loarm-zinc reproduce-loarm-topp reproduce-loarm-templates reproduce-loarm-coding
.PHONY: reproduce-molecules $(MOLECULES_PARTS)

# --- both sets of molecules: the bound of every way to an order, and what its draws are worth ---
MOLECULES_WAYS_qm9 := $(or $(VARIANTS),$(call vae_by,ao biased st-sep,$(molecules_all_ways),$(molecules_all_ways)))
MOLECULES_WAYS_zinc := $(or $(VARIANTS),$(call vae_by,ao st-sep,ao biased st-st st-sep,$(molecules_all_ways)))
molecules_set_qm9 := qm9
molecules_set_zinc := zinc250k
molecules_preset_qm9 := $(call vae_by,tiny,small,qm9)
molecules_preset_zinc := $(call vae_by,tiny,small,zinc250k)
# An hour a way at SCALE=small; the steps are those that the rate of learning falls over.
molecules_length := $(call vae_by,--steps 20 --batch 16 --lr-warmup 0 --eval-every 10,\
  --steps 70000 --max-seconds 1h --lr-warmup 500 --eval-every 2000,--steps 1000000 --lr-warmup 500 --eval-every 10000)
molecules_drawn := $(call vae_by,60,10000,16384)
molecules_bound := --limit $(call vae_by,10,2000,10000) --samples 2
$(MOLECULES)/qm9/data.h5 $(MOLECULES)/zinc/data.h5: $(MOLECULES)/%/data.h5: | build
	@mkdir -p $(@D)
	$(loarm_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data $(molecules_set_$*) $@
$(MOLECULES)/%/test.ref.h5: $(MOLECULES)/%/data.h5
	$(with_chemistry) mol-metrics $<:test --make-reference $(addprefix --fcd ,$(molecules_chemnet)) -o $@ --force > $(@:.h5=.out)
# How the rows to learn from fare in the place of draws.
$(MOLECULES)/%/train.measures.json: $(MOLECULES)/%/data.h5 $(MOLECULES)/%/test.ref.h5
	$(loarm_tool) scripts/recipes/with-chemistry $(@D)/train.smi view-samples $<:train --limit $(molecules_drawn) -o $(@D)/train.smi --force
	$(with_chemistry) mol-metrics $(@D)/train.smi --test $(@D)/test.ref.h5 $(addprefix --fcd ,$(molecules_chemnet)) --report $@ --force > $@.out
# A property of draws beside that of the test data; empty where the measures are, or lack it.
define molecules_histogram
	jq --arg of $1 '.series |= map(select(.name | startswith($$of + " "))) | if .series | length == 2 then \
	  .series[0].name = "draws" | .series[1].name = "test data" else empty end' $< > $@.json
	if [ -s $@.json ]; then $(loarm_tool) plot-report $@.json --title "$1 of $* and of the test data" -o $@ --force; else : > $@; fi
endef
define molecules_set
MOLECULES_RUNS_$1 := $(foreach s,$(MOLECULES_SEEDS),$(MOLECULES_WAYS_$1:%=%.$s))
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.h5): $(MOLECULES)/$1/%.h5: $(MOLECULES)/$1/data.h5
	$$(loarm_tool) train-arm $$< -o $$@ --force --resume $$(loarm_way_$$(basename $$*)) --seed $$(subst .,,$$(suffix $$*)) \
	  --preset $(molecules_preset_$1) --extra-features cycles --valid 0.02 $(molecules_length)
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.bound.json): $(MOLECULES)/$1/%.bound.json: $(MOLECULES)/$1/%.h5
	$$(loarm_tool) elbo-eval $$< $(MOLECULES)/$1/data.h5:test $(molecules_bound) --per-example $$(@:.json=.h5) --report $$@ --force > $$@.out
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.draws.h5): $(MOLECULES)/$1/%.draws.h5: $(MOLECULES)/$1/%.h5
	$$(loarm_tool) sample-model $$< -n $(molecules_drawn) -o $$@ --force
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.measures.json): $(MOLECULES)/$1/%.measures.json: $(MOLECULES)/$1/%.draws.h5 $(MOLECULES)/$1/test.ref.h5
	$$(with_chemistry) mol-metrics $$< --train $(MOLECULES)/$1/data.h5:train --test $(MOLECULES)/$1/test.ref.h5 \
	  $(addprefix --fcd ,$(molecules_chemnet)) --report $$@ --force > $$@.out
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.svg): $(MOLECULES)/$1/%.svg: $(MOLECULES)/$1/%.draws.h5
	$$(with_chemistry) view-samples $$< --grid 8x5 -o $$@ --force
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.QED.svg): $(MOLECULES)/$1/%.QED.svg: $(MOLECULES)/$1/%.measures.json
	$$(call molecules_histogram,QED)
$$(MOLECULES_RUNS_$1:%=$(MOLECULES)/$1/%.SA.svg): $(MOLECULES)/$1/%.SA.svg: $(MOLECULES)/$1/%.measures.json
	$$(call molecules_histogram,SA)
$(foreach s,$(MOLECULES_SEEDS),$(foreach w,$(filter-out ao,$(MOLECULES_WAYS_$1)),$(if $(filter ao,$(MOLECULES_WAYS_$1)),$(MOLECULES)/$1/$w.$s.gain.json))): \
  $(MOLECULES)/$1/%.gain.json: $(MOLECULES)/$1/%.bound.json $(foreach s,$(MOLECULES_SEEDS),$(MOLECULES)/$1/ao.$s.bound.json)
	$$(loarm_tool) elbo-eval --compare $$(<:.json=.h5),$(MOLECULES)/$1/ao$$(suffix $$*).bound.h5 --report $$@ --force > $$@.out
MOLECULES_MADE_$1 := $(MOLECULES)/$1/train.measures.json $(foreach s,$(MOLECULES_SEEDS),$(foreach w,$(MOLECULES_WAYS_$1),\
  $(MOLECULES)/$1/$w.$s.bound.json $(MOLECULES)/$1/$w.$s.measures.json $(patsubst %,$(MOLECULES)/$1/$w.$s.%,svg QED.svg SA.svg) \
  $(if $(filter ao,$(MOLECULES_WAYS_$1)),$(if $(filter-out ao,$w),$(MOLECULES)/$1/$w.$s.gain.json))))
endef
$(eval $(call molecules_set,qm9))
$(eval $(call molecules_set,zinc))
molecules_table = $(loarm_tool) WAYS="$2" $(MOLECULES_TABLE) $1 $(MOLECULES) $3 $(SCALE) "$(MOLECULES_SEEDS)"
reproduce-loarm-qm9: $(MOLECULES_MADE_qm9) ## QM9 in any order, bonds first, and learned orders: bounds, validity, distances to the data | < 9 h | 1 GB
	@$(call molecules_table,qm9,$(MOLECULES_WAYS_qm9),$(MOLECULES)/qm9/data.h5)
reproduce-loarm-zinc: $(MOLECULES_MADE_zinc) ## ZINC250k likewise, of at most 18 atoms at SCALE=small | < 8 h | 2 GB
	@$(call molecules_table,zinc,$(MOLECULES_WAYS_zinc),$(MOLECULES)/zinc/data.h5)

# --- draws of likelier values alone: are more of them valid, and are they less like the data? ---
MOLECULES_SHARES := 1 0.9 0.75 0.5 0.3
MOLECULES_TOPP := $(MOLECULES)/topp
molecules_best := $(or $(firstword $(filter st-sep,$(MOLECULES_WAYS_qm9)) $(filter st-st,$(MOLECULES_WAYS_qm9))),st-sep)
molecules_model := $(MOLECULES)/qm9/$(molecules_best).$(molecules_seed).h5
$(MOLECULES_SHARES:%=$(MOLECULES_TOPP)/%.measures.json): $(MOLECULES_TOPP)/%.measures.json: $(molecules_model) $(MOLECULES)/qm9/test.ref.h5
	@mkdir -p $(@D)
	$(loarm_tool) sample-model $< -n $(molecules_drawn) --top-p $* -o $(@:.measures.json=.draws.h5) --force
	$(with_chemistry) mol-metrics $(@:.measures.json=.draws.h5) --train $(MOLECULES)/qm9/data.h5:train --test $(MOLECULES)/qm9/test.ref.h5 \
	  $(addprefix --fcd ,$(molecules_chemnet)) --report $@ --force > $@.out
reproduce-loarm-topp: $(MOLECULES_SHARES:%=$(MOLECULES_TOPP)/%.measures.json) ## draws of QM9 from the likeliest values alone: validity against likeness | < 2 h | 1 GB
	@$(call molecules_table,topp,$(MOLECULES_SHARES),$(MOLECULES)/qm9/data.h5)

# --- in which order parts of real molecules come, and whether what is sure comes first ---
MOLECULES_TEMPLATES := $(MOLECULES)/templates
molecules_traced := $(call vae_by,20,2000,10000)
MOLECULES_TRACED := $(foreach s,$(MOLECULES_SEEDS),$(molecules_best).$s)
$(MOLECULES_TRACED:%=$(MOLECULES_TEMPLATES)/%.template.csv): $(MOLECULES_TEMPLATES)/%.template.csv: $(MOLECULES)/qm9/%.h5
	@mkdir -p $(@D)
	$(loarm_tool) sample-model $< -n $(molecules_traced) --seed $(subst .,,$(suffix $*)) --order-trace steps -o $(@:.template.csv=.orders.h5) --force
	$(loarm_tool) view-samples $(@:.template.csv=.orders.h5) --order-template ENA --rows 0:$(molecules_traced) > $@.part
	mv $@.part $@
$(MOLECULES_TRACED:%=$(MOLECULES_TEMPLATES)/%.policies.h5): $(MOLECULES_TEMPLATES)/%.policies.h5: $(MOLECULES)/qm9/%.h5
	@mkdir -p $(@D)
	$(loarm_tool) sample-model $< -n $(call vae_by,10,200,200) --order-trace all -o $@ --force
$(MOLECULES_TRACED:%=$(MOLECULES_TEMPLATES)/%.entropy.json): %.entropy.json: %.policies.h5
	$(loarm_tool) view-samples $< --order-entropy --rows 0:$(call vae_by,10,200,200) --report $@ --force > $@.out
$(MOLECULES_TRACED:%=$(MOLECULES_TEMPLATES)/%.entropy.svg): %.svg: %.json
	$(loarm_tool) plot-report $< --log-y --title "Policy against the entropy of the value: Spearman's rho $$(jq -r '.result.spearman | if . then . * 100 | round / 100 else "-" end' $<)" -o $@ --force
$(MOLECULES_TRACED:%=$(MOLECULES_TEMPLATES)/%.path.svg): %.path.svg: %.policies.h5
	$(with_chemistry) view-samples $< --path $(call vae_by,1$(comma)3$(comma)6,1$(comma)9$(comma)18$(comma)27$(comma)36$(comma)45,1$(comma)9$(comma)18$(comma)27$(comma)36$(comma)45) -o $@ --force
reproduce-loarm-templates: $(foreach r,$(MOLECULES_TRACED),$(patsubst %,$(MOLECULES_TEMPLATES)/$r.%,template.csv entropy.json entropy.svg path.svg)) ## the orders of draws of QM9: templates, what is sure first, how a molecule came about | < 2 h | 1 GB
	@$(call molecules_table,templates,$(molecules_best),$(MOLECULES)/qm9/data.h5)

# --- held-out molecules in few bits: a list in every order, and as a set ---
MOLECULES_CODING := $(MOLECULES)/coding
MOLECULES_CODED := policy greedy fixed any set plain plain-set
molecules_rows := $(MOLECULES)/qm9/data.h5:test --limit $(call vae_by,20,10000,10000)
molecules_coder_any := $(MOLECULES)/qm9/ao.$(molecules_seed).h5
molecules_coder_plain := --fallback-only
molecules_coder_plain-set := --fallback-only
molecules_coder = $(or $(molecules_coder_$1),$(molecules_model))
molecules_knobs = $(if $(filter plain%,$1),,--effort fast --model-only --arm-order $(if $(filter any set,$1),policy,$1)) $(if $(filter %set,$1),--as-set)
$(MOLECULES_CODED:%=$(MOLECULES_CODING)/%.lpx): $(MOLECULES_CODING)/%.lpx: $(molecules_model) $(molecules_coder_any)
	@mkdir -p $(@D)
	$(loarm_tool) bits-back-encode $(call molecules_coder,$*) $(call molecules_knobs,$*) --dataset $(molecules_rows) \
	  -o $@ --report $(@:.lpx=.code.json) --no-verify --force
	$(loarm_tool) bits-back-decode $(if $(filter plain%,$*),,$(call molecules_coder,$*)) $@ --to npy -o $(@:.lpx=.npy) --report $(@:.lpx=.decode.json) --force
# A list comes back as it was, and so does a set, whose rows ascend; what a .npy says of its shape is not compared.
$(MOLECULES_CODING)/restored: $(MOLECULES_CODED:%=$(MOLECULES_CODING)/%.lpx)
	for one in policy greedy fixed any; do cmp -i 128 $(@D)/$$one.npy $(@D)/plain.npy; done
	cmp -i 128 $(@D)/set.npy $(@D)/plain-set.npy
	rm $(@D)/*.npy && touch $@
$(MOLECULES_CODING)/data.sizes: $(MOLECULES)/qm9/data.h5
	@mkdir -p $(@D)
	$(loarm_tool) scripts/recipes/with-chemistry $(@D)/list.smi \
	  view-samples $(MOLECULES)/qm9/data.h5:test --rows 0:$(call vae_by,20,10000,10000) -o $(@D)/list.smi --force
	LC_ALL=C sort $(@D)/list.smi > $(@D)/set.smi
	if [ -s $(@D)/list.smi ]; then for one in list set; do scripts/recipes/compressors $(@D)/$$one.smi | sed "s/^/$$one\t/"; done; fi > $@.part && mv $@.part $@
$(MOLECULES_CODING)/bound.json: $(molecules_model)
	@mkdir -p $(@D)
	$(call loarm_eval,$< $(molecules_rows) --samples 4)
reproduce-loarm-coding: $(MOLECULES_CODING)/restored $(MOLECULES_CODING)/data.sizes $(MOLECULES_CODING)/bound.json ## held-out molecules of QM9 coded in every order, and as a set | < 2 h | 1 GB
	@$(call molecules_table,coding,$(MOLECULES_CODED),$(MOLECULES)/qm9/data.h5)

reproduce-molecules: ## all experiments on molecules, one page with the paper's numbers beside ours | < 20 h | 2 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory $(MOLECULES_PARTS)
	@$(call molecules_table,all,$(MOLECULES_PARTS),$(MOLECULES)/qm9/data.h5)
