# Experiments on variational auto-encoders (AEVB sec. 5): make reproduce-vae, or one of its parts.
# Everything lies under $(OUT)/vae/; what is there is not made again, and an interrupted
# training goes on where it stopped. The verdicts are written by scripts/recipes/vae-table.

VAE_TABLE = scripts/recipes/vae-table
# scale:             tiny          small              paper
vae_by = $(if $(filter tiny,$(SCALE)),$1,$(if $(filter paper,$(SCALE)),$3,$2))
# Real and built-in data have folders of their own, and so have their results.
found = $(if $(DATA_DIR),$(shell find -L "$(DATA_DIR)" -type f -name '$1' -not -path '*fashion*' -print -quit))
kind_of = $(if $(call found,$1)$(filter real,$(DATA)),given,built-in)
tiny := $(call vae_by,-tiny,,)
mnist_kind := $(call kind_of,train-images*idx3-ubyte*)
frey_kind := $(call kind_of,frey*.mat)
fashion_file := $(if $(DATA_DIR),$(shell find -L "$(DATA_DIR)" -type f -path '*fashion*' -name 'train-images*idx3-ubyte*' -print -quit))
fashion_kind := $(if $(fashion_file)$(filter real,$(DATA)),given,built-in)
MNIST := $(OUT)/data/mnist-$(mnist_kind)$(tiny).h5
MNIST14 := $(OUT)/data/mnist14-$(mnist_kind)$(tiny).h5
FREY := $(OUT)/data/frey-$(frey_kind)$(tiny).h5
FASHION := $(OUT)/data/fashion-$(fashion_kind)$(tiny).h5
VAE := $(OUT)/vae/$(SCALE)$(if $(filter given,$(mnist_kind)),,-built-in)

VAE_SAMPLES := $(call vae_by,2000,400000,10000000)
VAE_EVERY := $(call vae_by,1000samples,20000samples,500000samples)
VAE_J := $(call vae_by,3 20,3 20 200,3 5 10 20 200)
VAE_SEEDS := $(call vae_by,1 2,1 2 3 4,1 2 3 4)
VAE_HIDDEN := $(call vae_by,16,500,500)
VAE_LR := $(call vae_by,0.02,0.02,auto)
VAE_LIMIT := $(call vae_by,--limit 500,,)
FREY_SAMPLES := $(call vae_by,2000,200000,10000000)
FREY_J := $(call vae_by,2,2 5 10 20,2 5 10 20)
VAE_FEW := $(call vae_by,100,1000,1000)
VAE_MANY := $(call vae_by,400,5000,50000)
VAE_EVIDENCE_SAMPLES := $(call vae_by,1000,300000,10000000)
VAE_EVIDENCE_ROWS := $(call vae_by,10,200,1000)
VAE_IWAE_NET := $(call vae_by,--hidden 16 --latent 5,--hidden 100$(comma)100 --latent 20,--hidden 200$(comma)200 --latent 50)
VAE_IWAE_K := $(call vae_by,1 5,1 5,1 5 50)
VAE_IWAE_DRAWS := $(call vae_by,20,500,5000)
VAE_MANIFOLD_SAMPLES := $(call vae_by,2000,1000000,10000000)

vae_train = PATH="$(abspath $(BIN)):$$PATH" train-vae $1 -o $@ --force --resume $2
vae_tool = PATH="$(abspath $(BIN)):$$PATH"

$(MNIST) $(MNIST14) $(FREY) $(FASHION) $(OUT)/data/svhn-$(SCALE).h5 $(OUT)/data/celeba-$(SCALE).h5: scripts/recipes/get-data | build
	@mkdir -p $(@D)
	@$(vae_tool) DATA_DIR="$(DATA_DIR)" DATA="$(DATA)" SCALE="$(SCALE)" scripts/recipes/get-data $(firstword $(subst -, ,$(@F))) $@

# --- bounds on MNIST: AEVB and wake-sleep (fig. 2 of the paper), and the modern preset ---
BOUND_MNIST := $(VAE_J:%=$(VAE)/bound-mnist/aevb-%.h5) $(VAE_J:%=$(VAE)/bound-mnist/wake-sleep-%.h5) \
  $(VAE_J:%=$(VAE)/bound-mnist/modern-%.h5)
