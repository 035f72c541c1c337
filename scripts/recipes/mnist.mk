# The main job: digits modelled, measured in bits, drawn, compressed and restored; one page.
# make reproduce-mnist [DATA_DIR=FOLDER] [SCALE=tiny|small|paper]   ->  $(OUT)/mnist/.../index.html

DIGITS := $(OUT)/mnist/$(SCALE)$(if $(filter given,$(mnist_kind)),,-built-in)
mnist_epochs = $(call vae_by,1,$1,$2)
mnist_rows := $(call vae_by,--limit 600,,)
mnist_scored := $(call vae_by,--limit 50,,)
# Epochs are chosen by the split `valid`; what is reported is of `test`, which chooses nothing.
mnist_split := $(MNIST):test
mnist_net = $(call vae_by,--hidden 16,--hidden $1,--hidden $1)

# Bits: every pixel drawn once from its grey value; the model that the field compares.
$(DIGITS)/bits.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--binarise static $(call mnist_net,500) --latent 40 $(mnist_rows) --batch 200 --lr 0.002 \
	  --lr-schedule cosine --epochs $(call mnist_epochs,18,200) --keep-best)
# The same with another p(z), fitted to its codes.
$(DIGITS)/fitted.h5: $(DIGITS)/bits.h5 $(MNIST)
	$(call vae_train,$(MNIST),--init-model $< --fit-prior mixture:$(call vae_by,4,40,100) $(mnist_rows))
# Grey values 0..255, as the files hold them.
$(DIGITS)/grey.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--preset bits-back $(call mnist_net,200) $(mnist_rows) \
	  --epochs $(call mnist_epochs,7,100) --keep-best)
# Two latents, to look at.
$(DIGITS)/plane.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call vae_train,$<,--binarise static $(call mnist_net,500) --latent 2 $(mnist_rows) --batch 200 --lr 0.002 \
	  --lr-schedule cosine --epochs $(call mnist_epochs,10,100))

# An energy-based prior on the same bits; its neighbours are the sheets of the three reference priors.
$(DIGITS)/kaem.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call kaem_fit,$<,--preset $(call vae_by,tiny --steps 20,small --epochs 4,paper) --batch 100 \
	  --likelihood bernoulli --binarise static $(mnist_rows))
$(KAEM_BASES:%=$(DIGITS)/kaem.%.png): $(DIGITS)/kaem.%.png: $(KAEM)/mnist/%.png
	@mkdir -p $(@D)
	cp $< $@

# Two circuits, of the bits and of the grey values, whose log p(x) is exact.
mnist_circuit_rows := $(call vae_by,--limit 600,--limit 20000,)
$(DIGITS)/circuit.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call pc_fit,$<,--binarise static $(call vae_by,--preset tiny --steps 20,--hidden 24 --epochs 2,--hidden 64 --epochs 10) \
	  $(mnist_circuit_rows))
$(DIGITS)/circuit-grey.h5: $(MNIST)
	@mkdir -p $(@D)
	$(call pc_fit,$<,--preset pictures $(call vae_by,--hidden 4 --styles 2 --dictionary 8 --steps 10,\
	  --hidden 48 --styles 16 --epochs 2,--hidden 128 --epochs 10) $(mnist_circuit_rows))

# A diffusion model of the bits of smaller pictures, 14x14.
$(DIGITS)/vdm.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(call vdm_train,$<,--binarise static --channels 16 --depth 1 --multipliers 1$(comma)2 --groups 8 $(mnist_rows) \
	  --steps $(call vae_by,10,650,20000) --eval-every $(call vae_by,10,200,2000))
# Values of such pictures in four shades, known one after another: first in any order, then in one that is learned.
$(DIGITS)/loarm.h5: $(MNIST14)
	@mkdir -p $(@D)
	$(call loarm_train,$<,--levels 4 --net mlp $(call vae_by,--preset tiny --hidden 16,--preset small,--preset small) $(mnist_rows) \
	  --steps $(call vae_by,10,2000,20000) --warmup-uniform $(call vae_by,5,1200,10000) --lr 2e-3 --lr-warmup 50 \
  --eval-every $(call vae_by,10,400,2000))
$(DIGITS)/vdm.eval.json $(DIGITS)/loarm.eval.json: $(DIGITS)/%.eval.json: $(DIGITS)/%.h5 $(MNIST14)
	$(vae_tool) elbo-eval $< $(MNIST14):test --limit $(call vae_by,50,2000,10000) --report $@ --force > $@.out

