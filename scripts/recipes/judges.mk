# Experiments on judges of samples: scores of the same two sets by more and more samples.
# Everything lies under $(OUT)/judges/; what is there is not made again. The tables are written by
# scripts/recipes/judges-table.

JUDGES_TABLE = scripts/recipes/judges-table
JUDGES := $(OUT)/judges/$(SCALE)$(if $(filter given,$(mnist_kind)),,-built-in)
judges_tool = PATH="$(abspath $(BIN)):$$PATH"
# INCEPTION=W.h5 (scripts/convert-inception) judges by that network, in files of their own; without it
# fixed random filters stand in.
judges_by = $(if $(INCEPTION),inception-v3 --extractor-weights $(INCEPTION),$1)
judges_folder := $(if $(INCEPTION),-inception)

# --- FID of one model, by 500 to 10,000 of its samples: at N, and at infinity ---
FID_BIAS := $(JUDGES)/fid-bias$(judges_folder)
FID_BIAS_SIZES := $(call vae_by,100 200 400,500 1000 2000 5000 10000,500 1000 2000 5000 10000)
fid_bias_most := $(lastword $(FID_BIAS_SIZES))
fid_bias_extractor := $(call judges_by,$(call vae_by,random-conv:1:16,random-conv:1:64,random-conv:1:64))

fid_vae = $(judges_tool) train-vae $1 -o $@ --force --resume --preset $(call vae_by,tiny,small,small) \
  --likelihood beta-binomial --steps $(call vae_by,30,500,5000)

$(FID_BIAS)/model.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call fid_vae,$<)
$(FID_BIAS)/samples.h5: $(FID_BIAS)/model.h5
	$(judges_tool) sample-model $< -n $(fid_bias_most) -o $@ --force
$(FID_BIAS)/real.h5: $(MNIST)
	@mkdir -p $(@D)
	$(judges_tool) extract-features $<:train -o $@ --force --extractor $(fid_bias_extractor) --limit $(fid_bias_most)
$(FID_BIAS_SIZES:%=$(FID_BIAS)/fake-%.h5): $(FID_BIAS)/fake-%.h5: $(FID_BIAS)/samples.h5
	$(judges_tool) extract-features $< -o $@ --force --extractor $(fid_bias_extractor) --rows 0:$*
# Sizes go from a third of the samples to all of them, so that the plain score is that of them all.
$(FID_BIAS_SIZES:%=$(FID_BIAS)/fid-%.json): $(FID_BIAS)/fid-%.json: $(FID_BIAS)/real.h5 $(FID_BIAS)/fake-%.h5
	$(judges_tool) fid-extrapolate $^ --metrics fid --sizes $$(($* / 3)):$*:11 --bootstrap $(call vae_by,20,100,100) \
	  --report $@ --force > $@.out

.PHONY: reproduce-fid-bias
reproduce-fid-bias: $(FID_BIAS_SIZES:%=$(FID_BIAS)/fid-%.json) ## FID of one model by 500 to 10,000 samples: at N, and at infinity | < 3 min | 0.5 GB
	@$(judges_tool) $(JUDGES_TABLE) fid-bias$(judges_folder) $(JUDGES) $(MNIST) $(SCALE)

# --- FID and KID at infinity of energy models, and of a VAE beside them (tables 1 and 2 of the paper) ---
# Samples are means of pictures without noise: by random uniforms, and by Sobol points where a prior has few
# enough dimensions. Of those the first N are the subsets, since a random choice of them is not as even.
KAEM_FID := $(JUDGES)/kaem-fid$(judges_folder)
kaem_fid_samples := $(call vae_by,200,3000,3000)
kaem_fid_extractor := $(call judges_by,$(call vae_by,random-conv:1:16,random-conv:1:64,random-conv:1:64))
kaem_fid_score = $(judges_tool) fid-extrapolate $^ $1 --bootstrap $(call vae_by,20,100,100) \
  --report $@ --force > $@.out