bound_options = --binarise static --hidden $(VAE_HIDDEN) --latent $* $(VAE_LIMIT) \
  --samples-seen $(VAE_SAMPLES) --eval-every $(VAE_EVERY)
$(VAE)/bound-mnist/aevb-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--preset paper --lr $(VAE_LR) $(bound_options))
$(VAE)/bound-mnist/wake-sleep-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--preset paper --algorithm wake-sleep --lr 0.02 $(bound_options))
$(VAE)/bound-mnist/modern-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(bound_options))
# ten draws for ten rows, and one draw for a hundred: the same work (AEVB sec. 2.3). Seeds differ by more
# than a nat or two, so there are several.
DRAWS := $(foreach s,$(VAE_SEEDS),$(VAE)/bound-mnist/one-draw-$s.h5 $(VAE)/bound-mnist/ten-draws-$s.h5)
draw_options = --preset paper --lr 0.02 --binarise static --hidden $(VAE_HIDDEN) --latent 20 $(VAE_LIMIT) \
  --seed $* --eval-every 0
$(VAE)/bound-mnist/one-draw-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(draw_options) --samples-seen $(VAE_SAMPLES))
$(VAE)/bound-mnist/ten-draws-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(draw_options) --batch 10 --samples 10 --shards 1 --samples-seen $(call vae_by,200,40000,1000000))

.PHONY: reproduce-vae reproduce-vae-bound-mnist reproduce-vae-bound-frey reproduce-vae-evidence \
  reproduce-vae-overfitting reproduce-vae-manifold reproduce-vae-iwae reproduce-vae-gradients \
  reproduce-vae-priors reproduce-vae-sets reproduce-vae-context

reproduce-vae-bound-mnist: $(BOUND_MNIST) $(DRAWS) ## AEVB and wake-sleep on MNIST, bounds against samples seen | < 8 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) bound-mnist $(VAE) $(MNIST) $(SCALE)

# --- bounds on Frey Face ---
BOUND_FREY := $(FREY_J:%=$(VAE)/bound-frey/aevb-%.h5) $(FREY_J:%=$(VAE)/bound-frey/wake-sleep-%.h5)
frey_options = --preset paper-frey --latent $* --samples-seen $(FREY_SAMPLES) --eval-every $(VAE_EVERY) \
  --lr $(call vae_by,0.02,auto,auto)
$(VAE)/bound-frey/aevb-%.h5: $(FREY)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(frey_options))
$(VAE)/bound-frey/wake-sleep-%.h5: $(FREY)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(frey_options) --algorithm wake-sleep)
reproduce-vae-bound-frey: $(BOUND_FREY) ## the same on moving faces | < 4 min | 0.2 GB
	@$(vae_tool) $(VAE_TABLE) bound-frey $(VAE) $(FREY) $(SCALE)

# --- evidence with few latents (fig. 3): AEVB, wake-sleep, Monte Carlo EM ---
EVIDENCE := $(foreach n,$(VAE_FEW) $(VAE_MANY),$(foreach a,aevb wake-sleep mcem,$(VAE)/evidence/$a-$n.h5))
evidence_options = --preset paper --lr 0.02 --binarise static --hidden $(call vae_by,16,100,100) --latent 3 \
  --samples-seen $(VAE_EVIDENCE_SAMPLES) --eval-every $(VAE_EVERY)
define evidence_rules
$(VAE)/evidence/$1-$2.h5: $(MNIST)
	@mkdir -p $$(@D)
	$$(call vae_train,$$<,--algorithm $1 --limit $2 $$(evidence_options) $3)
$(VAE)/evidence/$1-$2.train.json: $(VAE)/evidence/$1-$2.h5
	$$(vae_tool) elbo-eval $$< $(MNIST):train --method reciprocal --limit $(VAE_EVIDENCE_ROWS) --report $$@ --force > $$@.out
