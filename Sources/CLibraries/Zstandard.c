// SPDX-License-Identifier: Apache-2.0

#include "CLibraries.h"
#include "Library.h"

#include <pthread.h>

// The parts of zstd.h (1.4.0) that are used, declared here so that the header is not needed.
typedef struct InputBuffer {
    const void *bytes;
    size_t count;
    size_t position;
} InputBuffer;
typedef struct OutputBuffer {
    void *bytes;
    size_t count;
    size_t position;
} OutputBuffer;
enum { D_WINDOW_LOG_MAX = 100, C_CHECKSUM_FLAG = 201, E_CONTINUE = 0, E_END = 2 };

static void *(*create_decoder)(void);
static size_t (*free_decoder)(void *);
static size_t (*set_decoder)(void *, int, int);
static size_t (*decompress)(void *, OutputBuffer *, InputBuffer *);
static void *(*create_encoder)(void);
static size_t (*free_encoder)(void *);
static size_t (*set_encoder)(void *, int, int);
static size_t (*compress)(void *, OutputBuffer *, InputBuffer *, int);
static unsigned (*is_error)(size_t);
static const char *(*error_name)(size_t);

static char problem[256];
static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    const Symbol symbols[] = {
        {"ZSTD_createDCtx", &create_decoder},
        {"ZSTD_freeDCtx", &free_decoder},
        {"ZSTD_DCtx_setParameter", &set_decoder},
        {"ZSTD_decompressStream", &decompress},
        {"ZSTD_createCCtx", &create_encoder},
        {"ZSTD_freeCCtx", &free_encoder},
        {"ZSTD_CCtx_setParameter", &set_encoder},
        {"ZSTD_compressStream2", &compress},
        {"ZSTD_isError", &is_error},
        {"ZSTD_getErrorName", &error_name},
    };
    size_t count = sizeof(symbols) / sizeof(symbols[0]);
    is_there = load_library(LIBRARY("zstd", "1"), symbols, count, problem, sizeof(problem));
}

const char *clibraries_zstd_missing(void) {
    pthread_once(&once, load);
    return is_there ? NULL : problem;
}

void *clibraries_zstd_decoder(int window_log) {
    if (clibraries_zstd_missing() != NULL) return NULL;
    void *decoder = create_decoder();
    if (decoder != NULL && is_error(set_decoder(decoder, D_WINDOW_LOG_MAX, window_log))) {
        free_decoder(decoder);
        return NULL;
    }
    return decoder;
}

void clibraries_zstd_decoder_free(void *decoder) {
    if (decoder != NULL) free_decoder(decoder);
}

void *clibraries_zstd_encoder(void) {
    if (clibraries_zstd_missing() != NULL) return NULL;
    void *encoder = create_encoder();
    if (encoder != NULL && is_error(set_encoder(encoder, C_CHECKSUM_FLAG, 1))) {
        free_encoder(encoder);
        return NULL;
    }
    return encoder;
}

void clibraries_zstd_encoder_free(void *encoder) {
    if (encoder != NULL) free_encoder(encoder);
}

// What both functions return: 0 for a frame that is complete, else a hint, or an error.
static CLibrariesStep step(size_t result, InputBuffer input, OutputBuffer output) {
    bool failed = is_error(result) != 0;
    CLibrariesStep step = {
        .consumed = input.position,
        .produced = output.position,
        .is_complete = !failed && result == 0,
        .problem = failed ? error_name(result) : NULL,
    };
    return step;
}

CLibrariesStep clibraries_zstd_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count) {
    InputBuffer from = {input, input_count, 0};
    OutputBuffer to = {room, room_count, 0};
    size_t result = decompress(decoder, &to, &from);
    return step(result, from, to);
}

CLibrariesStep clibraries_zstd_encode(
    void *encoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count, bool is_last) {
    InputBuffer from = {input, input_count, 0};
    OutputBuffer to = {room, room_count, 0};
    size_t result = compress(encoder, &to, &from, is_last ? E_END : E_CONTINUE);
    return step(result, from, to);
}
