//===- LibraryTest.cpp - Loading kernel libraries -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "RampCall.h"

#include <string>

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

} // namespace
