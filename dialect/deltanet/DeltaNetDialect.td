//===- DeltaNetDialect.td - The deltanet dialect ------------*- tablegen -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_DIALECT
#define DELTANET_DIALECT

include "mlir/IR/OpBase.td"

def DeltaNet_Dialect : Dialect {
  let name = "deltanet";
  let cppNamespace = "::mlir::deltanet";
  let summary = "gated delta rules: what a linear-attention layer computes";
  let description = [{
    States gated delta rules on tensors and carries the decisions that lead from
    there to kernels.

    Letters, everywhere: T tokens of all sequences together, N sequences, H key
    heads, HV value heads, K key channels, V value channels, C tokens a chunk,
    B tokens a pass, W state columns a pass.

    One token of one value head, in this order (S is the state, K rows and V
    columns):

    1. S ← e^g S (nothing for the plain delta rule),
    2. δ = β (v − Sᵀk),
    3. S ← S + k δᵀ,
    4. o = scale · Sᵀq.

    The layer-level operation is `deltanet.delta_rule`. The operations of one
    chunk or one pass (`deltanet.recurrence_pass` and its neighbours) appear only
    where upstream dialects have no structured form. Everything between is
    `scf`, `linalg`, `tensor` and `vector`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Module attribute that holds the `#deltanet.target` compiled for.
    static constexpr ::llvm::StringLiteral kTargetAttr = "deltanet.target";
    /// Argument attribute of a kernel function: its `#deltanet<role …>`.
    static constexpr ::llvm::StringLiteral kRoleAttr = "deltanet.role";
    /// Function attribute of a kernel function: its `#deltanet.kernel`.
    static constexpr ::llvm::StringLiteral kKernelAttr = "deltanet.kernel";
    /// Attribute of a top-level parallel loop: the `#deltanet.schedule` it
    /// computes.
    static constexpr ::llvm::StringLiteral kScheduleAttr = "deltanet.schedule";
    /// Unit attribute of the loop that runs over the reduced dimension of a
    /// register block.
    static constexpr ::llvm::StringLiteral kReductionAttr =
        "deltanet.reduction";
    /// Unit attribute of a pack or product of tiles of a matrix unit.
    static constexpr ::llvm::StringLiteral kMatrixTilesAttr =
        "deltanet.matrix_tiles";
    /// Of a product: for each of its two operands, whether a matrix unit takes
    /// it as a sum of two numbers of its own instead of one.
    static constexpr ::llvm::StringLiteral kSplitOperandsAttr =
        "deltanet.split_operands";
    /// Unit attribute of a product: its operands of f32 have no more than the 11
    /// bits that tensor cores take, or are split.
    static constexpr ::llvm::StringLiteral kTf32Attr = "deltanet.tf32";
    /// Unit attribute of a product whose left operand has zeros above its
    /// diagonal.
    static constexpr ::llvm::StringLiteral kCausalAttr = "deltanet.causal";
    /// Unit attribute of a loop that LLVM must not unroll.
    static constexpr ::llvm::StringLiteral kKeepLoopAttr = "deltanet.keep_loop";
    /// Unit attribute of an operation of linalg for a block of threads: the
    /// elements of its last parallel dimension are computed by one thread.
    static constexpr ::llvm::StringLiteral kTogetherAttr = "deltanet.together";
    /// Unit attribute of a loop beside which the next state is prefetched.
    static constexpr ::llvm::StringLiteral kPrefetchHereAttr =
        "deltanet.prefetch_here";
    /// Unit attribute of an allocation that lives between parallel loops; on a
    /// kernel that is split into stages, the function that tells their size.
    static constexpr ::llvm::StringLiteral kWorkspaceAttr =
        "deltanet.workspace";
    /// Unit attribute of the arena of a parallel loop's work item.
    static constexpr ::llvm::StringLiteral kScratchAttr = "deltanet.scratch";
    /// Attributes of a kernel that is split: its stage functions in order, and
    /// those that count their work items.
    static constexpr ::llvm::StringLiteral kStagesAttr = "deltanet.stages";
    static constexpr ::llvm::StringLiteral kItemsAttr = "deltanet.items";
    /// Of the function of a stage for a GPU: the one for calls whose tensors are
    /// not aligned to 16 bytes.
    static constexpr ::llvm::StringLiteral kUnalignedAttr =
        "deltanet.unaligned";
    /// Of the function of a stage for a GPU: the threads of a block.
    static constexpr ::llvm::StringLiteral kThreadsAttr = "deltanet.threads";
    /// Attribute of a kernel function for a GPU: the shared memory that a launch
    /// adds for its scratch.
    static constexpr ::llvm::StringLiteral kSharedBytesAttr =
        "deltanet.shared_bytes";
    /// Attribute of a kernel's descriptor, beside kKernelAttr: the roles of its
    /// arguments.
    static constexpr ::llvm::StringLiteral kRolesAttr = "deltanet.roles";
  }];
}

#endif // DELTANET_DIALECT
