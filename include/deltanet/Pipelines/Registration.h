//===- Registration.h - What every tool knows -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PIPELINES_REGISTRATION_H
#define DELTANET_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::deltanet {

/// Upstream dialects with their extensions, and ours.
void registerDialects(DialectRegistry &registry);

/// Upstream passes, ours and the pipelines, for command lines.
void registerPassesAndPipelines();

} // namespace mlir::deltanet

#endif // DELTANET_PIPELINES_REGISTRATION_H