$(VAE)/evidence/$1-$2.valid.json: $(VAE)/evidence/$1-$2.h5
	$$(vae_tool) elbo-eval $$< $(MNIST):test --method reciprocal --limit $(VAE_EVIDENCE_ROWS) --report $$@ --force > $$@.out
endef
$(foreach n,$(VAE_FEW) $(VAE_MANY),$(foreach a,aevb wake-sleep mcem,$(eval $(call evidence_rules,$a,$n,))))
reproduce-vae-evidence: $(EVIDENCE:.h5=.train.json) $(EVIDENCE:.h5=.valid.json) ## evidence under AEVB, wake-sleep and Monte Carlo EM | < 4 min | 0.3 GB
	@$(vae_tool) $(VAE_TABLE) evidence $(VAE) $(MNIST) $(SCALE)

reproduce-vae-overfitting: $(BOUND_MNIST) ## superfluous latents do not overfit; active units | < 8 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) overfitting $(VAE) $(MNIST) $(SCALE)

# --- the plane of two latents (fig. 4) ---
$(VAE)/manifold/vae.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--binarise static --hidden $(VAE_HIDDEN) --latent 2 --samples-seen $(VAE_MANIFOLD_SAMPLES) --eval-every 5epochs)
$(VAE)/manifold/manifold.png: $(VAE)/manifold/vae.h5
	$(vae_tool) sample-model $< --manifold 20 -o $(@D)/manifold.h5 --force
	$(vae_tool) view-samples $(@D)/manifold.h5 -o $@ --force
reproduce-vae-manifold: $(VAE)/manifold/manifold.png ## the latent plane, decoded | < 2 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) manifold $(VAE) $(MNIST) $(SCALE)

# --- importance weighted bounds ---
iwae_options = --binarise dynamic $(VAE_IWAE_NET) $(VAE_LIMIT) --samples-seen $(VAE_SAMPLES) --eval-every $(VAE_EVERY)
$(VAE)/iwae/k%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(iwae_options) --objective iwae --k $*)
$(VAE)/iwae/k%.json: $(VAE)/iwae/k%.h5
	$(vae_tool) elbo-eval $< $(MNIST):test --method iwae --samples $(VAE_IWAE_DRAWS) \
	  --limit $(call vae_by,50,1000,10000) --report $@ --force > $@.out
reproduce-vae-iwae: $(VAE_IWAE_K:%=$(VAE)/iwae/k%.json) ## tighter bounds by importance weights | < 4 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) iwae $(VAE) $(MNIST) $(SCALE)

# --- pixels that see their neighbours: latents alone, neighbours alone, and both, in the same time of one thread ---
VAE_CONTEXT_SEEDS := $(call vae_by,1,1 2 3,1 2 3)
# At the preset's own rate and steps neighbours tell all, and z nothing.
VAE_CONTEXT_NET := --hidden 256 --batch 64 --lr 0.002 --epochs 1000
VAE_CONTEXT_STEPS := $(call vae_by,--hidden 16 --batch 20 --steps 10,$(VAE_CONTEXT_NET) --max-seconds 150,\
  $(VAE_CONTEXT_NET) --max-seconds 1800)
VAE_CONTEXT_HIDDEN := --context-hidden $(call vae_by,8,64$(comma)64,64$(comma)64)
VAE_CONTEXT := $(foreach w,latents neighbours both,$(VAE_CONTEXT_SEEDS:%=$(VAE)/context/$w-%.json))
context_options = --likelihood logistic-mix256 --preset context --lr-schedule constant --ema 0.999 --ema-warmup $(VAE_LIMIT) \
  $(VAE_CONTEXT_STEPS) --threads 1 --eval-every 0 --seed $*
context_train = PATH="$(abspath $(BIN)):$$PATH" train-vae $< -o $@ --force $(context_options) $1
$(VAE)/context/latents-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call context_train,--context 0)
$(VAE)/context/neighbours-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call context_train,--latent 1 $(VAE_CONTEXT_HIDDEN))
$(VAE)/context/both-%.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call context_train,$(VAE_CONTEXT_HIDDEN))
$(VAE)/context/%.json: $(VAE)/context/%.h5
	$(vae_tool) elbo-eval $< $(MNIST):test --method elbo --limit $(call vae_by,20,2000,10000) --report $@ --force > $@.out
