// SPDX-License-Identifier: Apache-2.0
// FIPS 180-4 section 6.1.2, with the schedule in 16 words (section 6.1.3).

#include "Compression.h"

#include <string.h>

#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
// The two halves have no bit in common.
#define MAJORITY(x, y, z) (((x) & (y)) + ((z) & ((x) ^ (y))))

#define SCHEDULED(i) \
    ((i) < 16 ? words[(i) & 15] \
              : (words[(i) & 15] = ROTATE_LEFT32( \
                     words[((i) + 13) & 15] ^ words[((i) + 8) & 15] ^ words[((i) + 2) & 15] ^ words[(i) & 15], 1)))

#define ROUND(f, k, a, b, c, d, e, i) \
    e += SCHEDULED(i) + (k) + f(b, c, d) + ROTATE_LEFT32(a, 5); \
    b = ROTATE_LEFT32(b, 30)

#define FIVE(f, k, i) \
    ROUND(f, k, a, b, c, d, e, (i)); \
    ROUND(f, k, e, a, b, c, d, (i) + 1); \
    ROUND(f, k, d, e, a, b, c, (i) + 2); \
    ROUND(f, k, c, d, e, a, b, (i) + 3); \
    ROUND(f, k, b, c, d, e, a, (i) + 4)

#define TWENTY(f, k, i) \
    FIVE(f, k, (i)); \
    FIVE(f, k, (i) + 5); \
    FIVE(f, k, (i) + 10); \
    FIVE(f, k, (i) + 15)

void cdigest_sha1_compress(uint32_t chain[5], const uint8_t *bytes, size_t blocks) {
    uint32_t words[16];
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        memcpy(words, bytes, 64);
        for (size_t index = 0; index < 16; index += 1) words[index] = CDIGESTS_BIG32(words[index]);
        uint32_t a = chain[0], b = chain[1], c = chain[2], d = chain[3], e = chain[4];
        TWENTY(CHOOSE, 0x5a827999, 0);
        TWENTY(PARITY, 0x6ed9eba1, 20);
        TWENTY(MAJORITY, 0x8f1bbcdc, 40);
        TWENTY(PARITY, 0xca62c1d6, 60);
        chain[0] += a;
        chain[1] += b;
        chain[2] += c;
        chain[3] += d;
        chain[4] += e;
    }
}
