//===- StagedRunner.cpp - Problems on the IR of a stage -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/StagedRunner.h"
#include "CallTensors.h"
#include "LowerToStage.h"
#include "PlainLoops.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/IR/ModuleFile.h"
#include "deltanet/Pipelines/ScalarPipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <chrono>

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

StagedRunner::StagedRunner(const StagedRunOptions &options)
    : options(options) {}
StagedRunner::~StagedRunner() = default;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registry.insert<DeltaNetDialect>();
  return registry;
}

static dn_type typeOf(Type type) {
  if (!type)
    return DN_TYPE_NONE;
  if (type.isBF16())
    return DN_TYPE_BF16;
  if (type.isF16())
    return DN_TYPE_F16;
  if (type.isF32())
    return DN_TYPE_F32;
  return type.isInteger(64) ? DN_TYPE_I64 : DN_TYPE_I32;
}

static Schedule scheduleOf(ScheduleAttr attribute) {
  Schedule schedule;
  schedule.algorithm =
      attribute.getAlgorithm() == deltanet::Algorithm::Recurrent
          ? verification::Algorithm::Recurrent
      : attribute.getMatrix() == MatrixUnit::None
          ? verification::Algorithm::Chunked
          : verification::Algorithm::ChunkedMatrix;
  schedule.minTokens = attribute.getMinTokens();
  schedule.maxTokens = attribute.getMaxTokens();
  llvm::raw_string_ostream(schedule.text) << attribute;
  return schedule;
}

static RunnerTraits traitsOf(func::FuncOp kernel, llvm::ArrayRef<Role> roles,
                             Stage stage) {
  auto attribute =
      kernel->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr);
  RunnerTraits traits;
  traits.name = kernel.getName().str();
  // The dialect's numbers are those of the C ABI.
  RuleFacts &facts = traits.facts;
  facts.rule = static_cast<dn_rule>(attribute.getRule());
  facts.headMap = static_cast<dn_head_map>(attribute.getHeadMap());
  facts.ioType = typeOf(attribute.getIo());
  facts.h = attribute.getH();
  facts.hv = attribute.getHv();
  facts.k = attribute.getK();
  facts.v = attribute.getV();
  facts.scale = attribute.getScale().getValueAsDouble();
  if (FloatAttr eps = attribute.getL2normEps())
    facts.l2normEps = eps.getValueAsDouble();
  traits.stateLayout = static_cast<dn_state_layout>(attribute.getStateLayout());
  traits.takesState = llvm::is_contained(roles, Role::StateIn);
  traits.givesState = llvm::is_contained(roles, Role::StateOut);
  traits.indexType = typeOf(attribute.getCuSeqlens());
  traits.staticTokens = attribute.getTokens();
  // A rule that is still whole runs as the recurrence, whatever was chosen.
  ArrayAttr schedules = attribute.getSchedules();
  if (stage == Stage::Rule || !schedules)
    traits.schedules.push_back(
        {verification::Algorithm::Recurrent, 0, INT64_MAX, "recurrent"});
  else
    for (auto schedule : schedules.getAsRange<ScheduleAttr>())
      traits.schedules.push_back(scheduleOf(schedule));
  return traits;
}

/// The kernel called `name`, or the only one if the name is empty.
static llvm::Expected<func::FuncOp>
findKernel(ModuleOp module, llvm::StringRef path, llvm::StringRef name) {
  std::vector<std::string> names;
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isKernel(function))
      continue;
    names.push_back(("'" + function.getName() + "'").str());
    if (name.empty() || function.getName() == name)
      found = function;
  }
  std::string wanted =
      name.empty() ? "one kernel" : llvm::formatv("a kernel '{0}'", name).str();
  if (!found || (name.empty() && names.size() > 1))
    return llvm::createStringError(
        llvm::formatv("{0}: expected {1}, got {2}", path, wanted,
                      names.empty() ? "none" : llvm::join(names, ", ")));
  return found;
}

/// Takes the module from the stage to machine code in memory.
static llvm::Expected<std::unique_ptr<ExecutionEngine>>
compile(ModuleOp module, llvm::StringRef path, Stage stage) {
  PassManager manager(module->getName());
  // Plain loops leave no rule to form or to expand.
  buildScalarPipeline(manager, std::max(stage, Stage::Chunks));
  writeAsPlainLoops(module);
  if (failed(manager.run(module)))
    return llvm::createStringError(
        llvm::formatv("{0}: the IR of stage '{1}' could not be lowered to "
                      "scalar code",
                      path, getStageName(stage)));
  // Their work is done, and the translation warns of what it does not know.
  module.walk([](FunctionOpInterface function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, DeltaNetDialect::kRoleAttr);
  });
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  ExecutionEngineOptions options;
  auto optimize = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  options.transformer = optimize;
  return ExecutionEngine::create(module, options);
}

