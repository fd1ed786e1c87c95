// SPDX-License-Identifier: Apache-2.0
// Counts the calls of malloc, calloc, realloc and posix_memalign of the whole process.
#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// The number of allocations since the process began; 0 where they can't be counted.
unsigned long allocation_count(void);

#endif
