// SPDX-License-Identifier: Apache-2.0
// SHA-1 and SHA-256 by x86's SHA extensions (Intel's Software Developer's Manual, volume 2). Only these functions are
// compiled for them, and the processor is asked before they are called.

#include "CDigests.h"
#include "Compression.h"

#if defined(__x86_64__) && CDIGESTS_HAS_SHA_INSTRUCTIONS

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

static bool ask_processor(void) {
    unsigned int a, b, c, d;
    if (!__get_cpuid_count(1, 0, &a, &b, &c, &d)) return false;
    if ((c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

bool cdigest_is_accelerated(void) {
    // Kept: in a virtual machine the host answers, which takes long. Two who ask at once get the same answer.
    static atomic_int known = 0;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        answer = ask_processor() ? 1 : -1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer > 0;
}

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

// Four words of a message, the schedule's next four in place of the oldest.
#define LOAD(offset) _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + (offset))), order)

#define SCHEDULE256(w0, w1, w2, w3) \
    w0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

// Two rounds leave the new a, b, e, f where c, d, g, h were, so the two change their roles, and back.
#define FOUR256(w, i) \
    sum = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)(cdigest_sha256_constants + (i)))); \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum); \
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e))

WITH_SHA void cdigest_sha256_compress_by_instructions(uint32_t chain[8], const uint8_t *bytes, size_t blocks) {
    const __m128i order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i abef = _mm_set_epi32((int)chain[0], (int)chain[1], (int)chain[4], (int)chain[5]);
    __m128i cdgh = _mm_set_epi32((int)chain[2], (int)chain[3], (int)chain[6], (int)chain[7]);
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        __m128i abef_before = abef, cdgh_before = cdgh, sum;
        __m128i w0 = LOAD(0), w1 = LOAD(16), w2 = LOAD(32), w3 = LOAD(48);
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
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    chain[0] = (uint32_t)_mm_extract_epi32(abef, 3);
    chain[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    chain[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
    chain[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    chain[4] = (uint32_t)_mm_extract_epi32(abef, 1);
    chain[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    chain[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
    chain[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

#define SCHEDULE1(w0, w1, w2, w3) w0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

// Rounds 4 * n to 4 * n + 3; e is what a was four rounds before, turned.
#define FOUR1(w, function) \
    sum = _mm_sha1nexte_epu32(before, w); \
    before = abcd; \
    abcd = _mm_sha1rnds4_epu32(abcd, sum, function)

#define SIXTEEN1(f0, f1, f2, f3) \
    SCHEDULE1(w0, w1, w2, w3); \
    FOUR1(w0, f0); \
    SCHEDULE1(w1, w2, w3, w0); \
    FOUR1(w1, f1); \
    SCHEDULE1(w2, w3, w0, w1); \
    FOUR1(w2, f2); \
    SCHEDULE1(w3, w0, w1, w2); \
    FOUR1(w3, f3)

WITH_SHA void cdigest_sha1_compress_by_instructions(uint32_t chain[5], const uint8_t *bytes, size_t blocks) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128i abcd = _mm_set_epi32((int)chain[0], (int)chain[1], (int)chain[2], (int)chain[3]);
    __m128i e = _mm_set_epi32((int)chain[4], 0, 0, 0);
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        __m128i abcd_before = abcd, e_before = e;
        __m128i w0 = LOAD(0), w1 = LOAD(16), w2 = LOAD(32), w3 = LOAD(48);
        // The first four have their e as it is.
        __m128i sum = _mm_add_epi32(e, w0), before = abcd;
        abcd = _mm_sha1rnds4_epu32(abcd, sum, 0);
        FOUR1(w1, 0);
        FOUR1(w2, 0);
        FOUR1(w3, 0);
        SIXTEEN1(0, 1, 1, 1);
        SIXTEEN1(1, 1, 2, 2);
        SIXTEEN1(2, 2, 2, 3);
        SIXTEEN1(3, 3, 3, 3);
        e = _mm_sha1nexte_epu32(before, e_before);
        abcd = _mm_add_epi32(abcd, abcd_before);
    }
    chain[0] = (uint32_t)_mm_extract_epi32(abcd, 3);
    chain[1] = (uint32_t)_mm_extract_epi32(abcd, 2);
    chain[2] = (uint32_t)_mm_extract_epi32(abcd, 1);
    chain[3] = (uint32_t)_mm_extract_epi32(abcd, 0);
    chain[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#endif
