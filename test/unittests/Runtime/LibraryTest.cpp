//===- LibraryTest.cpp - Loading kernel libraries -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "RampCall.h"
#include "deltanet-c/cuda.h"
extern "C" {
#include "abi/Abi.h"
}

#include <cstdio>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace {

struct Opened {
  explicit Opened(const char *path) {
    char text[DN_MESSAGE_BYTES];
    status = dn_library_open(path, &loaded, text, sizeof text);
    message = text;
  }
  ~Opened() { dn_library_close(&loaded); }

  bool says(const char *fragment) const {
    return message.find(fragment) != std::string::npos;
  }

  dn_loaded_library loaded;
  dn_status status;
  std::string message;
};

TEST(LibraryTest, LoadsAndRuns) {
  Opened opened(KERNELS_SAME);
  ASSERT_EQ(opened.status, DN_OK) << opened.message;
  EXPECT_EQ(opened.message, "");
  EXPECT_EQ(opened.loaded.library->kernel_count, 1u);
  EXPECT_EQ(dn_library_find(opened.loaded.library, "rampant"), nullptr);
  EXPECT_EQ(dn_library_find(opened.loaded.library, nullptr), nullptr);
  expectRampRuns(opened.loaded.library);
  dn_library_close(&opened.loaded);
  EXPECT_EQ(opened.loaded.library, nullptr);
  EXPECT_EQ(dn_library_find(opened.loaded.library, "ramp"), nullptr);
  dn_library_close(&opened.loaded); // closing twice is harmless
}

TEST(LibraryTest, LaterMinorLoads) {
  Opened opened(KERNELS_LATER);
  ASSERT_EQ(opened.status, DN_OK) << opened.message;
  EXPECT_EQ(opened.loaded.library->abi_minor, DN_ABI_MINOR + 1);
  EXPECT_GT(opened.loaded.library->size, sizeof(dn_library));
  expectRampRuns(opened.loaded.library);
}

TEST(LibraryTest, FirstMinorLoads) {
  Opened opened(KERNELS_MINOR_0);
  ASSERT_EQ(opened.status, DN_OK) << opened.message;
  EXPECT_LT(opened.loaded.library->kernels[0]->variants[0]->size,
            sizeof(dn_kernel));
  expectRampRuns(opened.loaded.library);
}

TEST(LibraryTest, VariantsForGpusDoNotDisturbCpus) {
  Opened opened(KERNELS_WITH_GPU);
  ASSERT_EQ(opened.status, DN_OK) << opened.message;
  const dn_kernel_set *set = dn_library_find(opened.loaded.library, "ramp");
  ASSERT_EQ(set->variant_count, 2u);
  EXPECT_EQ(set->variants[0]->isa, uint32_t(DN_ISA_CUDA + 80));
  // What a host does that has no driver.
  dn_cuda *cuda;
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(
      dn_cuda_open("./nowhere/libcuda.so.1", &cuda, message, sizeof message),
      DN_ERROR_DRIVER);
  EXPECT_EQ(cuda, nullptr);
  expectRampRuns(opened.loaded.library);
}

TEST(LibraryTest, OtherMajorIsRefused) {
  Opened opened(KERNELS_OTHER_MAJOR);
  EXPECT_EQ(opened.status, DN_ERROR_ABI);
  EXPECT_TRUE(opened.says("expected ABI major 1, got 2")) << opened.message;
  EXPECT_TRUE(opened.says(KERNELS_OTHER_MAJOR)) << opened.message;
  EXPECT_EQ(opened.loaded.library, nullptr);
  EXPECT_EQ(opened.loaded.handle, nullptr);
}

TEST(LibraryTest, TruncatedDescriptorIsRefused) {
  Opened opened(KERNELS_TRUNCATED);
  EXPECT_EQ(opened.status, DN_ERROR_ABI);
  EXPECT_TRUE(opened.says("expected a descriptor of at least"))
      << opened.message;
}

TEST(LibraryTest, LibraryOfSomethingElseIsRefused) {
  Opened opened(KERNELS_WITHOUT_QUERY);
  EXPECT_EQ(opened.status, DN_ERROR_LIBRARY);
  EXPECT_TRUE(opened.says("got one without dn_query")) << opened.message;
}

