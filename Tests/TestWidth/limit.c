// SPDX-License-Identifier: Apache-2.0
// Limits how many tests run at once, for a plain `swift test` too.

#include <stdlib.h>

// Swift Testing starts all tests at once. On two cores, a test then waits half a minute for its next turn, and what
// it tells about time says nothing. Read by Swift Testing 6.3 when it starts; a value from outside goes before ours.
__attribute__((constructor)) static void limitTestWidth(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
