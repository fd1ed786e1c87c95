// SPDX-License-Identifier: Apache-2.0
// Brotli and Zstandard by the system's libraries, which are loaded at run time, at the first use: a program needs
// neither their headers to be built nor the libraries to be started.

#ifndef CCODINGS_H
#define CCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a call made of its input.
typedef struct CCodingsStep {
    size_t consumed;
    size_t produced;
    /// Whether the data is complete: Brotli's stream, or Zstandard's frame.
    bool is_complete;
    /// Why it failed; null if it didn't. It stays as long as the library is loaded.
    const char *problem;
} CCodingsStep;

/// Loads Brotli's decoder, once. Returns which library is missing and why; null if it is there.
const char *ccodings_brotli_missing(void);

/// Starts a stream, or returns null where there is no memory or no library.
void *ccodings_brotli_decoder(void);

/// Ends it. `decoder` may be null.
void ccodings_brotli_decoder_free(void *decoder);

/// Decodes what it can of the input into the room.
CCodingsStep ccodings_brotli_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count);

/// Loads Zstandard, once. Returns which library is missing and why; null if it is there.
const char *ccodings_zstd_missing(void);

/// Starts frames whose window has at most 2^`window_log` bytes, or returns null.
void *ccodings_zstd_decoder(int window_log);

/// Ends it. `decoder` may be null.
void ccodings_zstd_decoder_free(void *decoder);

/// Decodes what it can of the input into the room.
CCodingsStep ccodings_zstd_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count);

/// Starts a frame with a checksum, or returns null.
void *ccodings_zstd_encoder(void);

/// Ends it. `encoder` may be null.
void ccodings_zstd_encoder_free(void *encoder);

/// Encodes what it can of the input into the room; the frame ends with the input if that is the last.
CCodingsStep ccodings_zstd_encode(
    void *encoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count, bool is_last);

#endif
