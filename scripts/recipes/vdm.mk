# Experiments on variational diffusion models: make reproduce-vdm, or one of its parts.
# Everything lies under $(OUT)/vdm/; what is there is not made again, and an interrupted
# training goes on where it stopped. The verdicts are written by scripts/recipes/vdm-table.

VDM_TABLE = scripts/recipes/vdm-table
VDM := $(OUT)/vdm/$(SCALE)
vdm_tool = PATH="$(abspath $(BIN)):$$PATH"
vdm_train = $(vdm_tool) train-vdm $1 -o $@ --force --resume $2
vdm_eval = $(vdm_tool) elbo-eval $1 --report $@ --force > $@.out
vdm_steps = --steps $(call vae_by,$1,$2,$3) --eval-every $(call vae_by,$1,1000,5000)

VDM_PARTS := reproduce-vdm-gauss reproduce-vdm-even reproduce-vdm-img8 reproduce-vdm-var reproduce-vdm-coding \
  reproduce-vdm-swirl
.PHONY: reproduce-vdm $(VDM_PARTS) reproduce-vdm-mnist

# --- normal data, whose best network is known: bounds, flow, schedules, all beside the truth ---
VDM_GAUSS := $(VDM)/gauss
$(VDM_GAUSS)/data.h5: | build
	@mkdir -p $(@D)
	$(vdm_tool) make-data gauss --dim 4 -n $(call vae_by,600,400000,400000) --split train:80%,test:rest -o $@ --force
$(VDM_GAUSS)/many.h5: | build
	@mkdir -p $(@D)
	$(vdm_tool) make-data gauss --dim 64 -n $(call vae_by,600,6000,60000) --split train:50%,test:rest -o $@ --force
# The network knows the covariance, so there is nothing to train but, for `learned`, the schedule.
vdm_gauss_vp := --process vp --steps 1
vdm_gauss_ve := --process ve --steps 1
$(VDM_GAUSS)/vp.h5 $(VDM_GAUSS)/ve.h5: $(VDM_GAUSS)/%.h5: $(VDM_GAUSS)/data.h5
	$(call vdm_train,$<,--net linear-gauss --schedule linear $(vdm_gauss_$*))
$(VDM_GAUSS)/learned.h5: $(VDM_GAUSS)/many.h5
	$(call vdm_train,$<,--net linear-gauss --schedule monotone --schedule-hidden 64 --batch 256 --lr 0.01 \
	  --lr-schedule constant --gamma-lr-mult 1 --ema 0 $(call vdm_steps,20,4000,4000))
vdm_gauss_scored := $(call vae_by,--limit 20,--limit 1000,--limit 10000)
# What is measured of the model: a word here and a variable of its options.
VDM_GAUSS_TIMES := $(call vae_by,5 10,10 50 250 1000,10 50 250 1000 4000)
VDM_GAUSS_CURVES := linear beta-linear alpha-cosine
vdm_measure_continuous := --method elbo --timesteps 0 --samples $(call vae_by,8,256,1024)
vdm_measure_iwae := --method iwae --timesteps 50 --grid uniform --samples $(call vae_by,8,256,1024)
vdm_measure_bound := --method elbo --timesteps 50 --grid uniform
vdm_measure_ode := --method ode --ode-steps 200 --ode-trace exact
$(foreach t,$(VDM_GAUSS_TIMES),$(eval vdm_measure_at-$t := --method elbo --timesteps $t --grid uniform))
$(foreach c,$(VDM_GAUSS_CURVES),$(eval vdm_measure_by-$c := --method elbo --timesteps 0 --schedule $c \
  --samples $(call vae_by,8,256,1024)))
VDM_GAUSS_MEASURES := continuous iwae bound ode $(VDM_GAUSS_TIMES:%=at-%) $(VDM_GAUSS_CURVES:%=by-%)
$(VDM_GAUSS_MEASURES:%=$(VDM_GAUSS)/vp.%.json): $(VDM_GAUSS)/vp.%.json: $(VDM_GAUSS)/vp.h5
	$(call vdm_eval,$< $(VDM_GAUSS)/data.h5:test $(vdm_gauss_scored) $(vdm_measure_$*))
