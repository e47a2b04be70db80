# What a build has and lacks. Nothing optional ever fails a configuration: each
# part says here what became of it, and the summary prints it all at the end.

# deltanet_part(NAME STATE): STATE is "on", "off: why" or what was found.
function(deltanet_part name state)
  set_property(GLOBAL APPEND PROPERTY DELTANET_PARTS "${name}|${state}")
endfunction()

function(deltanet_print_parts)
  message(STATUS "Delta-Net ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, "
    "LLVM ${LLVM_PACKAGE_VERSION}")
  get_property(parts GLOBAL PROPERTY DELTANET_PARTS)
  foreach(part ${parts})
    string(REGEX MATCH "^([^|]*)\\|(.*)$" part "${part}")
    set(name "${CMAKE_MATCH_1}")
    set(state "${CMAKE_MATCH_2}")
    string(LENGTH "${name}" length)
    math(EXPR padding "18 - ${length}")
    string(REPEAT " " ${padding} padding)
    message(STATUS "  ${name}${padding}${state}")
  endforeach()
endfunction()
