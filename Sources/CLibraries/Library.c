// SPDX-License-Identifier: Apache-2.0

#include "Library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool load_library(const char *name, const Symbol *symbols, size_t count, char *problem, size_t capacity) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        if (reason != NULL && strstr(reason, name) != NULL) {
            snprintf(problem, capacity, "%s", reason);
        } else {
            snprintf(problem, capacity, "%s: %s", name, reason != NULL ? reason : "can't be loaded");
        }
        return false;
    }
    for (size_t index = 0; index < count; index++) {
        void *function = dlsym(library, symbols[index].name);
        if (function == NULL) {
            snprintf(problem, capacity, "%s is too old: it lacks %s", name, symbols[index].name);
            return false;
        }
        // POSIX has functions in `void *`; C does not, so the bytes are copied.
        memcpy(symbols[index].address, &function, sizeof(function));
    }
    return true;
}