$(VDM_GAUSS)/ve.continuous.json: $(VDM_GAUSS)/ve.h5
	$(call vdm_eval,$< $(VDM_GAUSS)/data.h5:test $(vdm_gauss_scored) $(vdm_measure_continuous))
vdm_variance = --method elbo --timesteps 0 --variance $(call vae_by,20,200,1000) --limit $(call vae_by,20,500,2000)
$(VDM_GAUSS)/variance.learned.json: $(VDM_GAUSS)/learned.h5
	$(call vdm_eval,$< $(VDM_GAUSS)/many.h5:test $(vdm_variance))
$(VDM_GAUSS)/variance.linear.json: $(VDM_GAUSS)/learned.h5
	$(call vdm_eval,$< $(VDM_GAUSS)/many.h5:test $(vdm_variance) --schedule linear)
reproduce-vdm-gauss: $(VDM_GAUSS_MEASURES:%=$(VDM_GAUSS)/vp.%.json) $(VDM_GAUSS)/ve.continuous.json $(VDM_GAUSS)/variance.learned.json $(VDM_GAUSS)/variance.linear.json ## diffusion of normal data beside the truth: bounds, flow, schedules | < 5 min | 0.3 GB
	@$(vdm_tool) $(VDM_TABLE) gauss $(VDM) $(VDM_GAUSS)/data.h5 $(SCALE)

# --- even numbers: Fourier features see what decides the last bit (fig. 5 of the paper) ---
VDM_EVEN := with without fixed
vdm_even_with := --fourier auto --schedule learned-linear
vdm_even_without := --fourier none --schedule learned-linear
vdm_even_fixed := --fourier auto --schedule linear --gamma-min -8
$(VDM)/even/data.h5: | build
	@mkdir -p $(@D)
	$(vdm_tool) make-data even -n $(call vae_by,600,60000,60000) -o $@ --force
$(VDM_EVEN:%=$(VDM)/even/%.h5): $(VDM)/even/%.h5: $(VDM)/even/data.h5
	$(call vdm_train,$<,--net mlp --width 128 --layers 2 --batch 512 --lr 3e-3 $(vdm_even_$*) $(call vdm_steps,20,4000,20000))
$(VDM)/even/%.json: $(VDM)/even/%.h5
	$(call vdm_eval,$< $(VDM)/even/data.h5:test --timesteps 0 --samples $(call vae_by,8,64,256) --limit $(call vae_by,50,2000,5000))
reproduce-vdm-even: $(VDM_EVEN:%=$(VDM)/even/%.json) ## even numbers with Fourier features and without | < 5 min | 0.3 GB
	@$(vdm_tool) $(VDM_TABLE) even $(VDM) $(VDM)/even/data.h5 $(SCALE)

# --- pictures of 8x8: steps of the training and of the evaluation (tables 1 and 2 of the paper) ---
VDM_IMG8 := $(VDM)/img8
VDM_TRAINED := 10 100 0
VDM_EVALUATED := $(call vae_by,5 10,10 20 100 250 1000,10 20 100 250 1000)
$(VDM)/gray8.h5: | build
	@mkdir -p $(@D)
	$(vdm_tool) make-data gray8 -n $(call vae_by,600,60000,60000) -o $@ --force
vdm_small8 = --preset $(call vae_by,tiny8,small8,small8)
# All are trained alike but for T: as long, at the same rate, between the same fixed ends (a learned gamma_0 comes to
# rest near this one, and beyond this gamma_1 nothing is left to learn), and each keeps the weights that validation
# rows like best. Their noise hides the last bits, which Fourier features would show.
vdm_img8_options = $(vdm_small8) --fourier none --lr 8e-3 $(call vdm_steps,5,14000,40000) --schedule linear \
  --gamma-min -11.6 --gamma-max 4 --beta2 0.999 --keep-best
$(VDM_TRAINED:%=$(VDM_IMG8)/t%.h5): $(VDM_IMG8)/t%.h5: $(VDM)/gray8.h5
	@mkdir -p $(@D)
	$(call vdm_train,$<,$(vdm_img8_options) --timesteps $*)
