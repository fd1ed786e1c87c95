// SPDX-License-Identifier: Apache-2.0

#ifndef CLIBRARIES_LIBRARY_H
#define CLIBRARIES_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/// A library's function, and where its address goes.
typedef struct Symbol {
    const char *name;
    void *address;
} Symbol;

/// Loads a library and all of these functions; else writes why not. It is never unloaded.
bool load_library(const char *name, const Symbol *symbols, size_t count, char *problem, size_t capacity);

#ifdef __APPLE__
#define LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define LIBRARY(name, version) "lib" name ".so." version
#endif

#endif
