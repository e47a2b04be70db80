# The lit suite: tools are called by name, FileCheck comes from LLVM's tools.
import os
import shutil
import subprocess

import lit.formats

config.name = "Delta-Net"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test", ".c", ".ll"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.deltanet_obj_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.deltanet_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
# Tests of the choice of instruction set level set this themselves.
config.environment.pop("DELTANET_ISA", None)

# Scripts that import others leave nothing in the sources.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"

config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

config.substitutions += [
    ("%shlibext", config.shlibext),
    ("%cc", config.host_cc),
    ("%cxx", config.host_cxx),
    ("%python", config.python),
    ("%mlir_include", config.mlir_include_dir),
    ("%include", os.path.join(config.deltanet_src_root, "include")),
    ("%libdir", config.deltanet_lib_dir),
    ("%root", config.deltanet_src_root),
    ("%build", config.deltanet_obj_root),
]

if os.path.exists(os.path.join(config.llvm_tools_dir, "clang-format")):
    config.available_features.add("clang-format")
nvcc = shutil.which("nvcc", path=config.environment["PATH"])
if nvcc and b"V13.0.88" in subprocess.run([nvcc, "--version"], capture_output=True).stdout:
    config.available_features.add("nvcc-13.0.88")
if nvcc:
    cuda_include = os.path.join(os.path.dirname(nvcc), "..", "include")
    if os.path.exists(os.path.join(cuda_include, "cuda.h")):
        config.available_features.add("cuda-header")
        config.substitutions.append(("%cuda_include", cuda_include))
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
if "NVPTX" in config.llvm_targets:
    config.available_features.add("asm-nvptx")
if "X86" in config.llvm_targets:
    config.available_features.add("asm-x86")
if "AArch64" in config.llvm_targets:
    config.available_features.add("aarch64")
if config.sanitize:
    config.available_features.add("sanitized")
    # LLVM's libraries are not instrumented, and share containers and arenas
    # with us.
    config.environment["ASAN_OPTIONS"] = (
        "detect_container_overflow=0:allow_user_poisoning=0"
    )
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
if config.host_arch in ("x86_64", "AMD64"):
    config.available_features.add("native-x86")
if "native-x86" in config.available_features and os.path.exists(config.bochs):
    config.available_features.add("emulator")
else:
    lit_config.note(
        f"no emulator: expected {config.bochs}, which the target deltanet-bochs "
        "fetches"
    )
if config.fuzzing:
    config.available_features.add("fuzzing")
if config.benchmarks:
    config.available_features.add("benchmarks")
if config.gpu_benchmarks:
    config.available_features.add("gpu-benchmarks")