vdm_scored := $(call vae_by,--limit 20,--limit 500,--limit 2000)
# t10.at-100.json: trained with 10 steps, evaluated with 100; few steps are all looked at. Many times
# where bits are judged.
vdm_samples = --samples $(call vae_by,8,$(if $(filter t0,$*),64,16),64)
vdm_at = --timesteps $1 $(if $(filter 250 1000,$1),$(vdm_samples))
define vdm_at_rule
$(VDM_IMG8)/%.at-$1.json: $(VDM_IMG8)/%.h5
	$$(call vdm_eval,$$< $(VDM)/gray8.h5:test $(vdm_scored) --grid uniform $(call vdm_at,$1) --per-example $$(@:.json=.h5))
endef
$(foreach t,$(VDM_EVALUATED),$(eval $(call vdm_at_rule,$t)))
$(VDM_IMG8)/%.continuous.json: $(VDM_IMG8)/%.h5
	$(call vdm_eval,$< $(VDM)/gray8.h5:test $(vdm_scored) --timesteps 0 $(vdm_samples))
# By how much continuous time is ahead of training with 10 steps, picture by picture, where both take T steps.
$(VDM_EVALUATED:%=$(VDM_IMG8)/ahead-at-%.json): $(VDM_IMG8)/ahead-at-%.json: $(VDM_IMG8)/t0.at-%.json $(VDM_IMG8)/t10.at-%.json
	$(vdm_tool) elbo-eval --compare $(<:.json=.h5),$(VDM_IMG8)/t10.at-$*.h5 --report $@ --force > $@.out
$(VDM_IMG8)/t0.fitted-%.json: $(VDM_IMG8)/t0.h5
	$(call vdm_eval,$< $(VDM)/gray8.h5:test $(vdm_scored) --timesteps $* --grid fitted --clip-x range)
$(VDM_IMG8)/t0.png: $(VDM_IMG8)/t0.h5
	$(vdm_tool) sample-model $< -n 100 -o $(@:.png=.samples.h5) --force
	$(vdm_tool) view-samples $(@:.png=.samples.h5) --grid 20x5 --scale 4 -o $@ --force
$(VDM_IMG8)/data.png: $(VDM)/gray8.h5
	@mkdir -p $(@D)
	$(vdm_tool) view-samples $<:test --rows 0:$(call vae_by,40,100,100) --grid 20x$(call vae_by,2,5,5) --scale 4 -o $@ --force
VDM_FITTED := $(call vae_by,5,10 20,10 20)
vdm_img8 := $(foreach m,$(VDM_TRAINED),$(VDM_EVALUATED:%=$(VDM_IMG8)/t$m.at-%.json) $(VDM_IMG8)/t$m.continuous.json)
reproduce-vdm-img8: $(vdm_img8) $(VDM_EVALUATED:%=$(VDM_IMG8)/ahead-at-%.json) $(VDM_FITTED:%=$(VDM_IMG8)/t0.fitted-%.json) $(VDM_IMG8)/t0.png $(VDM_IMG8)/data.png ## pictures of 8x8: bits by the steps of training and of evaluation | < 30 min | 0.4 GB
	@$(vdm_tool) $(VDM_TABLE) img8 $(VDM) $(VDM)/gray8.h5 $(SCALE)

# --- the variance of the bound's estimate by schedule (table 4b and fig. 4a of the paper) ---
VDM_CURVES := own linear beta-linear alpha-cosine
$(VDM)/var/model.h5: $(VDM)/gray8.h5
	@mkdir -p $(@D)
	$(call vdm_train,$<,$(vdm_small8) $(call vdm_steps,5,3000,40000) --schedule monotone --gamma-lr-mult 50)
$(VDM_CURVES:%=$(VDM)/var/%.json): $(VDM)/var/%.json: $(VDM)/var/model.h5
	$(call vdm_eval,$< $(VDM)/gray8.h5:test $(vdm_scored) --timesteps 0 --schedule $* \
	  --samples $(call vae_by,8,64,64) --variance $(call vae_by,10,100,100))
reproduce-vdm-var: $(VDM_CURVES:%=$(VDM)/var/%.json) ## variance of the bound under schedules, learned and fixed | < 5 min | 0.4 GB
	@$(vdm_tool) $(VDM_TABLE) var $(VDM) $(VDM)/gray8.h5 $(SCALE)

