// SPDX-License-Identifier: Apache-2.0
// What the algorithms have in common: blocks are gathered, and the last one is padded with the length.

#include "CDigests.h"
#include "Compression.h"

#include <string.h>

static bool is_wide(const CDigest *digest) {
    return digest->algorithm >= CDigestSHA384;
}

static size_t block_size(const CDigest *digest) {
    return is_wide(digest) ? 128 : 64;
}

static size_t digest_size(const CDigest *digest) {
    switch (digest->algorithm) {
    case CDigestMD5: return 16;
    case CDigestSHA1: return 20;
    case CDigestSHA256:
    case CDigestSHA512Over256: return 32;
    case CDigestSHA384: return 48;
    default: return 64;
    }
}

static void compress(CDigest *digest, const uint8_t *bytes, size_t blocks) {
    if (blocks == 0) return;
#if CDIGESTS_HAS_SHA_INSTRUCTIONS
    bool by_instructions = !digest->portable && cdigest_is_accelerated();
#endif
    switch (digest->algorithm) {
    case CDigestMD5:
        cdigest_md5_compress(digest->narrow, bytes, blocks);
        break;
    case CDigestSHA1:
#if CDIGESTS_HAS_SHA_INSTRUCTIONS
        if (by_instructions) {
            cdigest_sha1_compress_by_instructions(digest->narrow, bytes, blocks);
            break;
        }
#endif
        cdigest_sha1_compress(digest->narrow, bytes, blocks);
        break;
    case CDigestSHA256:
#if CDIGESTS_HAS_SHA_INSTRUCTIONS
        if (by_instructions) {
            cdigest_sha256_compress_by_instructions(digest->narrow, bytes, blocks);
            break;
        }
#endif
        cdigest_sha256_compress(digest->narrow, bytes, blocks);
        break;
    default:
        cdigest_sha512_compress(digest->wide, bytes, blocks);
        break;
    }
}

#if !CDIGESTS_HAS_SHA_INSTRUCTIONS
bool cdigest_is_accelerated(void) {
    return false;
}
#endif

CDigest cdigest_begin(CDigestAlgorithm algorithm) {
    // RFC 1321 section 3.3 and FIPS 180-4 section 5.3.
    static const uint32_t sha1[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    static const uint32_t sha256[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    static const uint64_t sha384[8] = {
        0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
        0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
    };
    static const uint64_t sha512[8] = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    };
    // Section 5.3.6.2: what SHA-512 makes of this name, begun with its own values changed by 0xa5.
    static const uint64_t sha512_over_256[8] = {
        0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
        0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
    };
    CDigest digest;
    memset(&digest, 0, sizeof digest);
    digest.algorithm = (uint8_t)algorithm;
    switch (algorithm) {
    // MD5's four words are the first four of SHA-1's.
    case CDigestMD5: memcpy(digest.narrow, sha1, 16); break;
    case CDigestSHA1: memcpy(digest.narrow, sha1, sizeof sha1); break;
    case CDigestSHA256: memcpy(digest.narrow, sha256, sizeof sha256); break;
    case CDigestSHA384: memcpy(digest.wide, sha384, sizeof sha384); break;
    case CDigestSHA512Over256: memcpy(digest.wide, sha512_over_256, sizeof sha512_over_256); break;
    default: memcpy(digest.wide, sha512, sizeof sha512); break;
    }
    return digest;
}

void cdigest_update(CDigest *digest, const void *bytes, size_t count) {
    if (count == 0) return;
    const uint8_t *rest = bytes;
    size_t size = block_size(digest);
    size_t filled = (size_t)(digest->count & (size - 1));
    digest->count += count;
    if (filled > 0) {
        size_t taken = count < size - filled ? count : size - filled;
        memcpy(digest->block + filled, rest, taken);
        if (filled + taken < size) return;
        compress(digest, digest->block, 1);
        rest += taken;
        count -= taken;
    }
    compress(digest, rest, count / size);
    size_t left = count & (size - 1);
    memcpy(digest->block, rest + (count - left), left);
}

/// A one, zeros, and the length in bits in the last 8 bytes, or 16 of the wide ones.
static void pad(CDigest *digest) {
    size_t size = block_size(digest);
    size_t filled = (size_t)(digest->count & (size - 1));
    digest->block[filled] = 0x80;
    filled += 1;
    if (filled > size - size / 8) {
        memset(digest->block + filled, 0, size - filled);
        compress(digest, digest->block, 1);
        filled = 0;
    }
    memset(digest->block + filled, 0, size - filled);
    uint64_t low = digest->count << 3;
    uint64_t high = digest->count >> 61;
    if (digest->algorithm == CDigestMD5) {
        low = CDIGESTS_LITTLE64(low);
    } else {
        low = CDIGESTS_BIG64(low);
        high = CDIGESTS_BIG64(high);
    }
    if (is_wide(digest)) memcpy(digest->block + size - 16, &high, 8);
    memcpy(digest->block + size - 8, &low, 8);
    compress(digest, digest->block, 1);
}

size_t cdigest_read(const CDigest *digest, uint8_t output[CDIGEST_MAX_SIZE]) {
    CDigest last = *digest;
    pad(&last);
    for (size_t index = 0; index < 8; index += 1) {
        last.wide[index] = CDIGESTS_BIG64(last.wide[index]);
        last.narrow[index] =
            last.algorithm == CDigestMD5 ? CDIGESTS_LITTLE32(last.narrow[index]) : CDIGESTS_BIG32(last.narrow[index]);
    }
    size_t size = digest_size(digest);
    memcpy(output, is_wide(digest) ? (const void *)last.wide : (const void *)last.narrow, size);
    return size;
}
