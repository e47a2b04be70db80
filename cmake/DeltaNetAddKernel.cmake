# deltanet_add_kernel(<target> SPEC <file.mlir>
#                     [ISA <level>...] [SCHEDULES <schedule>...]
#                     [EXTRA_ARGS <argument>...])
#
# Compiles the kernels of a .mlir file when the project is built and makes them
# a static library <target>. What links <target> can
#
#   #include "<target>.h"
#
# which declares one `dn_<kernel>` for each kernel of the file.
#
#   SPEC        the kernels; relative to the current source folder
#   ISA         levels to compile for (docs/targets.md); all by default
#   SCHEDULES   "#deltanet.schedule<...>", one or more, each quoted; chosen by the
#               cost model by default
#   EXTRA_ARGS  further arguments of delta-compile, such as
#               --target=aarch64-linux-gnu when cross-compiling
#
# A kernel only needs the headers. Link DeltaNet::runtime as well to select,
# check and run it.
function(deltanet_add_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SPEC" "ISA;SCHEDULES;EXTRA_ARGS")
  set(what "deltanet_add_kernel(${target})")
  if(NOT arg_SPEC)
    message(FATAL_ERROR "${what}: expected SPEC <file.mlir>, got none")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "${what}: expected SPEC, ISA, SCHEDULES or EXTRA_ARGS, "
      "got ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(spec "${arg_SPEC}" ABSOLUTE)
  if(NOT EXISTS "${spec}")
    message(FATAL_ERROR "${what}: expected a file, got ${spec}")
  endif()

  # Inside Delta-Net's own build the compiler is a target.
  if(TARGET delta-compile)
    set(compiler delta-compile)
  elseif(DELTANET_COMPILE)
    set(compiler "${DELTANET_COMPILE}")
  else()
    message(FATAL_ERROR
      "${what}: expected DELTANET_COMPILE to name delta-compile, got nothing")
  endif()

  set(flags ${arg_EXTRA_ARGS})
  if(arg_ISA)
    list(JOIN arg_ISA "," levels)
    list(PREPEND flags "--isa=${levels}")
  endif()
  if(arg_SCHEDULES)
    # A semicolon that CMake sees would end the argument.
    list(JOIN arg_SCHEDULES "$<SEMICOLON>" schedules)
    list(APPEND flags "--schedule=${schedules}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.kernel")
  set(object "${folder}/${target}.o")
  set(header "${folder}/${target}.h")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${object}" "${header}"
    COMMAND ${compiler} "${spec}" -o "${object}" --header "${header}" ${flags}
    DEPENDS "${spec}" ${compiler}
    COMMENT "Compiling kernels of ${arg_SPEC}"
    VERBATIM)

  add_library(${target} STATIC "${object}" "${header}")
  set_source_files_properties("${object}" PROPERTIES
    EXTERNAL_OBJECT TRUE GENERATED TRUE)
  # An archive has no language of its own without sources.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  else()
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${folder}>")
  target_link_libraries(${target} INTERFACE DeltaNet::headers)
endfunction()