# --- pictures coded through T levels of noise (the last column of table 2) ---
VDM_CODED := $(foreach o,bitswap bb-ans,$(foreach t,$(call vae_by,2 4,10 50 100,10 50 100),$o-$t))
vdm_code_part = $(subst bb,bb-ans,$(word $1,$(subst -, ,$(subst bb-ans,bb,$*))))
vdm_rows := --limit $(call vae_by,3,200,1000)
# Bins of the prior that are as fine as they come: with fewer bits of each the levels above are not what they were.
vdm_knobs = --order $(call vdm_code_part,1) --timesteps $(call vdm_code_part,2) $(if $(filter bb-ans-%,$*),--latent-bits 16)
$(VDM)/coding/data.idx: $(VDM)/gray8.h5
	$(call held_out,$(VDM)/gray8.h5:test $(vdm_rows))
# Decoded by one thread and the oldest instructions, and by two and the newest.
$(VDM_CODED:%=$(VDM)/coding/%.lpx): $(VDM)/coding/%.lpx: $(VDM_IMG8)/t0.h5 $(VDM)/coding/data.idx
	$(vdm_tool) bits-back-encode --model-only --effort fast $^ -o $@ $(vdm_knobs) --report $(@:.lpx=.code.json) --no-verify --force
	$(vdm_tool) LOGPX_ISA=baseline bits-back-decode $< $@ -j 1 -o $@.back --report $(@:.lpx=.decode.json) --force
	cmp $@.back $(VDM)/coding/data.idx && rm $@.back
	$(vdm_tool) bits-back-decode $< $@ -j 2 -o $@.back --force
	cmp $@.back $(VDM)/coding/data.idx && rm $@.back
$(VDM_CODED:%=$(VDM)/coding/%.bound.json): $(VDM)/coding/%.bound.json: $(VDM_IMG8)/t0.h5
	@mkdir -p $(@D)
	$(call vdm_eval,$< $(VDM)/gray8.h5:test $(vdm_rows) --det $(vdm_knobs))
$(VDM)/coding/data.sizes: $(VDM)/coding/data.idx
	scripts/recipes/compressors $< > $@.part && mv $@.part $@
reproduce-vdm-coding: $(foreach c,$(VDM_CODED),$(VDM)/coding/$c.lpx $(VDM)/coding/$c.bound.json) $(VDM)/coding/data.sizes ## pictures coded through levels of noise, in both orders | < 15 min | 0.4 GB
	@$(vdm_tool) $(VDM_TABLE) coding $(VDM) $(VDM)/gray8.h5 $(SCALE)

# --- points of a spiral ---
$(VDM)/swirl/data.h5: | build
	@mkdir -p $(@D)
	$(vdm_tool) make-data shapes2d spiral --bits 8 -n $(call vae_by,600,24000,60000) -o $@ --force
$(VDM)/swirl/model.h5: $(VDM)/swirl/data.h5
	$(call vdm_train,$<,--net mlp --layers 4 --fourier 0$(comma)1$(comma)2 --batch 256 $(call vdm_steps,20,10000,100000))
$(VDM)/swirl/bits.json: $(VDM)/swirl/model.h5
	$(call vdm_eval,$< $(VDM)/swirl/data.h5:test $(vdm_scored) --timesteps 0 --samples 64)
$(VDM)/swirl/samples.png: $(VDM)/swirl/model.h5
	$(vdm_tool) sample-model $< -n $(call vae_by,100,4000,4000) -o $(@:.png=.h5) --force
	$(vdm_tool) view-samples $(@:.png=.h5) --rows 0:$(call vae_by,100,4000,4000) -o $@ --force
$(VDM)/swirl/data.png: $(VDM)/swirl/data.h5
	$(vdm_tool) view-samples $<:train --rows 0:$(call vae_by,100,4000,4000) -o $@ --force
reproduce-vdm-swirl: $(VDM)/swirl/bits.json $(VDM)/swirl/samples.png $(VDM)/swirl/data.png ## points of a spiral, drawn beside the data | < 3 min | 0.3 GB
	@$(vdm_tool) $(VDM_TABLE) swirl $(VDM) $(VDM)/swirl/data.h5 $(SCALE)