# The bound of all digits; their 100 weights, which take a minute for all, of the first 1,000.
$(DIGITS)/grey.eval.json $(DIGITS)/fitted.eval.json: $(DIGITS)/%.eval.json: $(DIGITS)/%.h5 $(MNIST)
	$(vae_tool) elbo-eval $< $(mnist_split) --limit $(call vae_by,50,1000,10000) --method iwae --samples 100 \
	  --report $(@D)/$*.eval-100-weights.json --force > $@.out
	$(vae_tool) elbo-eval $< $(mnist_split) $(mnist_scored) --method elbo --report $@ --force > $@.out
$(DIGITS)/%.eval.json: $(DIGITS)/%.h5 $(MNIST)
	$(vae_tool) elbo-eval $< $(mnist_split) $(mnist_scored) --report $@ --force > $@.out
# The publisher's own test file, where DATA_DIR has it: of its digits are the numbers that have been published.
mnist_t10k := $(call found,t10k-images*idx3-ubyte*)
T10K := $(OUT)/data/t10k-given$(tiny).h5
$(T10K): scripts/recipes/get-data $(mnist_t10k) | build
	@mkdir -p $(@D)
	@$(vae_tool) DATA_DIR="$(DATA_DIR)" scripts/recipes/get-data t10k $@
$(DIGITS)/%.eval-t10k.json: $(DIGITS)/%.h5 $(T10K)
	$(vae_tool) elbo-eval $< $(T10K):test $(mnist_scored) $(if $(filter grey fitted context,$*),--method elbo) --report $@ --force > $@.out

$(DIGITS)/%.samples.png: $(DIGITS)/%.h5
	$(vae_tool) sample-model $< -n 100 $(if $(filter circuit% loarm context,$*),,--mean) $(if $(filter vdm,$*),--timesteps $(call vae_by,5,50,250)) -o $(@:.png=.h5) --force
	$(vae_tool) view-samples $(@:.png=.h5) --grid 20x5 --scale 2 -o $@ --force
$(DIGITS)/%.again.png: $(DIGITS)/%.h5
	$(vae_tool) sample-model $< --reconstruct $(mnist_split) --index 0:10 -o $(@:.png=.h5) --force
	$(vae_tool) view-samples $(@:.png=.h5) --grid 15x2 --scale 2 -o $@ --force
# Ten held-out digits of which the upper half is given; five draws of the lower one.
$(DIGITS)/%.halves.png: $(DIGITS)/%.h5
	$(vae_tool) query-pc $< $(mnist_split) --rows 0:10 --known rows:0-13 --query complete -n 5 \
	  -o $(@:.png=.h5) --force > $@.out
	$(vae_tool) view-samples $(@:.png=.h5) --grid 10x5 --scale 2 -o $@ --force
$(DIGITS)/loarm.completed.png: $(DIGITS)/loarm.h5
	$(call loarm_half,$(MNIST14):test,6)
	$(vae_tool) view-samples $(@:.png=.h5) --grid 10x5 --scale 4 -o $@ --force
$(DIGITS)/plane.png: $(DIGITS)/plane.h5
	$(vae_tool) sample-model $< --manifold 20 -o $(@:.png=.samples.h5) --force
	$(vae_tool) view-samples $(@:.png=.samples.h5) -o $@ --force
# Our curve on the axes of fig. 2 of the paper, and of the digits of the paper the level where its curve ends.
mnist_level := $(if $(filter given,$(mnist_kind)),$(DIGITS)/%.paper.json)
$(DIGITS)/%.paper.json: $(DIGITS)/%.h5 scripts/recipes/digits-models.json
	jq -s --slurpfile models scripts/recipes/digits-models.json --arg name $* -f scripts/recipes/paper-level.jq \
	  $(@D)/$*.history.jsonl > $@.part && mv $@.part $@
$(DIGITS)/%.training.svg: $(DIGITS)/%.h5 $(mnist_level)
	$(vae_tool) plot-report $(@D)/$*.history.jsonl $(filter %.paper.json,$^) \
	  --label "ours$(if $(mnist_level),$(comma)the paper's)" --x samples_seen --log-x \
	  --title "log p(x) of digits while training, nats" -o $@ --force

