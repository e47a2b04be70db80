//===- PythonSymbols.cpp - Data that Bochs' library wants of Python -------===//
//
// Part of the Delta-Net project.
//
// The library with Bochs is a Python extension. Here is no Python: its objects,
// whose addresses are bound when the library is loaded, are blank memory that
// nothing looks at. So are functions whose addresses it takes. Two functions of
// newer C libraries, which Bochs would call, are the older ones.
//
//===----------------------------------------------------------------------===//

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

extern "C" {

#define BLANK(name)                                                            \
  __attribute__((visibility("default"), weak, aligned(16))) char name[512] = {};

BLANK(PyBaseObject_Type)
BLANK(PyBytes_Type)
BLANK(PyExc_AttributeError)
BLANK(PyExc_BufferError)
BLANK(PyExc_ImportError)
BLANK(PyExc_IndexError)
BLANK(PyExc_KeyError)
BLANK(PyExc_MemoryError)
BLANK(PyExc_OverflowError)
BLANK(PyExc_RuntimeError)
BLANK(PyExc_RuntimeWarning)
BLANK(PyExc_StopIteration)
BLANK(PyExc_SystemError)
BLANK(PyExc_TypeError)
BLANK(PyExc_ValueError)
BLANK(PyFloat_Type)
BLANK(PyList_Type)
BLANK(PyLong_Type)
BLANK(PyModule_Type)
BLANK(PyObject_GenericGetDict)
BLANK(PyObject_GenericSetDict)
BLANK(PyObject_Vectorcall)
BLANK(PyObject_VectorcallMethod)
BLANK(PyProperty_Type)
BLANK(PyTuple_Type)
BLANK(PyType_GenericNew)
BLANK(PyType_Type)
BLANK(PyUnicode_Type)
BLANK(PyVectorcall_Call)
BLANK(Py_GenericAlias)
BLANK(Py_GenericAliasType)
BLANK(_PyWeakref_RefType)
BLANK(_Py_FalseStruct)
BLANK(_Py_NoneStruct)
BLANK(_Py_NotImplementedStruct)
BLANK(_Py_TrueStruct)

__attribute__((visibility("default"), weak)) int
__isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = std::vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

__attribute__((visibility("default"), weak)) unsigned long long
__isoc23_strtoull(const char *text, char **end, int base) {
  return std::strtoull(text, end, base);
}

} // extern "C"
