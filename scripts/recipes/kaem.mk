# Experiments on Kolmogorov-Arnold energy models: make reproduce-kaem, or one of its parts.
# Everything lies under $(OUT)/kaem/; what is there is not made again, and an interrupted
# training goes on where it stopped. The verdicts are written by scripts/recipes/kaem-table.

KAEM_TABLE = scripts/recipes/kaem-table
KAEM := $(OUT)/kaem/$(SCALE)$(if $(filter given,$(mnist_kind)),,-built-in)
KAEM_FASHION := fmnist$(if $(filter given,$(fashion_kind)),,-built-in)

kaem_tool = PATH="$(abspath $(BIN)):$$PATH"
kaem_fit = $(kaem_tool) fit-prior $1 -o $@ --force --resume $2

# --- pictures under the three base measures (table 4 of the paper) ---
KAEM_BASES := none gaussian uniform
kaem_pictures = --preset $(call vae_by,tiny,small --limit 5000,paper)
# Each evaluation is an epoch, so that a line of the history holds the means over one.
kaem_length := $(call vae_by,--steps 30 --eval-every 10,--eval-every 1epochs,--eval-every 1epochs)
kaem_scored := --limit $(call vae_by,20,1000,1000)

# What is fitted to pictures, and with which options: a base measure, or the gaussian one and what is
# changed of it. `start` is what training begins with.
kaem_options_none := --base none $(kaem_length)
kaem_options_gaussian := --base gaussian $(kaem_length)
kaem_options_uniform := --base uniform $(kaem_length)
kaem_options_independent := --base gaussian --coupling independent $(kaem_length)
kaem_options_wide := --base gaussian --obs-std 0.5 $(kaem_length)
kaem_options_start := --base gaussian --no-grid-update --steps 1 --eval-every 1

define kaem_picture_rules
$1/%.h5: $2
	@mkdir -p $$(@D)
	$$(call kaem_fit,$$<,$$(kaem_pictures) $$(kaem_options_$$*))
$1/%.eval.json: $1/%.h5
	$$(kaem_tool) elbo-eval $$< $2:test --method is $$(kaem_scored) --report $$@ --force > $$@.out
$1/%.png: $1/%.h5
	$$(kaem_tool) sample-model $$< -n 100 --mean -o $$(@:.png=.samples.h5) --force
	$$(kaem_tool) view-samples $$(@:.png=.samples.h5) --grid 20x5 --scale 2 -o $$@ --force
endef
$(eval $(call kaem_picture_rules,$(KAEM)/mnist,$(MNIST)))
$(eval $(call kaem_picture_rules,$(KAEM)/$(KAEM_FASHION),$(FASHION)))
kaem_made = $(foreach m,$2,$1/$m.eval.json $1/$m.png)

KAEM_PARTS := reproduce-kaem-mnist reproduce-kaem-fmnist reproduce-kaem-priors reproduce-kaem-transfer \
  reproduce-kaem-evidence reproduce-kaem-schedules bench-kaem-latent bench-kaem-temps bench-kaem-its
.PHONY: reproduce-kaem $(KAEM_PARTS) reproduce-kaem-svhn reproduce-kaem-celeba

reproduce-kaem-mnist: $(call kaem_made,$(KAEM)/mnist,$(KAEM_BASES) independent wide) $(KAEM)/mnist/start.h5 ## three priors on digits, shared and independent uniforms, effective samples | < 1 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) mnist $(KAEM) $(MNIST) $(SCALE)
reproduce-kaem-fmnist: $(call kaem_made,$(KAEM)/$(KAEM_FASHION),$(KAEM_BASES)) ## three priors on pictures of clothes | < 1 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) $(KAEM_FASHION) $(KAEM) $(FASHION) $(SCALE)

# --- densities of priors that were learnt with digits (fig. 4 of the paper) ---
# Of the figure are the components (1,1), (1,2) and (1,3), which count from 0 here; of the verdict are all there are.
$(KAEM_BASES:%=$(KAEM)/priors/%.all.json): $(KAEM)/priors/%.all.json: $(KAEM)/mnist/%.h5
	@mkdir -p $(@D)
	$(kaem_tool) explain-prior $< --report $@ --force > $@.out