# The held-out digits as a file, and what the models of bits make of them; all coded and restored. Circuits and what
# sees neighbours code the first 1,000, models of 14x14 the first 100.
define held_out
	@mkdir -p $(@D)
	$(vae_tool) bits-back-encode --store --dataset $1 -o $@.stored --force
	$(vae_tool) bits-back-decode $@.stored -o $@ --force
	rm $@.stored
endef
$(DIGITS)/grey.idx: $(MNIST)
	$(call held_out,$(mnist_split))
# As the model $< reads them.
define held_out_bits
	$(vae_tool) bits-back-encode --effort fast $< --dataset $1 -o $@.coded --no-verify --force
	$(vae_tool) bits-back-decode $< $@.coded -o $@ --force
	rm $@.coded
endef
$(DIGITS)/bits.idx: $(DIGITS)/bits.h5 $(MNIST)
	$(call held_out_bits,$(mnist_split))
$(DIGITS)/fitted.idx: $(DIGITS)/bits.idx
	cp $< $@
$(DIGITS)/%.as-set.lpx: $(DIGITS)/%.h5 $(MNIST)
	$(vae_tool) bits-back-encode --effort fast $< --dataset $(mnist_split) --as-set -o $@ --force
	$(vae_tool) bits-back-decode $< --test $@
$(DIGITS)/circuit.idx: $(DIGITS)/circuit.h5 $(MNIST)
	$(call held_out_bits,$(mnist_split) --limit 1000)
$(DIGITS)/vdm.idx $(DIGITS)/loarm.idx: $(DIGITS)/%.idx: $(DIGITS)/%.h5 $(MNIST14)
	$(call held_out_bits,$(MNIST14):test --limit $(call vae_by,2,100,100) --block-items 25)
$(DIGITS)/circuit-grey.idx $(DIGITS)/context.idx: $(MNIST)
	$(call held_out,$(mnist_split) --limit 1000)
$(DIGITS)/%.idx.lpx: $(DIGITS)/%.idx $(DIGITS)/%.h5
	$(vae_tool) bits-back-encode --effort fast $(@D)/$*.h5 $< -o $@ --report $(@D)/$*.code.json --force
	$(vae_tool) bits-back-decode $(@D)/$*.h5 $@ -o $<.back --report $(@D)/$*.decode.json --force
	cmp $< $<.back
	rm $<.back
	$(vae_tool) bits-back-encode --effort fast $(@D)/$*.h5 $< -o $(@D)/$*.with-model.lpx --embed-model --no-verify --force
$(DIGITS)/%.sizes: $(DIGITS)/%.idx
	scripts/recipes/compressors $< > $@.part && mv $@.part $@

# Draws of each model beside held-out digits, as a classifier of the training digits sees them: FID and KID at
# infinity. Models of bits are held against bits of the same digits. Without labels principal axes must do.
mnist_draws := $(call vae_by,200,5000,10000)
$(DIGITS)/seen.h5: $(MNIST)
	@mkdir -p $(@D)
	$(vae_tool) extract-features $(MNIST):train --limit $(call vae_by,600,10000,50000) --save-basis $@ \
	  --extractor $$($(vae_tool) inspect $< -q | grep -q '"/data/y"' && echo classifier:64 || echo pca:64) \
	  --stats-only -o $(@D)/seen.statistics.h5 --force
$(DIGITS)/held-out.%.h5: $(DIGITS)/seen.h5 $(MNIST)
	$(vae_tool) extract-features $(mnist_split) --basis $< $(if $(filter bits,$*),--binarise static) -o $@ --force
$(DIGITS)/%.judged.json: $(DIGITS)/%.h5 $(DIGITS)/seen.h5 $(DIGITS)/held-out.bits.h5 $(DIGITS)/held-out.grey.h5
	$(vae_tool) sample-model $< -n $(mnist_draws) -o $(@D)/$*.draws.h5 --force
	$(vae_tool) extract-features $(@D)/$*.draws.h5 --basis $(@D)/seen.h5 -o $(@D)/$*.features.h5 --force
	kind=$$($(vae_tool) inspect $(@D)/$*.draws.h5 -q | jq -r 'if .result.attributes.levels == 2 then "bits" else "grey" end'); \
	$(vae_tool) fid-extrapolate $(@D)/held-out.$$kind.h5 $(@D)/$*.features.h5 --report $@ --force > $@.out

# What reproduce-vae-context has left, where it was run.
$(DIGITS)/context.h5: $(VAE)/context/table.md
	@mkdir -p $(@D)
	cp $(<D)/both-1.history.jsonl $(@D)/context.history.jsonl
	cp $(<D)/both-1.h5 $@
