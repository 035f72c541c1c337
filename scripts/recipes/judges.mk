# Experiments on judges of samples: scores of the same two sets by more and more samples.
# Everything lies under $(OUT)/judges/; what is there is not made again. The tables are written by
# scripts/recipes/judges-table.

JUDGES_TABLE = scripts/recipes/judges-table
JUDGES := $(OUT)/judges/$(SCALE)$(if $(filter given,$(mnist_kind)),,-built-in)
judges_tool = PATH="$(abspath $(BIN)):$$PATH"

# --- FID of one model, by 500 to 10,000 of its samples: at N, and at infinity ---
FID_BIAS := $(JUDGES)/fid-bias
FID_BIAS_SIZES := $(call vae_by,100 200 400,500 1000 2000 5000 10000,500 1000 2000 5000 10000)
fid_bias_most := $(lastword $(FID_BIAS_SIZES))
fid_bias_extractor := $(call vae_by,random-conv:1:16,random-conv:1:64,random-conv:1:64)

$(FID_BIAS)/model.h5: $(MNIST)
	@mkdir -p $(@D)
	$(judges_tool) train-vae $< -o $@ --force --resume --preset $(call vae_by,tiny,small,small) \
	  --likelihood beta-binomial --steps $(call vae_by,30,500,5000)
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
	@$(judges_tool) $(JUDGES_TABLE) fid-bias $(JUDGES) $(MNIST) $(SCALE)