llvm::Expected<std::unique_ptr<StagedRunner>>
StagedRunner::create(llvm::StringRef path, const StagedRunOptions &options) {
  std::unique_ptr<StagedRunner> runner(new StagedRunner(options));
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  // What the plain loops are made of; a file may hold none of it.
  context.loadDialect<arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                      tensor::TensorDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::string message = (path + ": expected a module of MLIR").str();
  OwningOpRef<ModuleOp> module =
      readModuleFile(path, sources, &context, message);
  if (!module)
    return llvm::createStringError(message);
  if (failed(lowerToStage(*module, options)))
    return llvm::createStringError(
        llvm::formatv("{0}: could not be lowered to stage '{1}'", path,
                      getStageName(options.stage)));
  llvm::Expected<func::FuncOp> kernel =
      findKernel(*module, path, options.kernel);
  if (!kernel)
    return kernel.takeError();
  for (unsigned i = 0; i < kernel->getNumArguments(); ++i) {
    auto role =
        kernel->getArgAttrOfType<RoleAttr>(i, DeltaNetDialect::kRoleAttr);
    if (!role)
      return llvm::createStringError(llvm::formatv(
          "{0}: kernel '{1}': expected a deltanet.role of argument {2}, got "
          "none",
          path, kernel->getName(), i));
    runner->roles.push_back(role.getValue());
  }
  runner->kernelTraits = traitsOf(*kernel, runner->roles, options.stage);
  auto engine = compile(*module, path, options.stage);
  if (!engine)
    return engine.takeError();
  runner->engine = std::move(*engine);
  // Compiles now, so that the first run does not count it.
  if (auto function = runner->engine->lookupPacked(runner->entryPoint());
      !function)
    return function.takeError();
  return runner;
}

/// The words of a memref descriptor: both pointers, offset, sizes, strides.
static std::vector<int64_t> describe(const StridedTensor &tensor, Role role,
                                     const RunnerTraits &traits) {
  auto pointer = reinterpret_cast<intptr_t>(tensor.data);
  std::vector<int64_t> sizes, strides;
  switch (role) {
  case Role::StateIn:
  case Role::StateOut: {
    bool kv = traits.stateLayout == DN_STATE_LAYOUT_KV;
    int64_t rows = kv ? traits.facts.k : traits.facts.v;
    int64_t columns = kv ? traits.facts.v : traits.facts.k;
    sizes = {tensor.outer, tensor.middle, rows, columns};
    strides = {tensor.outerStride, tensor.middleStride, columns, 1};
    break;
  }
  case Role::G:
  case Role::Beta:
    sizes = {tensor.outer, tensor.row};
    strides = {tensor.outerStride, 1};
    break;
  case Role::CuSeqlens:
    sizes = {tensor.row};
    strides = {1};
    break;
  default:
    sizes = {tensor.outer, tensor.middle, tensor.row};
    strides = {tensor.outerStride, tensor.middleStride, 1};
  }
  std::vector<int64_t> words = {pointer, pointer, 0};
  llvm::append_range(words, sizes);
  llvm::append_range(words, strides);
  return words;
}

static const StridedTensor &tensorOf(const CallTensors &tensors, Role role) {
  switch (role) {
  case Role::Q:
    return tensors.q;
  case Role::K:
    return tensors.k;
  case Role::V:
    return tensors.v;
  case Role::G:
    return tensors.g;
  case Role::Beta:
    return tensors.beta;
  case Role::StateIn:
    return tensors.stateIn;
  case Role::CuSeqlens:
    return tensors.cuSeqlens;
  case Role::O:
    return tensors.o;
  case Role::StateOut:
    return tensors.stateOut;
  case Role::Scale:
    break;
  }
  llvm_unreachable("the scale is no tensor");
}

llvm::Expected<RunResult> StagedRunner::run(const Problem &problem) {
  CallTensors tensors(kernelTraits, problem, options.layout);
  // A packed call passes a pointer to each argument; a descriptor is passed by
  // a pointer itself.
  float scale = float(problem.facts.scale);
  std::vector<std::vector<int64_t>> descriptors(roles.size());
  std::vector<void *> pointers(roles.size());
  llvm::SmallVector<void *> arguments;
  for (auto [i, role] : llvm::enumerate(roles)) {
    if (role == Role::Scale) {
      arguments.push_back(&scale);
      continue;
    }
    descriptors[i] = describe(tensorOf(tensors, role), role, kernelTraits);
    pointers[i] = descriptors[i].data();
    arguments.push_back(&pointers[i]);
  }
  RunResult result;
  for (int i = 0; i < options.repeat; ++i) {
    tensors.prepare();
    auto begin = std::chrono::steady_clock::now();
    if (llvm::Error error = engine->invokePacked(entryPoint(), arguments))
      return std::move(error);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    result.seconds.push_back(time.count());
    if (i == 0)
      tensors.collect(result);
    else if (!tensors.sameOutputs(result))
      result.faults.push_back(llvm::formatv(
          "repetition {0} gave other bits than the first", i + 1));
  }
  return result;
}
