// The operations of the graph by family; each header lists its ops with formula and shapes.
#pragma once

#include "libcore/grad/ops_attention.hpp"   // attention
#include "libcore/grad/ops_conv.hpp"        // conv2d, conv_transpose2d, upsample, pool, pad
#include "libcore/grad/ops_features.hpp"    // Fourier features, time embedding, monotone linear
#include "libcore/grad/ops_graph.hpp"       // layers of graph networks
#include "libcore/grad/ops_index.hpp"       // embedding, one-hot, concat, split, permute, repeat
#include "libcore/grad/ops_likelihood.hpp"  // Bernoulli, Gaussian, logistic, categorical; KL
#include "libcore/grad/ops_matrix.hpp"      // linear, matmul, grouped matmul, outer
#include "libcore/grad/ops_norm.hpp"        // group, layer and batch norm
#include "libcore/grad/ops_order.hpp"       // orders, their prefixes and weights; masked softmax
#include "libcore/grad/ops_pointwise.hpp"   // + - * / with broadcast, elementary functions, where
#include "libcore/grad/ops_reduce.hpp"      // sum, mean, max, logsumexp, cumulative sum, pooling
#include "libcore/grad/ops_sample.hpp"      // reparameterise, dropout, Gumbel, stop_gradient
#include "libcore/grad/ops_spline.hpp"      // RBF and B-spline bases
