// SPDX-License-Identifier: Apache-2.0
// RFC 1321 section 3.4.

#include "Compression.h"

#include <string.h>

// The integer part of 2^32 times abs(sin(i)), i from 1.
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
// The two halves have no bit in common, so they may be added, which is one step less to wait for.
#define G(x, y, z) ((~(z) & (y)) + ((z) & (x)))
#define H(x, y, z) ((x) ^ ((y) ^ (z)))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

#define STEP(f, a, b, c, d, word, shift, i) \
    a = b + ROTATE_LEFT32(a + words[word] + sines[i] + f(b, c, d), shift)

// Four steps; in round r, step i takes word (start + factor * i) mod 16.
#define FOUR(f, start, factor, s0, s1, s2, s3, i) \
    STEP(f, a, b, c, d, ((start) + (factor) * (i)) & 15, s0, i); \
    STEP(f, d, a, b, c, ((start) + (factor) * ((i) + 1)) & 15, s1, (i) + 1); \
    STEP(f, c, d, a, b, ((start) + (factor) * ((i) + 2)) & 15, s2, (i) + 2); \
    STEP(f, b, c, d, a, ((start) + (factor) * ((i) + 3)) & 15, s3, (i) + 3)

#define ROUND(f, start, factor, s0, s1, s2, s3, i) \
    FOUR(f, start, factor, s0, s1, s2, s3, i); \
    FOUR(f, start, factor, s0, s1, s2, s3, (i) + 4); \
    FOUR(f, start, factor, s0, s1, s2, s3, (i) + 8); \
    FOUR(f, start, factor, s0, s1, s2, s3, (i) + 12)

void cdigest_md5_compress(uint32_t chain[4], const uint8_t *bytes, size_t blocks) {
    uint32_t words[16];
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        memcpy(words, bytes, 64);
        for (size_t index = 0; index < 16; index += 1) words[index] = CDIGESTS_LITTLE32(words[index]);
        uint32_t a = chain[0], b = chain[1], c = chain[2], d = chain[3];
        ROUND(F, 0, 1, 7, 12, 17, 22, 0);
        ROUND(G, 1, 5, 5, 9, 14, 20, 16);
        ROUND(H, 5, 3, 4, 11, 16, 23, 32);
        ROUND(I, 0, 7, 6, 10, 15, 21, 48);
        chain[0] += a;
        chain[1] += b;
        chain[2] += c;
        chain[3] += d;
    }
}