TEST(LibraryTest, MissingFileIsRefused) {
  Opened opened("/nowhere/libkernels.so");
  EXPECT_EQ(opened.status, DN_ERROR_LIBRARY);
  EXPECT_TRUE(opened.says("/nowhere/libkernels.so")) << opened.message;
  Opened null(nullptr);
  EXPECT_EQ(null.status, DN_ERROR_LIBRARY);
}

TEST(LibraryTest, BrokenTablesAreRefused) {
  auto refuses = [](const dn_library &library, const char *text) {
    char got[DN_MESSAGE_BYTES];
    EXPECT_EQ(dn_abi_check_library(&library, "a.so",
                                   dn_message_begin(got, sizeof got)),
              DN_ERROR_ABI);
    EXPECT_STREQ(got, text);
  };
  dn_library library = {};
  library.size = sizeof library;
  library.abi_major = DN_ABI_MAJOR;
  EXPECT_EQ(dn_abi_check_library(&library, "a.so", {nullptr, 0}), DN_OK);
  library.kernel_count = 3;
  refuses(library, "a.so: expected 3 kernels, got null");

  Opened opened(KERNELS_SAME);
  ASSERT_EQ(opened.status, DN_OK) << opened.message;
  dn_kernel_set nameless = *opened.loaded.library->kernels[0];
  nameless.name = nullptr;
  const dn_kernel_set *kernels[] = {&nameless};
  library.kernel_count = 1;
  library.kernels = kernels;
  refuses(library, "a.so: expected kernel 0 to have a name, got null");
}

/// A file with given bytes, gone at the end of a test.
struct File {
  // Tests run in several processes at once.
  File()
      : path(testing::TempDir() + "library-" + std::to_string(getpid()) +
             ".so") {}
  ~File() { std::remove(path.c_str()); }

  void write(const std::string &bytes) {
    // Not in place: another test may still have the old file mapped.
    std::remove(path.c_str());
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string path;
};

std::string contentOf(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LibraryTest, CutFilesAreRefused) {
  std::string whole = contentOf(KERNELS_SAME);
  ASSERT_GT(whole.size(), 4096u);
  File file;
  // Lengths all over the file, and those one byte from its ends.
  std::vector<size_t> lengths = {0, 1, 63, 64, 3600, whole.size() - 1};
  for (size_t length = 17; length < whole.size(); length += 251)
    lengths.push_back(length);
  for (size_t length : lengths) {
    file.write(whole.substr(0, length));
    Opened opened(file.path.c_str());
    EXPECT_EQ(opened.status, DN_ERROR_LIBRARY) << length;
    EXPECT_TRUE(
        opened.says(("cut off after " + std::to_string(length)).c_str()))
        << opened.message;
  }
  file.write(whole);
  Opened opened(file.path.c_str());
  EXPECT_EQ(opened.status, DN_OK) << opened.message;
}

TEST(LibraryTest, FilesForOthersAreRefused) {
  File file;
  auto refuses = [&](size_t byte, char value, const char *fragment) {
    std::string bytes = contentOf(KERNELS_SAME);
    bytes[byte] = value;
    file.write(bytes);
    Opened opened(file.path.c_str());
    EXPECT_EQ(opened.status, DN_ERROR_LIBRARY);
    EXPECT_TRUE(opened.says(fragment)) << opened.message;
  };
  refuses(EI_MAG0, 'X', "expected a shared library, got no ELF file");
  refuses(EI_CLASS, ELFCLASS32, "expected a library of 64 bits");
  refuses(offsetof(Elf64_Ehdr, e_type), ET_EXEC, "got an ELF file of type 2");
  refuses(offsetof(Elf64_Ehdr, e_type), ET_REL,
          "got an object that is not linked");
  refuses(offsetof(Elf64_Ehdr, e_machine), char(EM_RISCV),
          "got one for RISC-V");
  refuses(offsetof(Elf64_Ehdr, e_phentsize), 8,
          "expected program headers of 56 bytes, got 8");
  // Beyond the end of all files, so that sums must not wrap around.
  refuses(offsetof(Elf64_Ehdr, e_phoff) + 7, char(0xff),
          "expected program headers within the file");
  refuses(offsetof(Elf64_Ehdr, e_shoff) + 7, char(0xff),
          "expected section headers within the file");
}

} // namespace