$(DIGITS)/context.eval.json: $(DIGITS)/context.h5
	cp $(VAE)/context/both-1.json $@

# What reproduce-vdm-mnist has left, where it was run: half an hour of training that the page does not ask for.
VDM_MNIST := $(OUT)/vdm/$(SCALE)/mnist$(if $(filter given,$(mnist_kind)),,-built-in)
$(DIGITS)/vdm-mnist.eval.json: $(VDM_MNIST)/claims.json
	@mkdir -p $(@D)
	cp $(<D)/model.h5 $(@D)/vdm-mnist.h5
	cp $(<D)/model.history.jsonl $(@D)/vdm-mnist.history.jsonl
	cp $(<D)/data.lpx $(@D)/vdm-mnist.idx.lpx
	for what in code decode; do cp $(<D)/data.$$what.json $(@D)/vdm-mnist.$$what.json; done
	cp $(<D)/ancestral.png $(@D)/vdm-mnist.samples.png
	for sheet in dpm2m $$(cd $(<D) && ls class-*.png | sed 's/\.png$$//'); do \
	  cp $(<D)/$$sheet.png $(@D)/vdm-mnist.$$sheet.png; done
	for further in $$(cd $(<D) && ls continuous-*.json uniform-*.json fitted-*.json | sed 's/\.json$$//'); do \
	  cp $(<D)/$$further.json $(@D)/vdm-mnist.eval-$$further.json; done
	cp $(<D)/continuous.json $@

# And reproduce-loarm-mnist, its model of four shades and that of bits.
LOARM_MNIST := $(OUT)/loarm/$(SCALE)/mnist$(if $(filter given,$(mnist_kind)),,-built-in)
loarm_made = for what in $2; do cp $(<D)/$1.$$what $(@D)/$3.$$what; done
$(DIGITS)/loarm-shades.eval.json: $(LOARM_MNIST)/claims.json
	@mkdir -p $(@D)
	$(call loarm_made,lo,h5 history.jsonl samples.png order.png path.png halves.png,loarm-shades)
	mv $(@D)/loarm-shades.halves.png $(@D)/loarm-shades.completed.png
	$(call loarm_made,policy,code.json decode.json,loarm-shades)
	cp $(<D)/policy.lpx $(@D)/loarm-shades.idx.lpx
	cp $(<D)/data.sizes $(@D)/loarm-shades.sizes
	cp $(<D)/ao.bound.json $(@D)/loarm-shades.eval-any-order.json
	cp $(<D)/lo.bound.json $@
$(DIGITS)/loarm-bits.eval.json: $(LOARM_MNIST)/claims.json
	@mkdir -p $(@D)
	$(call loarm_made,bits,h5 history.jsonl samples.png path.png halves.png,loarm-bits)
	mv $(@D)/loarm-bits.halves.png $(@D)/loarm-bits.completed.png
	cp $(<D)/bits.bound.json $@

# The page has a row for each model that is done, in this order; it is written again after each.
DIGIT_MODELS := bits fitted grey $(if $(wildcard $(VAE)/context/table.md),context) plane kaem circuit circuit-grey vdm loarm \
  $(if $(wildcard $(VDM_MNIST)/claims.json),vdm-mnist) \
  $(if $(wildcard $(LOARM_MNIST)/claims.json),loarm-shades loarm-bits)
measured = $(DIGITS)/$1.eval.json $(DIGITS)/$1.samples.png $(DIGITS)/$1.again.png
compressed = $(DIGITS)/$1.idx.lpx $(DIGITS)/$1.sizes
$(DIGITS)/bits.row: $(call measured,bits) $(DIGITS)/bits.training.svg $(call compressed,bits)
$(DIGITS)/fitted.row: $(call measured,fitted) $(DIGITS)/fitted.idx.lpx $(DIGITS)/fitted.as-set.lpx
$(DIGITS)/grey.row: $(call measured,grey) $(call compressed,grey)
$(DIGITS)/plane.row: $(DIGITS)/plane.eval.json $(DIGITS)/plane.png
$(DIGITS)/kaem.row: $(DIGITS)/kaem.eval.json $(DIGITS)/kaem.samples.png $(KAEM_BASES:%=$(DIGITS)/kaem.%.png)
$(foreach m,circuit circuit-grey,$(DIGITS)/$m.row): $(DIGITS)/%.row: $(DIGITS)/%.eval.json $(DIGITS)/%.samples.png \
  $(DIGITS)/%.halves.png $(DIGITS)/%.idx.lpx $(DIGITS)/%.sizes
