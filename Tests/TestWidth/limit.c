// SPDX-License-Identifier: Apache-2.0
// Limits how many tests run at once and how long all of them may take, for a plain `swift test` too.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long longest = 30;

// Time limits of tests cancel their tasks; a thread that is blocked takes no notice of that and would hang the run.
static void *endRun(void *nothing) {
    for (long left = longest * 60; left > 0;) left = sleep(left);
    fprintf(stderr, "error: the tests didn't end within %ld minutes: those above that started and didn't end hang\n",
            longest);
    _exit(1);
    return nothing;
}

// Swift Testing starts all tests at once. On two cores, a test then waits half a minute for its next turn, and what
// it tells about time says nothing. Read by Swift Testing 6.3 when it starts; a value from outside goes before ours.
__attribute__((constructor)) static void limitTests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
    const char *minutes = getenv("CUMULUS_TEST_MINUTES");
    if (minutes != NULL && atol(minutes) > 0) longest = atol(minutes);
    pthread_t thread;
    if (pthread_create(&thread, NULL, endRun, NULL) == 0) pthread_detach(thread);
}