reproduce-vae-context: $(VAE_CONTEXT) ## grey digits by latents, by neighbours, and by both | < 30 min | 1 GB
	@$(vae_tool) $(VAE_TABLE) context $(VAE) $(MNIST) $(SCALE)

# --- variance of gradient estimators (fig. 6 of the explanation) ---
$(VAE)/gradients/toy.json: | build
	@mkdir -p $(@D)
	$(vae_tool) elbo-eval --study gradient-variance --report $@ --force > $@.out
$(VAE)/gradients/model.json: $(VAE)/bound-mnist/modern-20.h5
	@mkdir -p $(@D)
	$(vae_tool) elbo-eval --study gradient-variance $< $(MNIST):test --limit 100 \
	  --repeats $(call vae_by,50,1000,10000) --report $@ --force > $@.out
reproduce-vae-gradients: $(VAE)/gradients/toy.json $(VAE)/gradients/model.json ## variance of pathwise and score gradients | < 3 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) gradients $(VAE) $(MNIST) $(SCALE)

# --- priors: N(0, I), mixtures fitted to codes, and codes of learned inputs; and their rows as a set ---
PRIORS := normal fitted-diag fitted vamp vamp-fitted
priors_net = --binarise static --hidden $(call vae_by,16,500,500) --latent $(call vae_by,5,40,40) $(VAE_LIMIT) \
  --batch 200 --lr 0.002 --lr-schedule cosine --epochs $(call vae_by,2,6,100)
PRIORS_K := $(call vae_by,4,40,100)
$(VAE)/priors/normal.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(priors_net) --estimator a)
$(VAE)/priors/vamp.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,$(priors_net) --prior vamp:$(call vae_by,6,200,500))
$(VAE)/priors/fitted.h5 $(VAE)/priors/fitted-diag.h5: $(VAE)/priors/fitted%.h5: $(VAE)/priors/normal.h5 $(MNIST)
	$(call vae_train,$(MNIST),$(VAE_LIMIT) --init-model $< --fit-prior mixture:$(PRIORS_K)$(if $*,$(comma)diag))
$(VAE)/priors/vamp-fitted.h5: $(VAE)/priors/vamp.h5 $(MNIST)
	$(call vae_train,$(MNIST),$(VAE_LIMIT) --init-model $< --fit-prior mixture:$(PRIORS_K))
$(VAE)/priors/%.json: $(VAE)/priors/%.h5
	$(vae_tool) elbo-eval $< $(MNIST):test --method elbo --samples 4 --report $@ --force > $@.out
reproduce-vae-priors: $(PRIORS:%=$(VAE)/priors/%.json) ## priors that fit: mixtures of codes, and of learned inputs | < 6 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) priors $(VAE) $(MNIST) $(SCALE)

$(VAE)/sets/list.json $(VAE)/sets/set.json: $(VAE)/sets/%.json: $(VAE)/priors/fitted.h5
	@mkdir -p $(@D)
	$(vae_tool) bits-back-encode $< --dataset $(MNIST):test --model-only $(if $(filter set,$*),--as-set) \
	  -o $(@D)/$*.lpx --report $@.part --force
	$(vae_tool) bits-back-decode $< --test $(@D)/$*.lpx
	mv $@.part $@
reproduce-vae-sets: $(VAE)/sets/list.json $(VAE)/sets/set.json ## held-out digits as a set: what their order takes | < 7 min | 0.4 GB
	@$(vae_tool) $(VAE_TABLE) sets $(VAE) $(MNIST) $(SCALE)

reproduce-vae: ## all experiments of the VAE's paper, one table with verdicts | < 60 min | 1 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory reproduce-vae-bound-mnist reproduce-vae-bound-frey reproduce-vae-evidence \
	  reproduce-vae-overfitting reproduce-vae-manifold reproduce-vae-iwae reproduce-vae-gradients \
	  reproduce-vae-priors reproduce-vae-sets reproduce-vae-context
	@$(vae_tool) $(VAE_TABLE) all $(VAE) $(MNIST) $(SCALE)
