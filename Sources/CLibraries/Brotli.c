// SPDX-License-Identifier: Apache-2.0

#include "CLibraries.h"
#include "Library.h"

#include <pthread.h>

// The parts of brotli/decode.h (1.0.0) that are used, declared here so that the header is not needed.
enum { RESULT_ERROR = 0, RESULT_SUCCESS = 1 };
typedef void *(*Allocate)(void *opaque, size_t size);
typedef void (*Release)(void *opaque, void *address);

static void *(*create)(Allocate, Release, void *);
static void (*destroy)(void *);
static int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
static int (*error_code)(const void *);
static const char *(*error_text)(int);

static char problem[256];
static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    const Symbol symbols[] = {
        {"BrotliDecoderCreateInstance", &create},
        {"BrotliDecoderDestroyInstance", &destroy},
        {"BrotliDecoderDecompressStream", &decompress},
        {"BrotliDecoderGetErrorCode", &error_code},
        {"BrotliDecoderErrorString", &error_text},
    };
    size_t count = sizeof(symbols) / sizeof(symbols[0]);
    is_there = load_library(LIBRARY("brotlidec", "1"), symbols, count, problem, sizeof(problem));
}

const char *clibraries_brotli_missing(void) {
    pthread_once(&once, load);
    return is_there ? NULL : problem;
}

void *clibraries_brotli_decoder(void) {
    // Large windows, which the content coding doesn't include, are off by default.
    return clibraries_brotli_missing() == NULL ? create(NULL, NULL, NULL) : NULL;
}

void clibraries_brotli_decoder_free(void *decoder) {
    if (decoder != NULL) destroy(decoder);
}

CLibrariesStep clibraries_brotli_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count) {
    size_t left = input_count, free_room = room_count;
    int result = decompress(decoder, &left, &input, &free_room, &room, NULL);
    CLibrariesStep step = {
        .consumed = input_count - left,
        .produced = room_count - free_room,
        .is_complete = result == RESULT_SUCCESS,
        .problem = result == RESULT_ERROR ? error_text(error_code(decoder)) : NULL,
    };
    return step;
}