$(KAEM_BASES:%=$(KAEM)/priors/%.json): $(KAEM)/priors/%.json: $(KAEM)/mnist/%.h5
	@mkdir -p $(@D)
	$(kaem_tool) explain-prior $< --q 0 --p 0,1$(call vae_by,,$(comma)2,$(comma)2) --report $@ --force > $@.out
$(KAEM)/priors/%.svg: $(KAEM)/priors/%.json
	$(kaem_tool) plot-report $< --title "Densities over the base measure $*" -o $@ --force \
	  --series "$$(jq -r '[.series[].name | select(test("^prior|^base .0,0"))] | @csv' $<)"

reproduce-kaem-priors: $(foreach b,$(KAEM_BASES),$(KAEM)/priors/$b.svg $(KAEM)/priors/$b.all.json) ## densities of the three priors, and formulas for their energies | < 2 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) priors $(KAEM) $(MNIST) $(SCALE)

# --- a prior that was learnt with curves, reused under convolutions ---
# Both are evaluated after half of their updates, and at the end.
KAEM_SEEDS := $(call vae_by,1 2,1 2 3,1 2 3)
kaem_reuse_length := $(call vae_by,--steps 20 --eval-every 10,--steps 300 --eval-every 150,--steps 5000 --eval-every 2500)
kaem_reuse = $(kaem_pictures) --base gaussian --generator cnn $(kaem_reuse_length) --seed $*
$(KAEM_SEEDS:%=$(KAEM)/transfer/scratch-%.h5): $(KAEM)/transfer/scratch-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call kaem_fit,$<,$(kaem_reuse))
$(KAEM_SEEDS:%=$(KAEM)/transfer/reused-%.h5): $(KAEM)/transfer/reused-%.h5: $(MNIST) $(KAEM)/mnist/gaussian.h5
	@mkdir -p $(@D)
	$(call kaem_fit,$<,$(kaem_reuse) --init-prior $(KAEM)/mnist/gaussian.h5 --freeze prior)
$(KAEM)/transfer/gaussian.densities.json: $(KAEM)/mnist/gaussian.h5
	@mkdir -p $(@D)
	$(kaem_tool) explain-prior $< --q 0 --p 0,1 --report $@ --force > $@.out
$(KAEM)/transfer/%.densities.json: $(KAEM)/transfer/%.h5
	$(kaem_tool) explain-prior $< --q 0 --p 0,1 --report $@ --force > $@.out

reproduce-kaem-transfer: $(KAEM_SEEDS:%=$(KAEM)/transfer/scratch-%.h5) $(KAEM_SEEDS:%=$(KAEM)/transfer/reused-%.densities.json) $(KAEM)/transfer/gaussian.densities.json ## a learnt prior under a new generator, beside both from scratch | < 2 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) transfer $(KAEM) $(MNIST) $(SCALE)

# --- pictures in colour: a mixture of energies under convolutions, by chains (tables 5 to 8) ---
# mle and se from the same start; se learns at N_t temperatures.
KAEM_OBJECTIVES := mle se
kaem_colour_size := $(call vae_by,--latent 2$(comma)4 --channels 8$(comma)4$(comma)3 --limit 200 --steps 4 --eval-every 2,\
  --latent 8$(comma)17 --channels 32$(comma)16$(comma)3 --epochs 2 --lr 3e-3 --eval-every 10,--eval-every 1epochs)
kaem_colour_chains := $(call vae_by,--posterior ula --langevin-steps 2,--posterior ula --langevin-steps 10,--posterior ula)
kaem_objective_mle :=
kaem_objective_se := --objective se --temps $(call vae_by,2,3,5)
define kaem_colour_rules
$(KAEM_OBJECTIVES:%=$(KAEM)/$1/%.h5): $(KAEM)/$1/%.h5: $(OUT)/data/$1-$(SCALE).h5
	@mkdir -p $$(@D)
	$$(call kaem_fit,$$<,--preset $1 $$(kaem_colour_size) $$(kaem_colour_chains) $$(kaem_objective_$$*))
$(KAEM)/$1/%.png: $(KAEM)/$1/%.h5
	$$(kaem_tool) sample-model $$< -n 100 --mean -o $$(@:.png=.samples.h5) --force
	$$(kaem_tool) view-samples $$(@:.png=.samples.h5) --grid 20x5 --scale 2 -o $$@ --force
