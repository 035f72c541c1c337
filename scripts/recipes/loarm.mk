# Experiments on models that learn their order: make reproduce-loarm-toy.
# Everything lies under $(OUT)/loarm/; what is there is not made again, and an interrupted
# training goes on where it stopped. The verdicts are written by scripts/recipes/loarm-table.

LOARM_TABLE = scripts/recipes/loarm-table
LOARM := $(OUT)/loarm/$(SCALE)
loarm_tool = PATH="$(abspath $(BIN)):$$PATH"
.PHONY: reproduce-loarm-toy

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
$(LOARM_PAIRS:%=$(LOARM_TOY)/%.gain.json): $(LOARM_TOY)/%.gain.json: $(LOARM_TOY)/%.bound.h5
	$(MAKE) --no-print-directory $(LOARM_TOY)/ao$(suffix $*).bound.h5
	$(loarm_tool) elbo-eval --compare $<,$(LOARM_TOY)/ao$(suffix $*).bound.h5 --report $@ --force > $@.out
reproduce-loarm-toy: $(LOARM_RUNS:%=$(LOARM_TOY)/%.exact.json) $(LOARM_PAIRS:%=$(LOARM_TOY)/%.gain.json) ## learned orders of eight symbols beside any order, and their exact gaps | < 10 min | 0.3 GB
	@$(loarm_tool) $(LOARM_TABLE) toy $(LOARM) $(LOARM_TOY)/hub.h5 $(SCALE) "$(LOARM_SEEDS)"
