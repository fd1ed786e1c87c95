// SPDX-License-Identifier: Apache-2.0

import CDigests
import Testing

/// NIST's examples of SHA-512/256, which swift-crypto does not have.
struct SHA512Over256Tests {
    private func digest(_ pieces: [UInt8]...) -> String {
        var digest = cdigest_begin(CDigestSHA512Over256)
        for piece in pieces { digest.update(piece) }
        return digest.read().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "FIPS 180-4's examples",
        arguments: [
            ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                    + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
            ),
            (String(repeating: "a", count: 200), "19b1e37317d7fd3d7651f397005e31f154ef4912d1345743d2d5889aaca28996"),
        ]
    )
    func examples(message: String, expected: String) {
        let bytes = Array(message.utf8)
        #expect(digest(bytes) == expected)
        for split in 0...bytes.count {
            #expect(digest(Array(bytes[..<split]), Array(bytes[split...])) == expected)
        }
    }
}