endef
$(eval $(call kaem_colour_rules,svhn))
$(eval $(call kaem_colour_rules,celeba))

reproduce-kaem-svhn: $(KAEM_OBJECTIVES:%=$(KAEM)/svhn/%.png) ## house numbers or a stand-in: mle and se by chains | < 5 min | 0.5 GB
	@$(kaem_tool) $(KAEM_TABLE) svhn $(KAEM) $(OUT)/data/svhn-$(SCALE).h5 $(SCALE)
reproduce-kaem-celeba: $(KAEM_OBJECTIVES:%=$(KAEM)/celeba/%.png) ## faces or a stand-in: mle and se by chains | < 5 min | 0.5 GB
	@$(kaem_tool) $(KAEM_TABLE) celeba $(KAEM) $(OUT)/data/celeba-$(SCALE).h5 $(SCALE)

# --- evidence of small models, by every method and by quadrature ---
KAEM_BARS := $(KAEM)/evidence/bars.h5
KAEM_SMALL := one-latent shared independent mixture
kaem_small_one-latent := --latent 1
kaem_small_shared := --latent 2
kaem_small_independent := --latent 1,3 --coupling independent
kaem_small_mixture := --prior mixture --latent 3,2
# Beside them a VAE of two latents: what walks through temperatures serves every model with latents.
KAEM_MEASURED := $(KAEM_SMALL) vae
# Nodes of quadrature per dimension: these have 1, 2, 3, 2 and 2.
kaem_nodes_one-latent := 500
kaem_nodes_shared := 200
kaem_nodes_independent := $(call vae_by,24,64,100)
kaem_nodes_mixture := 200
kaem_nodes_vae := 100
# A method is a word here and a variable of its options.
KAEM_METHODS := quadrature is ti ss ais
kaem_method_quadrature = --nodes $(kaem_nodes_$*)
kaem_method_is := --samples $(call vae_by,2000,20000,100000)
kaem_method_ti := --temps $(call vae_by,4,20,40)
kaem_method_ss := --temps $(call vae_by,4,20,40)
kaem_method_ais := --ais-reverse --ais-steps $(call vae_by,30,300,1000)

$(KAEM_BARS): | build
	@mkdir -p $(@D)
	$(kaem_tool) make-data bars -n 600 --split train:500,valid:100 -o $@ --force
$(KAEM_SMALL:%=$(KAEM)/evidence/%.h5): $(KAEM)/evidence/%.h5: $(KAEM_BARS)
	$(call kaem_fit,$<,--preset tiny --likelihood bernoulli --steps $(call vae_by,20,300,300) --eval-every 0 \
	  $(kaem_small_$*))
$(KAEM)/evidence/vae.h5: $(KAEM_BARS)
	$(kaem_tool) train-vae $< -o $@ --force --resume --preset tiny --latent 2 --likelihood bernoulli \
	  --steps $(call vae_by,20,300,300) --eval-every 0
define kaem_evidence_rule
$(KAEM)/evidence/%.$1.json: $(KAEM)/evidence/%.h5
	$$(kaem_tool) elbo-eval $$< $(KAEM_BARS):valid --method $1 $$(kaem_method_$1) \
	  --limit $(call vae_by,3,10,100) --report $$@ --force > $$@.out
endef
$(foreach m,$(KAEM_METHODS),$(eval $(call kaem_evidence_rule,$m)))

# `is` draws from the prior, as a VAE does not.
kaem_evidence := $(filter-out %/vae.is.json,$(foreach m,$(KAEM_METHODS),$(KAEM_MEASURED:%=$(KAEM)/evidence/%.$m.json)))
reproduce-kaem-evidence: $(kaem_evidence) ## evidence of small models, by every method and by quadrature | < 2 min | 0.2 GB
	@$(kaem_tool) $(KAEM_TABLE) evidence $(KAEM) $(KAEM_BARS) $(SCALE)

