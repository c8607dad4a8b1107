# What dune-impact and every module that depends on it need besides DUNE: the library is
# static, and its exported target names these packages.

# FindHDF5 compiles a C program.
enable_language(C)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(muparser REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(SuiteSparse REQUIRED COMPONENTS CHOLMOD UMFPACK)

# In a module that depends on this one: what links with the library is compiled as C++20,
# whatever the default of the module is. DUNE 2.9 stops at C++17. DUNE 2.10 exports into a namespace.
foreach(target duneimpact Dune::duneimpact)
  if(TARGET ${target})
    target_compile_features(${target} INTERFACE cxx_std_20)
  endif()
endforeach()
