//===- InverseTest.cpp - The triangular system of one chunk ---------------===//
//
// Part of the Delta-Net project.
//
// Without decay and initial state, one chunk computes o = tril(q k^T) X, where
// L X = beta v and L = I + stril(beta k k^T). With queries that are dual to the
// keys, q_i k_j = [i = j], the output is X itself.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static constexpr int64_t chunk = 64, keys = 128;

static KernelSpec chunkSpec(int64_t columns) {
  KernelSpec spec = f32Spec();
  spec.h = spec.hv = 1;
  spec.k = keys;
  spec.v = columns;
  spec.scale = 1;
  return spec;
}

/// k k^T in float64, [chunk,chunk].
static std::vector<double> gram(const std::vector<float> &k) {
  std::vector<double> product(chunk * chunk, 0.0);
  for (int64_t i = 0; i < chunk; ++i)
    for (int64_t j = 0; j < chunk; ++j)
      for (int64_t c = 0; c < keys; ++c)
        product[i * chunk + j] += double(k[i * keys + c]) * k[j * keys + c];
  return product;
}

/// Queries dual to the keys: q = (k k^T)^-1 k, by elimination. The Gram matrix
/// of 64 random unit keys in 128 dimensions needs no pivoting.
static std::vector<float> dualQueries(const std::vector<float> &k) {
  std::vector<double> matrix = gram(k);
  std::vector<double> q(k.begin(), k.end());
  for (int64_t p = 0; p < chunk; ++p) {
    double inverse = 1 / matrix[p * chunk + p];
    for (int64_t j = 0; j < chunk; ++j)
      matrix[p * chunk + j] *= inverse;
    for (int64_t c = 0; c < keys; ++c)
      q[p * keys + c] *= inverse;
    for (int64_t i = 0; i < chunk; ++i) {
      double factor = i == p ? 0 : matrix[i * chunk + p];
      for (int64_t j = 0; j < chunk; ++j)
        matrix[i * chunk + j] -= factor * matrix[p * chunk + j];
      for (int64_t c = 0; c < keys; ++c)
        q[i * keys + c] -= factor * q[p * keys + c];
    }
  }
  return std::vector<float>(q.begin(), q.end());
}

static Problem makeChunk(const KernelSpec &spec, Betas betas) {
  GeneratorOptions options;
  options.gates = Gates::Zero;
  options.betas = betas;
  Problem problem = makeProblem(spec, {chunk}, options);
  std::fill(problem.stateIn.begin(), problem.stateIn.end(), 0.f);
  problem.q = dualQueries(problem.k);
  return problem;
}

/// L = I + stril(beta k k^T).
static std::vector<double> triangle(const Problem &problem) {
  std::vector<double> product = gram(problem.k);
  for (int64_t i = 0; i < chunk; ++i)
    for (int64_t j = 0; j < chunk; ++j)
      product[i * chunk + j] = i == j ? 1
                               : j > i
                                   ? 0
                                   : problem.beta[i] * product[i * chunk + j];
  return product;
}

TEST(Cases, Case23_InverseOfNormalisedKeys) {
  // beta = 1 and v = I: the output is the inverse of L.
  KernelSpec spec = chunkSpec(chunk);
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeChunk(spec, Betas::One);
  std::fill(problem.v.begin(), problem.v.end(), 0.f);
  for (int64_t i = 0; i < chunk; ++i)
    problem.v[i * chunk + i] = 1;

  std::vector<double> lower = triangle(problem);
  std::vector<float> expected(chunk * chunk);
  for (int64_t column = 0; column < chunk; ++column) {
    std::vector<double> x(chunk, 0.0);
    for (int64_t i = 0; i < chunk; ++i) {
      x[i] = i == column;
      for (int64_t j = 0; j < i; ++j)
        x[i] -= lower[i * chunk + j] * x[j];
      expected[i * chunk + column] = float(x[i]);
    }
  }
  for (const Variant &variant : kernels.variants())
    EXPECT_LE(relativeError(run(variant, problem).o, expected), 1e-5)
        << variant.text();
}

TEST(Cases, Case55_SolutionTimesMatrixIsTheRightSide) {
  constexpr int64_t columns = 128;
  KernelSpec spec = chunkSpec(columns);
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeChunk(spec, Betas::Uniform);
  std::vector<double> lower = triangle(problem);
  for (const Variant &variant : kernels.variants()) {
    std::vector<float> x = run(variant, problem).o;
    std::vector<float> product(chunk * columns), right(chunk * columns);
    for (int64_t i = 0; i < chunk; ++i)
      for (int64_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (int64_t j = 0; j <= i; ++j)
          sum += lower[i * chunk + j] * x[j * columns + c];
        product[i * columns + c] = float(sum);
        right[i * columns + c] = problem.beta[i] * problem.v[i * columns + c];
      }
    EXPECT_LE(relativeError(product, right), 1e-5) << variant.text();
  }
}
