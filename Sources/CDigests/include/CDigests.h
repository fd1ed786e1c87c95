// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321), SHA-1, SHA-256, SHA-384, SHA-512 (FIPS 180-4), for systems without CryptoKit, and
// SHA-512/256, which CryptoKit lacks.

#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CDigestAlgorithm {
    CDigestMD5,
    CDigestSHA1,
    CDigestSHA256,
    CDigestSHA384,
    CDigestSHA512,
    CDigestSHA512Over256,
} CDigestAlgorithm;

/// A digest that grows with its bytes. It holds no pointer, so a copy is a digest of its own.
typedef struct CDigest {
    /// The chaining value of SHA-384 and the SHA-512s.
    uint64_t wide[8];
    /// The chaining value of the others.
    uint32_t narrow[8];
    /// How many bytes have come. Counted in 64 bits; MD5's length wraps with it by its standard, and the others' limit
    /// of 2^61 bytes is decades away at any speed.
    uint64_t count;
    /// The begun block; `count` says how much of it is filled.
    uint8_t block[128];
    uint8_t algorithm;
    /// The processor's instructions for SHA are left alone; for tests.
    bool portable;
} CDigest;

/// The longest digest in bytes.
enum { CDIGEST_MAX_SIZE = 64 };

/// A digest of no bytes.
CDigest cdigest_begin(CDigestAlgorithm algorithm);

/// Takes bytes in. `bytes` may be null if there are none.
void cdigest_update(CDigest *digest, const void *bytes, size_t count);

/// Writes the digest of the bytes so far, most significant byte first as its standard does, and returns its size.
/// It goes on from where it was.
size_t cdigest_read(const CDigest *digest, uint8_t output[CDIGEST_MAX_SIZE]);

/// Whether this processor has instructions for SHA-1 and SHA-256 that are used here.
bool cdigest_is_accelerated(void);

#endif
