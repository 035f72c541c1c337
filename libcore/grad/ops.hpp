// The operations of the graph by family; each header lists its ops with formula and shapes.
#pragma once

#include "libcore/grad/ops_attention.hpp"  // attention, edge scores and edge attention
#include "libcore/grad/ops_conv.hpp"       // conv2d, conv_transpose2d, upsample, average pool, pad
#include "libcore/grad/ops_features.hpp"   // Fourier features, time embedding, monotone linear
#include "libcore/grad/ops_index.hpp"      // embedding, one-hot, concat, split, permute, repeat ...
#include "libcore/grad/ops_likelihood.hpp"  // bernoulli, gaussian, discretised logistic, categorical ...
#include "libcore/grad/ops_matrix.hpp"  // linear, matmul, batched and grouped matmul, outer
#include "libcore/grad/ops_norm.hpp"    // group, layer and batch norm
#include "libcore/grad/ops_pointwise.hpp"  // + - * / with broadcast, elementary functions, clamp, where
#include "libcore/grad/ops_reduce.hpp"  // sum, mean, max, logsumexp, cumulative sum, pooling
#include "libcore/grad/ops_sample.hpp"  // reparameterise, dropout, Gumbel, straight-through, stop
#include "libcore/grad/ops_spline.hpp"  // RBF and B-spline bases, their sums
