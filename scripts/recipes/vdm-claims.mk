# Two claims of the VDM's paper that take several trainings each, with three seeds: make reproduce-vdm-weighted and
# reproduce-vdm-speed. Where things lie, and who writes the verdicts, is in vdm.mk, which comes before.

VDM_SEEDS := $(call vae_by,1 2,1 2 3,1 2 3)
.PHONY: reproduce-vdm-weighted reproduce-vdm-speed
vdm_seed = $(lastword $(subst -, ,$1))
vdm_first = $(patsubst %-$(call vdm_seed,$1),%,$1)

# --- the weighted loss of earlier diffusion models: better to look at, worse in bits (section 6.1 and appendix K) ---
# Digits of 14x14, trained alike but for the weight, between the same ends. FID is that of draws beside held-out digits,
# as a classifier of the training digits sees them.
VDM_WEIGHTED := $(VDM)/weighted$(if $(filter given,$(mnist_kind)),,-built-in)
VDM_WEIGHTED_RUNS := $(foreach w,vlb simple,$(VDM_SEEDS:%=$w-%))
vdm_judged := $(call vae_by,200,5000,10000)
$(VDM_WEIGHTED_RUNS:%=$(VDM_WEIGHTED)/%.h5): $(VDM_WEIGHTED)/%.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(call vdm_train,$<,--preset $(call vae_by,tiny8,small8,small8) --schedule linear --weight $(call vdm_first,$*) \
	  --seed $(call vdm_seed,$*) $(call vdm_steps,5,3000,100000) $(call vae_by,--mse-rows 0,,))
$(VDM_WEIGHTED)/basis.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(vdm_tool) extract-features $<:train --limit $(call vae_by,600,10000,50000) --extractor classifier:64 --save-basis $@ \
	  --stats-only -o $(@D)/basis.statistics.h5 --force
$(VDM_WEIGHTED)/held-out.h5: $(VDM_WEIGHTED)/basis.h5
	$(vdm_tool) extract-features $(MNIST14):test --basis $< -o $@ --force
$(VDM_WEIGHTED_RUNS:%=$(VDM_WEIGHTED)/%.fid.json): $(VDM_WEIGHTED)/%.fid.json: $(VDM_WEIGHTED)/%.h5 $(VDM_WEIGHTED)/held-out.h5
	$(vdm_tool) sample-model $< -n $(vdm_judged) --sampler dpm2m --timesteps $(call vae_by,5,50,250) \
	  -o $(@D)/$*.draws.h5 --force
	$(vdm_tool) extract-features $(@D)/$*.draws.h5 --basis $(@D)/basis.h5 -o $(@D)/$*.features.h5 --force
	$(vdm_tool) fid-extrapolate $(@D)/held-out.h5 $(@D)/$*.features.h5 --metrics fid --report $@ --force > $@.out
$(VDM_WEIGHTED_RUNS:%=$(VDM_WEIGHTED)/%.bits.json): $(VDM_WEIGHTED)/%.bits.json: $(VDM_WEIGHTED)/%.h5
	$(call vdm_eval,$< $(MNIST14):test $(call vae_by,--limit 20,--limit 2000,) --timesteps 0)
VDM_SHEETS := $(foreach w,vlb simple,$(VDM_WEIGHTED)/$w-1.png)
$(VDM_SHEETS): $(VDM_WEIGHTED)/%.png: $(VDM_WEIGHTED)/%.fid.json
	$(vdm_tool) view-samples $(@D)/$*.draws.h5 --limit 100 --grid 20x5 --scale 2 -o $@ --force
reproduce-vdm-weighted: $(foreach r,$(VDM_WEIGHTED_RUNS),$(VDM_WEIGHTED)/$r.fid.json $(VDM_WEIGHTED)/$r.bits.json) $(VDM_SHEETS) ## FID and bits of digits by the loss that is weighted, and by the bound | < 120 min | 0.5 GB
	@$(vdm_tool) $(VDM_TABLE) $(notdir $(VDM_WEIGHTED)) $(VDM) $(MNIST14) $(SCALE)

# --- a schedule that learns to make the loss less noisy trains faster (section 6.2) ---
# All go between the same fixed ends at the same constant rate, so that nothing but the inner shape differs; a model half
# of the way goes on from that of a quarter. All are scored under one schedule, since a bound under another is noisier.
VDM_SPEED := $(VDM)/speed
VDM_SPEED_RUNS := $(foreach s,monotone linear beta-linear alpha-cosine,$(VDM_SEEDS:%=$s-%))
vdm_speed_schedule = --schedule $1 $(if $(filter monotone,$1),--no-learn-endpoints --gamma-lr-mult 50)
vdm_speed_train = $(call vdm_train,$(VDM)/gray8.h5,$(vdm_small8) $(call vdm_speed_schedule,$(call vdm_first,$1)) \
  --seed $(call vdm_seed,$1) --gamma-min -11.6 --gamma-max 4 --lr 1e-3 --lr-schedule constant --mse-rows 0 --eval-every 0 \
  --steps $$(($2 * $(call vae_by,8,3000,40000) / 4)))
define vdm_speed_on # QUARTERS BEFORE
$(VDM_SPEED_RUNS:%=$(VDM_SPEED)/%.at-$1.h5): $(VDM_SPEED)/%.at-$1.h5: $(VDM_SPEED)/%.at-$2.h5
	[ -e $$(@:.h5=.ckpt.h5) ] || cp $$(<:.h5=.ckpt.h5) $$(@:.h5=.ckpt.h5)
	$$(call vdm_speed_train,$$*,$1)
endef
$(VDM_SPEED_RUNS:%=$(VDM_SPEED)/%.at-1.h5): $(VDM_SPEED)/%.at-1.h5: $(VDM)/gray8.h5
	@mkdir -p $(@D)
	$(call vdm_speed_train,$*,1)
$(eval $(call vdm_speed_on,2,1))
$(eval $(call vdm_speed_on,4,2))
VDM_SPEED_MEASURES := $(foreach r,$(VDM_SPEED_RUNS),$(foreach q,1 2 4,$r.at-$q))
$(VDM_SPEED_MEASURES:%=$(VDM_SPEED)/%.json): %.json: %.h5
	$(call vdm_eval,$< $(VDM)/gray8.h5:test $(vdm_scored) --timesteps 0 --schedule linear --samples $(call vae_by,8,32,64))
reproduce-vdm-speed: $(VDM_SPEED_MEASURES:%=$(VDM_SPEED)/%.json) ## bits a quarter, half and all of the way, with a learned schedule and fixed ones | < 60 min | 0.4 GB
	@$(vdm_tool) $(VDM_TABLE) speed $(VDM) $(VDM)/gray8.h5 $(SCALE)
