// SPDX-License-Identifier: Apache-2.0
// SHA-1 and SHA-256 by the instructions of Armv8 (Arm's C Language Extensions). Only these functions are compiled for
// them, and the system is asked before they are called.

#include "CDigests.h"
#include "Compression.h"

#if defined(__aarch64__) && CDIGESTS_HAS_SHA_INSTRUCTIONS

#include <arm_neon.h>
#include <sys/auxv.h>

bool cdigest_is_accelerated(void) {
    // The kernel's HWCAP_SHA1 and HWCAP_SHA2; a look-up in what the process got at its start.
    const unsigned long both = 1ul << 5 | 1ul << 6;
    return (getauxval(AT_HWCAP) & both) == both;
}

#define WITH_SHA __attribute__((target("sha2")))

#define LOAD(offset) vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + (offset))))

#define SCHEDULE256(w0, w1, w2, w3) w0 = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)

#define FOUR256(w, i) \
    sum = vaddq_u32(w, vld1q_u32(cdigest_sha256_constants + (i))); \
    last = abcd; \
    abcd = vsha256hq_u32(abcd, efgh, sum); \
    efgh = vsha256h2q_u32(efgh, last, sum)

WITH_SHA void cdigest_sha256_compress_by_instructions(uint32_t chain[8], const uint8_t *bytes, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(chain), efgh = vld1q_u32(chain + 4);
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        uint32x4_t abcd_before = abcd, efgh_before = efgh, sum, last;
        uint32x4_t w0 = LOAD(0), w1 = LOAD(16), w2 = LOAD(32), w3 = LOAD(48);
        for (size_t i = 0; i < 48; i += 16) {
            FOUR256(w0, i);
            SCHEDULE256(w0, w1, w2, w3);
            FOUR256(w1, i + 4);
            SCHEDULE256(w1, w2, w3, w0);
            FOUR256(w2, i + 8);
            SCHEDULE256(w2, w3, w0, w1);
            FOUR256(w3, i + 12);
            SCHEDULE256(w3, w0, w1, w2);
        }
        FOUR256(w0, 48);
        FOUR256(w1, 52);
        FOUR256(w2, 56);
        FOUR256(w3, 60);
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(chain, abcd);
    vst1q_u32(chain + 4, efgh);
}

#define SCHEDULE1(w0, w1, w2, w3) w0 = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3)

#define FOUR1(w, function, k) \
    next = vsha1h_u32(vgetq_lane_u32(abcd, 0)); \
    abcd = function(abcd, e, vaddq_u32(w, vdupq_n_u32(k))); \
    e = next

#define FIVE1(w0, w1, w2, w3, function, k) \
    SCHEDULE1(w0, w1, w2, w3); \
    FOUR1(w0, function, k); \
    SCHEDULE1(w1, w2, w3, w0); \
    FOUR1(w1, function, k); \
    SCHEDULE1(w2, w3, w0, w1); \
    FOUR1(w2, function, k); \
    SCHEDULE1(w3, w0, w1, w2); \
    FOUR1(w3, function, k); \
    SCHEDULE1(w0, w1, w2, w3); \
    FOUR1(w0, function, k)

WITH_SHA void cdigest_sha1_compress_by_instructions(uint32_t chain[5], const uint8_t *bytes, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(chain);
    uint32_t e = chain[4];
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        uint32x4_t abcd_before = abcd;
        uint32_t e_before = e, next;
        uint32x4_t w0 = LOAD(0), w1 = LOAD(16), w2 = LOAD(32), w3 = LOAD(48);
        FOUR1(w0, vsha1cq_u32, 0x5a827999);
        FOUR1(w1, vsha1cq_u32, 0x5a827999);
        FOUR1(w2, vsha1cq_u32, 0x5a827999);
        FOUR1(w3, vsha1cq_u32, 0x5a827999);
        SCHEDULE1(w0, w1, w2, w3);
        FOUR1(w0, vsha1cq_u32, 0x5a827999);
        FIVE1(w1, w2, w3, w0, vsha1pq_u32, 0x6ed9eba1);
        FIVE1(w2, w3, w0, w1, vsha1mq_u32, 0x8f1bbcdc);
        FIVE1(w3, w0, w1, w2, vsha1pq_u32, 0xca62c1d6);
        abcd = vaddq_u32(abcd, abcd_before);
        e += e_before;
    }
    vst1q_u32(chain, abcd);
    chain[4] = e;
}

#endif
