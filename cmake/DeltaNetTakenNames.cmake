# A kernel NAME exports dn_NAME. deltanet_write_taken_names(FILE) writes, as rows
# of C strings, the names for which the runtime has dn_NAME already; its internal
# ones too, since a program may link it statically.
function(deltanet_write_taken_names file)
  file(GLOB headers CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/deltanet-c/*.h
    ${PROJECT_SOURCE_DIR}/runtime/*/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  # What a shared library of kernels exports besides them.
  set(names query)
  foreach(header ${headers})
    file(READ ${header} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX MATCHALL "[^a-zA-Z0-9_]dn_[a-z0-9_]+" found "${text}")
    list(TRANSFORM found REPLACE ".dn_" "")
    list(APPEND names ${found})
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  list(TRANSFORM names REPLACE "(.+)" "\"\\1\",\n")
  string(CONCAT rows ${names})
  file(CONFIGURE OUTPUT ${file} CONTENT "${rows}")
endfunction()