$(DIGITS)/context.row: $(addprefix $(DIGITS)/context.,eval.json samples.png idx.lpx sizes)
$(DIGITS)/vdm.row: $(addprefix $(DIGITS)/vdm.,eval.json samples.png idx.lpx sizes)
$(DIGITS)/loarm.row: $(addprefix $(DIGITS)/loarm.,eval.json samples.png order.png completed.png idx.lpx sizes)
DIGIT_GUESTS := vdm-mnist loarm-shades loarm-bits
$(DIGIT_GUESTS:%=$(DIGITS)/%.row): $(DIGITS)/%.row: $(DIGITS)/%.eval.json
# The judge has seen digits of 28x28, and needs more draws than a diffusion model makes in a minute.
$(patsubst %,$(DIGITS)/%.row,$(filter-out vdm loarm $(DIGIT_GUESTS),$(DIGIT_MODELS))): $(DIGITS)/%.row: $(DIGITS)/%.judged.json \
  $(if $(mnist_t10k),$(DIGITS)/%.eval-t10k.json)
$(DIGIT_MODELS:%=$(DIGITS)/%.row): $(addprefix scripts/recipes/digits-,page page.jq models.json)
	@$(vae_tool) scripts/recipes/digits-page $(DIGITS) $(MNIST) $(SCALE) $(DIGIT_MODELS)
	@touch $@
	@echo "reproduce-mnist: $(@F:.row=) is on the page: $(DIGITS)/index.html" >&2

.PHONY: reproduce-mnist mnist-page
reproduce-mnist: ## the main job: digits modelled, measured, drawn, compressed; one page | < 15 min | 0.6 GB
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory mnist-page
mnist-page: $(DIGIT_MODELS:%=$(DIGITS)/%.row)
	@cat $(DIGITS)/table.md; echo; echo "the page: $(DIGITS)/index.html"

# --- coding alone; clothes too, where DATA_DIR has Fashion-MNIST ---
.PHONY: reproduce-vae-bits-back bench-coding
$(DIGITS)/fashion.h5: $(FASHION)
	@mkdir -p $(@D)
	$(call vae_train,$<,--preset bits-back $(call mnist_net,200) $(mnist_rows) \
	  --epochs $(call mnist_epochs,15,100) --keep-best)
$(DIGITS)/fashion.idx: $(FASHION)
	$(call held_out,$(FASHION):test)
coding_tables := $(patsubst %,$(DIGITS)/%.coding.md,bits grey $(if $(fashion_file),fashion))
$(DIGITS)/%.coding.md: $(DIGITS)/%.idx.lpx scripts/bench-coding
	$(vae_tool) MODEL=$(@D)/$*.h5 scripts/bench-coding $(@D)/$*.idx $< $(@D)/$*.with-model.lpx > $@.part && mv $@.part $@
reproduce-vae-bits-back: $(foreach m,bits grey,$(DIGITS)/$m.idx.lpx $(DIGITS)/$m.eval.json) ## bits back on held-out digits: length beside the bound | < 10 min | 0.6 GB
	@for m in bits grey; do jq -r --arg m $$m '.result | "\($$m): \(.coded.bits_per_dim) bits/dim coded, bound \(.bound.bits_per_dim), gap \(.gap_percent) %, initial \(.initial.bits) bits"' \
	  $(DIGITS)/$$m.code.json; done | tee $(DIGITS)/bits-back.txt
# Files of any kind, without a model.
files_to_code := $(if $(DATA_DIR),$(wildcard $(addprefix $(DATA_DIR)/,calgary/* smiles/* text/* large/* \
  cifar10/*.bin fashion-mnist/t10k-images*)))
$(OUT)/bench/files.coding.md: $(files_to_code) scripts/bench-files $(wildcard scripts/files/*.py) | build
	@mkdir -p $(@D)
	PATH="$(abspath $(BIN)):$$PATH" scripts/bench-files $(@D)/files $(files_to_code) > $@.part && mv $@.part $@
bench-coding: $(coding_tables) $(if $(files_to_code),$(OUT)/bench/files.coding.md) ## the coder beside other compressors on the same pictures and files | < 20 min | 1 GB
	@for table in $^; do echo; echo "$$table"; cat $$table; done
