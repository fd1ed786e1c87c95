// SPDX-License-Identifier: Apache-2.0
// The compression functions: each takes whole blocks into a chaining value.

#ifndef CDIGESTS_COMPRESSION_H
#define CDIGESTS_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void cdigest_md5_compress(uint32_t chain[4], const uint8_t *bytes, size_t blocks);
void cdigest_sha1_compress(uint32_t chain[5], const uint8_t *bytes, size_t blocks);
void cdigest_sha256_compress(uint32_t chain[8], const uint8_t *bytes, size_t blocks);
void cdigest_sha512_compress(uint64_t chain[8], const uint8_t *bytes, size_t blocks);

#if defined(__x86_64__)
#define CDIGESTS_HAS_SHA_INSTRUCTIONS 1
#elif defined(__AARCH64EL__) && defined(__linux__)
#define CDIGESTS_HAS_SHA_INSTRUCTIONS 1
#endif

#if CDIGESTS_HAS_SHA_INSTRUCTIONS
// To be called only where the processor has them.
void cdigest_sha1_compress_by_instructions(uint32_t chain[5], const uint8_t *bytes, size_t blocks);
void cdigest_sha256_compress_by_instructions(uint32_t chain[8], const uint8_t *bytes, size_t blocks);
#endif

/// FIPS 180-4 section 4.2.2.
extern const uint32_t cdigest_sha256_constants[64];

// Bytes begin at any address, so words are copied out: no pointer to a word is ever made of a pointer to bytes. Words
// are turned and swapped by clang's own functions, which are single instructions in a debug build, too.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CDIGESTS_BIG32(word) (word)
#define CDIGESTS_BIG64(word) (word)
#define CDIGESTS_LITTLE32(word) __builtin_bswap32(word)
#define CDIGESTS_LITTLE64(word) __builtin_bswap64(word)
#else
#define CDIGESTS_BIG32(word) __builtin_bswap32(word)
#define CDIGESTS_BIG64(word) __builtin_bswap64(word)
#define CDIGESTS_LITTLE32(word) (word)
#define CDIGESTS_LITTLE64(word) (word)
#endif

#define ROTATE_LEFT32 __builtin_rotateleft32
#define ROTATE_RIGHT32 __builtin_rotateright32
#define ROTATE_RIGHT64 __builtin_rotateright64

#endif