reproduce-vdm: ## all small experiments of the VDM's paper, one table with verdicts | < 55 min | 0.4 GB
	@$(MAKE) --no-print-directory deps build
	@$(MAKE) --no-print-directory $(VDM_PARTS)
	@$(vdm_tool) $(VDM_TABLE) all $(VDM) $(VDM)/gray8.h5 $(SCALE)

# --- digits: half an hour of training, with labels; it goes on where it stopped; VDM_MNIST is that of mnist.mk ---
$(VDM_MNIST)/model.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vdm_train,$<,--preset $(call vae_by,tiny,small28,small28) --labels $(call vdm_steps,5,12000,200000))
vdm_mnist_scored := --limit $(call vae_by,10,1000,10000)
VDM_MNIST_MEASURES := continuous continuous-no-label $(foreach t,$(call vae_by,2,50 250,50 250),uniform-$t \
  $(if $(filter 250,$t),,fitted-$t))
vdm_mnist_measure = $(if $(filter continuous,$(word 1,$1)),--timesteps 0 $(if $(word 2,$1),--no-labels),\
  --grid $(word 1,$1) --timesteps $(word 2,$1) $(if $(filter fitted,$1),--clip-x range) \
  $(if $(filter 250,$1),--samples 32))
$(VDM_MNIST_MEASURES:%=$(VDM_MNIST)/%.json): $(VDM_MNIST)/%.json: $(VDM_MNIST)/model.h5
	$(call vdm_eval,$< $(MNIST):test $(if $(filter continuous%,$*),$(call vae_by,--limit 10,,),$(vdm_mnist_scored)) \
	  $(call vdm_mnist_measure,$(subst -, ,$*)))
vdm_sampler_ancestral := --sampler ancestral --timesteps $(call vae_by,5,250,250)
vdm_sampler_dpm2m := --sampler dpm2m --timesteps $(call vae_by,5,25,25)
$(VDM_MNIST)/ancestral.png $(VDM_MNIST)/dpm2m.png: $(VDM_MNIST)/%.png: $(VDM_MNIST)/model.h5
	$(vdm_tool) sample-model $< -n $(call vae_by,20,100,100) $(vdm_sampler_$*) -o $(@:.png=.h5) --force
	$(vdm_tool) view-samples $(@:.png=.h5) --grid 20x5 --scale 2 -o $@ --force
VDM_CLASSES := $(call vae_by,0 1,0 1 2 3 4 5 6 7 8 9,0 1 2 3 4 5 6 7 8 9)
$(VDM_CLASSES:%=$(VDM_MNIST)/class-%.png): $(VDM_MNIST)/class-%.png: $(VDM_MNIST)/model.h5
	$(vdm_tool) sample-model $< -n 20 --class $* --guidance 1 $(vdm_sampler_dpm2m) -o $(@:.png=.h5) --force
	$(vdm_tool) view-samples $(@:.png=.h5) --grid 20x1 --scale 2 -o $@ --force
$(VDM_MNIST)/data.idx: $(MNIST)
	$(call held_out,$(MNIST):test $(vdm_rows))
$(VDM_MNIST)/data.lpx: $(VDM_MNIST)/model.h5 $(VDM_MNIST)/data.idx
	$(vdm_tool) bits-back-encode --effort fast $^ -o $@ --timesteps $(call vae_by,2,50,50) --report $(@:.lpx=.code.json) --no-verify --force
	$(vdm_tool) bits-back-decode $< $@ -o $@.back --report $(@:.lpx=.decode.json) --force
	cmp $@.back $(VDM_MNIST)/data.idx && rm $@.back
reproduce-vdm-mnist: $(VDM_MNIST_MEASURES:%=$(VDM_MNIST)/%.json) $(VDM_MNIST)/ancestral.png $(VDM_MNIST)/dpm2m.png $(VDM_CLASSES:%=$(VDM_MNIST)/class-%.png) $(VDM_MNIST)/data.lpx ## digits by a diffusion model: bits, draws of each class, coded pictures | < 45 min | 0.6 GB
	@$(vdm_tool) $(VDM_TABLE) $(notdir $(VDM_MNIST)) $(VDM) $(MNIST) $(SCALE)