kaem_fid_judged = $(call kaem_fid_score,--metrics fid$(comma)kid$(comma)prdc)
kaem_fid_reports :=

$(KAEM_FID)/clothes/vae.h5: $(FASHION)
	@mkdir -p $(@D)
	$(call fid_vae,$<)
define kaem_fid_data # SET DATA: held-out pictures
$(KAEM_FID)/$1/real.features.h5: $2
	@mkdir -p $$(@D)
	$$(judges_tool) extract-features $$<:$(if $(filter svhn celeba,$1),valid,test) -o $$@ --force --extractor $(kaem_fid_extractor)
$(KAEM_FID)/$1/%.json: $(KAEM_FID)/$1/real.features.h5 $(KAEM_FID)/$1/%.random.features.h5
	$$(kaem_fid_judged)
$(KAEM_FID)/$1/%.sobol.json: $(KAEM_FID)/$1/real.features.h5 $(KAEM_FID)/$1/%.sobol.features.h5
	$$(call kaem_fid_score,--subset prefix)
$(KAEM_FID)/$1/better.json: $(KAEM_FID)/$1/real.features.h5 $(3:%=$(KAEM_FID)/$1/%.random.features.h5)
	$$(kaem_fid_judged)
kaem_fid_reports += $(KAEM_FID)/$1/better.json
endef
define kaem_fid_model # SET NAME MODEL [sobol]
$(KAEM_FID)/$1/$2.random.samples.h5: $3
	@mkdir -p $$(@D)
	$$(judges_tool) sample-model $$< -n $(kaem_fid_samples) --mean -o $$@ --force
$(KAEM_FID)/$1/$2.sobol.samples.h5: $3
	@mkdir -p $$(@D)
	$$(judges_tool) sample-its $$< -n $(kaem_fid_samples) --qmc sobol --decode -o $$@ --force
kaem_fid_reports += $(KAEM_FID)/$1/$2.json $(if $4,$(KAEM_FID)/$1/$2.sobol.json)
endef
$(KAEM_FID)/%.features.h5: $(KAEM_FID)/%.samples.h5
	$(judges_tool) extract-features $< -o $@ --force --extractor $(kaem_fid_extractor)

$(eval $(call kaem_fid_data,digits,$(MNIST),gaussian vae))
$(eval $(call kaem_fid_data,clothes,$(FASHION),gaussian vae))
$(foreach b,$(KAEM_BASES),$(eval $(call kaem_fid_model,digits,$b,$(KAEM)/mnist/$b.h5,sobol)))
$(foreach b,$(KAEM_BASES),$(eval $(call kaem_fid_model,clothes,$b,$(KAEM)/$(KAEM_FASHION)/$b.h5,sobol)))
$(foreach b,independent wide,$(eval $(call kaem_fid_model,digits,$b,$(KAEM)/mnist/$b.h5)))
$(eval $(call kaem_fid_model,digits,vae,$(FID_BIAS)/model.h5))
$(eval $(call kaem_fid_model,clothes,vae,$(KAEM_FID)/clothes/vae.h5))
# Models of pictures in colour take hours at SCALE=paper: they join where they have been made.
define kaem_fid_colours # SET
$(eval $(call kaem_fid_data,$1,$(OUT)/data/$1-$(SCALE).h5,$(KAEM_OBJECTIVES)))
$(foreach o,$(KAEM_OBJECTIVES),$(eval $(call kaem_fid_model,$1,$o,$(KAEM)/$1/$o.h5,sobol)))
endef
$(foreach s,svhn celeba,$(if $(wildcard $(KAEM)/$s/se.h5),$(call kaem_fid_colours,$s)))

.PHONY: reproduce-kaem-fid
reproduce-kaem-fid: $(kaem_fid_reports) ## FID and KID at infinity of energy models and a VAE, by random and Sobol uniforms | < 5 min | 0.5 GB
	@$(judges_tool) $(JUDGES_TABLE) kaem-fid$(judges_folder) $(JUDGES) $(MNIST) $(SCALE)