# --- what an update costs, by the number of latents (fig. 7 of the paper) ---
# The time of an update is the difference between a long and a short run, so that what they do once drops out.
KAEM_LATENTS := $(call vae_by,2 4,10 20 30 40 50,10 20 30 40 50)
KAEM_REPEATS := $(call vae_by,1 2,1 2 3 4 5,1 2 3 4 5)
KAEM_SHORT_LONG := $(call vae_by,1 3,5 25,5 25)
kaem_runs := $(foreach p,$(KAEM_LATENTS),$(foreach r,$(KAEM_REPEATS),$(KAEM_SHORT_LONG:%=$(KAEM)/latent/$p-$r-%.h5)))
kaem_part = $(word $1,$(subst -, ,$*))
kaem_hidden = $$((4 * $1 + 2))
$(kaem_runs): $(KAEM)/latent/%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call kaem_fit,$<,--preset paper --limit $(call vae_by,200,2000,2000) --latent $(call kaem_part,1) \
	  --hidden $(call kaem_hidden,$(call kaem_part,1)) --seed $(call kaem_part,2) --steps $(call kaem_part,3) \
	  --eval-every 0 --checkpoint-every 0)
bench-kaem-latent: $(kaem_runs) ## time of an update by the number of latents | 3 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) latent $(KAEM) $(MNIST) $(SCALE)

# --- samples by inverse transform beside chains on the prior (fig. 8 of the paper) ---
bench-kaem-its: build ## a hundred samples by inverse transform, and by 10 to 50 ULA moves | < 1 min | 0.1 GB
	@mkdir -p $(KAEM)/its
	cmake --build $(BUILD) -j $(JOBS) --target logpx-bench
	$(BIN)/logpx-bench --json $(KAEM)/its/chains.json "prior chains" > $(KAEM)/its/chains.out
	@$(kaem_tool) $(KAEM_TABLE) its $(KAEM) $(MNIST) $(SCALE)

# --- what an update costs, by the number of temperatures (fig. 8 of the paper) ---
# Pictures of 16x16 pixels in colour stand in for faces, which SCALE=paper takes; one chain on its own is beside the
# ladders.
KAEM_SCENES := $(KAEM)/temps/scenes.h5
kaem_temps_small := --prior mixture --latent 8$(comma)17 --generator cnn
kaem_temps_data := $(call vae_by,$(KAEM_SCENES),$(KAEM_SCENES),$(OUT)/data/celeba-$(SCALE).h5)
kaem_temps_model := $(call vae_by,tiny,tiny,celeba) $(call vae_by,$(kaem_temps_small),$(kaem_temps_small),)
KAEM_TEMPS := $(call vae_by,2,2 4 6 8 10 12,2 4 6 8 10 12)
kaem_temps_runs := $(foreach t,1 $(KAEM_TEMPS),$(foreach r,$(call vae_by,1,1 2 3,1 2 3 4 5),\
  $(foreach n,$(call vae_by,1 3,2 7,5 25),$(KAEM)/temps/$t-$r-$n.h5)))
kaem_ladder = $(if $(filter 1,$1),--objective mle,--objective se --temps $1)
$(KAEM_SCENES): | build
	@mkdir -p $(@D)
	$(kaem_tool) make-data scenes --size 16 -n 500 --split train:400,valid:100 -o $@ --force
$(kaem_temps_runs): $(KAEM)/temps/%.h5: $(kaem_temps_data)
	@mkdir -p $(@D)
	$(call kaem_fit,$<,--preset $(kaem_temps_model) --posterior ula --batch 50 \
	  --langevin-steps $(call vae_by,2,10,40) --eta 0.0001 $(call kaem_ladder,$(call kaem_part,1)) \
	  --seed $(call kaem_part,2) --steps $(call kaem_part,3) --eval-every 0 --checkpoint-every 0)
bench-kaem-temps: $(kaem_temps_runs) ## time of an update by the number of temperatures | 3 min | 0.4 GB
	@$(kaem_tool) $(KAEM_TABLE) temps $(KAEM) $(kaem_temps_data) $(SCALE)

# --- schedules and power posteriors of one variable (figs. 1, 9, 10, 11): numbers of a line each ---
reproduce-kaem-schedules: build ## power posteriors of a toy, powers and temperatures of training | < 1 min | 0.1 GB
	@$(kaem_tool) $(KAEM_TABLE) schedules $(KAEM) $(KAEM) $(SCALE)

reproduce-kaem: ## all experiments of the KAEM's paper, one table with verdicts | < 10 min | 0.4 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory $(KAEM_PARTS)
	@$(kaem_tool) $(KAEM_TABLE) all $(KAEM) $(MNIST) $(SCALE)
