// SPDX-License-Identifier: Apache-2.0
// Brotli, Zstandard and PKCS#12 by the system's libraries, which are loaded at run time, at the first use: a program
// needs neither their headers to be built nor the libraries to be started.

#ifndef CLIBRARIES_H
#define CLIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of decoding or encoding a part of the input.
typedef struct CLibrariesStep {
    size_t consumed;
    size_t produced;
    /// Whether the data is complete: Brotli's stream, or Zstandard's frame.
    bool is_complete;
    /// Why it failed; null if it didn't. It stays as long as the library is loaded.
    const char *problem;
} CLibrariesStep;

/// Loads Brotli's decoder, once. Returns which library is missing and why; null if it is there.
const char *clibraries_brotli_missing(void);

/// Starts a stream, or returns null where there is no memory or no library.
void *clibraries_brotli_decoder(void);

/// Ends it. `decoder` may be null.
void clibraries_brotli_decoder_free(void *decoder);

/// Decodes as much of the input as fits into the room.
CLibrariesStep clibraries_brotli_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count);

/// Loads Zstandard, once. Returns which library is missing and why; null if it is there.
const char *clibraries_zstd_missing(void);

/// Starts frames whose window has at most 2^`window_log` bytes, or returns null.
void *clibraries_zstd_decoder(int window_log);

/// Ends it. `decoder` may be null.
void clibraries_zstd_decoder_free(void *decoder);

/// Decodes as much of the input as fits into the room.
CLibrariesStep clibraries_zstd_decode(
    void *decoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count);

/// Starts a frame with a checksum, or returns null.
void *clibraries_zstd_encoder(void);

/// Ends it. `encoder` may be null.
void clibraries_zstd_encoder_free(void *encoder);

/// Encodes as much of the input as fits into the room; the frame ends with the input if that is the last.
CLibrariesStep clibraries_zstd_encode(
    void *encoder, const uint8_t *input, size_t input_count, uint8_t *room, size_t room_count, bool is_last);

/// The outcome of opening a PKCS#12 file.
typedef enum CLibrariesPKCS12Result {
    CLIBRARIES_PKCS12_READ,
    CLIBRARIES_PKCS12_UNREADABLE,
    CLIBRARIES_PKCS12_WRONG_PASSPHRASE,
    CLIBRARIES_PKCS12_NO_KEY,
    CLIBRARIES_PKCS12_NO_CERTIFICATE,
    /// The file has no code that shows whether the passphrase is right.
    CLIBRARIES_PKCS12_NO_MAC,
    /// None of the certificates belongs to the key.
    CLIBRARIES_PKCS12_OTHER_KEY,
} CLibrariesPKCS12Result;

/// A PKCS#12 file, decrypted.
typedef struct CLibrariesPKCS12 {
    CLibrariesPKCS12Result result;
    /// Why it can't be read, if that is known; null otherwise. It stays as long as the library is loaded.
    const char *problem;
    /// How many bytes `clibraries_pkcs12_read` writes.
    size_t count;
    void *pem;
} CLibrariesPKCS12;

/// Loads OpenSSL 3's libcrypto, once. Returns why it is missing; null if it is there.
const char *clibraries_pkcs12_missing(void);

/// Decrypts a PKCS#12 file.
CLibrariesPKCS12 clibraries_pkcs12_open(const uint8_t *bytes, size_t count, const char *passphrase);

/// Writes the certificate, those of its issuers, and the key, in PEM, and frees a file that was read. Returns whether
/// everything was written.
bool clibraries_pkcs12_read(CLibrariesPKCS12 opened, uint8_t *room);

#endif
