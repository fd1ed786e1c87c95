// SPDX-License-Identifier: Apache-2.0
// FIPS 180-4 section 6.2.2, with the schedule in 16 words.

#include "Compression.h"

#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const uint32_t cdigest_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
// The two halves have no bit in common.
#define MAJORITY(x, y, z) (((x) & (y)) + ((z) & ((x) ^ (y))))
#define SUM_A(x) (ROTATE_RIGHT32(x, 2) ^ ROTATE_RIGHT32(x, 13) ^ ROTATE_RIGHT32(x, 22))
#define SUM_E(x) (ROTATE_RIGHT32(x, 6) ^ ROTATE_RIGHT32(x, 11) ^ ROTATE_RIGHT32(x, 25))
#define SIGMA_0(x) (ROTATE_RIGHT32(x, 7) ^ ROTATE_RIGHT32(x, 18) ^ ((x) >> 3))
#define SIGMA_1(x) (ROTATE_RIGHT32(x, 17) ^ ROTATE_RIGHT32(x, 19) ^ ((x) >> 10))

#define GIVEN(i) words[i]
#define SCHEDULED(i) \
    (words[i] += SIGMA_0(words[((i) + 1) & 15]) + words[((i) + 9) & 15] + SIGMA_1(words[((i) + 14) & 15]))

// The eight variables change their names instead of their places.
#define ROUND(w, a, b, c, d, e, f, g, h, i) \
    h += w(i) + k[i] + CHOOSE(e, f, g) + SUM_E(e); \
    d += h; \
    h += MAJORITY(a, b, c) + SUM_A(a)

#define EIGHT(w, i) \
    ROUND(w, a, b, c, d, e, f, g, h, (i)); \
    ROUND(w, h, a, b, c, d, e, f, g, (i) + 1); \
    ROUND(w, g, h, a, b, c, d, e, f, (i) + 2); \
    ROUND(w, f, g, h, a, b, c, d, e, (i) + 3); \
    ROUND(w, e, f, g, h, a, b, c, d, (i) + 4); \
    ROUND(w, d, e, f, g, h, a, b, c, (i) + 5); \
    ROUND(w, c, d, e, f, g, h, a, b, (i) + 6); \
    ROUND(w, b, c, d, e, f, g, h, a, (i) + 7)

void cdigest_sha256_compress(uint32_t chain[8], const uint8_t *bytes, size_t blocks) {
    uint32_t words[16];
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        memcpy(words, bytes, 64);
        for (size_t index = 0; index < 16; index += 1) words[index] = CDIGESTS_BIG32(words[index]);
        uint32_t a = chain[0], b = chain[1], c = chain[2], d = chain[3];
        uint32_t e = chain[4], f = chain[5], g = chain[6], h = chain[7];
        const uint32_t *k = cdigest_sha256_constants;
        EIGHT(GIVEN, 0);
        EIGHT(GIVEN, 8);
        for (size_t sixteen = 1; sixteen < 4; sixteen += 1) {
            k += 16;
            EIGHT(SCHEDULED, 0);
            EIGHT(SCHEDULED, 8);
        }
        chain[0] += a;
        chain[1] += b;
        chain[2] += c;
        chain[3] += d;
        chain[4] += e;
        chain[5] += f;
        chain[6] += g;
        chain[7] += h;
    }
}
