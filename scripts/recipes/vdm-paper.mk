# The VDM's paper at its size, on the user's own pictures: make reproduce-vdm-cifar10, -cifar10-aug, -imagenet32 and
# -imagenet64. At SCALE=paper weeks where there are machines for it; below, a step of two rows and all that is measured
# after it on two rows, which shows that every part works. SCALE=tiny takes a small network, too.
# Where things lie, and who writes the tables, is in vdm.mk, which comes before.

vdm_paper_short = --steps 1 --batch 2 --mse-rows 0 --eval-every 0
vdm_paper_train = --preset $1 $(call vae_by,$(vdm_paper_short) --channels 8 --depth 1,$(vdm_paper_short),) $2
vdm_paper_rows = $(call vae_by,--limit 2,--limit 2,$1)
vdm_by_paper = $(call vae_by,$1,$1,$2)

# The models of figure 5: without Fourier features, and with the schedule of earlier diffusion models, ends and all.
vdm_paper_model :=
vdm_paper_plain := --fourier none
vdm_paper_fixed := --schedule beta-linear --raw-endpoints

# Steps of table 2, each all looked at, or some of very many.
VDM_PAPER_TIMES := $(call vdm_by_paper,2 4,10 100 250 500 1000)
vdm_paper_measure_continuous := --timesteps 0 --samples $(call vdm_by_paper,2,8)
$(foreach t,$(VDM_PAPER_TIMES),$(eval vdm_paper_measure_at-$t := --grid uniform --timesteps $t $(if $(filter 250 500 1000,$t),--samples 64)))
$(foreach c,own linear beta-linear alpha-cosine,$(eval vdm_paper_measure_by-$c := --timesteps 0 --schedule $c \
  --samples 2 --variance $(call vdm_by_paper,2,100)))
vdm_paper_scored = $(if $(filter continuous,$1),$(call vdm_paper_rows,),$(call vdm_paper_rows,--limit 1000))

define vdm_paper # NAME MEASURES MODELS
.PHONY: reproduce-vdm-$1
$(OUT)/vdm/$1.h5: scripts/recipes/get-data | build
	@mkdir -p $$(@D)
	$$(vdm_tool) DATA_DIR="$$(DATA_DIR)" DATA="$$(DATA)" SCALE="$$(SCALE)" scripts/recipes/get-data $(firstword $(subst -, ,$1)) $$@
$(3:%=$(VDM)/$1/%.h5): $(VDM)/$1/%.h5: $(OUT)/vdm/$1.h5
	@mkdir -p $$(@D)
	$$(call vdm_train,$$<,$$(call vdm_paper_train,$1,$$(vdm_paper_$$*)))
$(2:%=$(VDM)/$1/%.json): $(VDM)/$1/%.json: $(VDM)/$1/model.h5
	$$(call vdm_eval,$$< $(OUT)/vdm/$1.h5:test $$(call vdm_paper_scored,$$*) $$(vdm_paper_measure_$$*))
$(VDM)/$1/samples.png: $(VDM)/$1/model.h5
	$$(vdm_tool) sample-model $$< -n $(call vdm_by_paper,2,64) --timesteps $(call vdm_by_paper,2,1000) -o $$(@:.png=.h5) --force
	$$(vdm_tool) view-samples $$(@:.png=.h5) -o $$@ --force
$(VDM)/$1/data.idx: $(OUT)/vdm/$1.h5
	@mkdir -p $$(@D)
	$$(call held_out,$$<:test --limit $(call vdm_by_paper,2,200))
$(VDM)/$1/data.lpx: $(VDM)/$1/model.h5 $(VDM)/$1/data.idx
	$$(vdm_tool) bits-back-encode --model-only --effort fast $$^ -o $$@ --grid uniform --timesteps $(call vdm_by_paper,2,100) \
	  --report $$(@:.lpx=.code.json) --no-verify --force
	$$(vdm_tool) bits-back-decode $$< $$@ -o $$@.back --report $$(@:.lpx=.decode.json) --force
	cmp $$@.back $(VDM)/$1/data.idx && rm $$@.back
reproduce-vdm-$1: $(3:%=$(VDM)/$1/%.h5) $(2:%=$(VDM)/$1/%.json) $(VDM)/$1/samples.png $(VDM)/$1/data.lpx
	@$$(vdm_tool) $(VDM_TABLE) $1 $(VDM) $(OUT)/vdm/$1.h5 $(SCALE)
endef
reproduce-vdm-cifar10: ## CIFAR-10 at the paper's size: bits, steps, variances, draws, coded pictures; below SCALE=paper on two rows | < 15 min | 3 GB
reproduce-vdm-cifar10-aug: ## CIFAR-10 with augmentation, at the paper's size; below SCALE=paper on two rows | < 30 min | 3 GB
reproduce-vdm-imagenet32: ## ImageNet, 32x32, at the paper's size; below SCALE=paper on two rows | < 20 min | 3 GB
reproduce-vdm-imagenet64: ## ImageNet, 64x64, at the paper's size; below SCALE=paper on two rows | < 90 min | 3 GB
# The paper has tables 2 and 4b and figure 5 of CIFAR-10 alone.
$(eval $(call vdm_paper,cifar10,continuous $(VDM_PAPER_TIMES:%=at-%) by-own by-linear by-beta-linear by-alpha-cosine,model plain fixed))
$(foreach d,cifar10-aug imagenet32 imagenet64,$(eval $(call vdm_paper,$d,continuous,model)))
