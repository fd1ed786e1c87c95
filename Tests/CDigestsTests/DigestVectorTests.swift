// SPDX-License-Identifier: Apache-2.0

import CDigests
import Testing

/// The examples that the standards give.
struct DigestVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let algorithm: Variant.Algorithm
        let message: String
        let digest: String

        var testDescription: String { "\(algorithm.rawValue) of \"\(message)\"" }
    }

    private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let twoWideBlocks =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
        + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

    private static let vectors = [
        Vector(
            algorithm: .md5,
            message: "",
            digest: "d41d8cd98f00b204e9800998ecf8427e"
        ),
        Vector(
            algorithm: .md5,
            message: "a",
            digest: "0cc175b9c0f1b6a831c399e269772661"
        ),
        Vector(
            algorithm: .md5,
            message: "abc",
            digest: "900150983cd24fb0d6963f7d28e17f72"
        ),
        Vector(
            algorithm: .md5,
            message: "message digest",
            digest: "f96b697d7cb7938d525a2f31aaf161d0"
        ),
        Vector(
            algorithm: .md5,
            message: "abcdefghijklmnopqrstuvwxyz",
            digest: "c3fcd3d76192e4007dfb496cca67e13b"
        ),
        Vector(
            algorithm: .md5,
            message: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            digest: "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        Vector(
            algorithm: .md5,
            message: String(repeating: "1234567890", count: 8),
            digest: "57edf4a22be3c955ac49da2e2107b67a"
        ),
        Vector(
            algorithm: .sha1,
            message: "",
            digest: "da39a3ee5e6b4b0d3255bfef95601890afd80709"
        ),
        Vector(
            algorithm: .sha1,
            message: "abc",
            digest: "a9993e364706816aba3e25717850c26c9cd0d89d"
        ),
        Vector(
            algorithm: .sha1,
            message: twoBlocks,
            digest: "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        Vector(
            algorithm: .sha256,
            message: "",
            digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        Vector(
            algorithm: .sha256,
            message: "abc",
            digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        Vector(
            algorithm: .sha256,
            message: twoBlocks,
            digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        Vector(
            algorithm: .sha384,
            message: "",
            digest: "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
                + "274edebfe76f65fbd51ad2f14898b95b"
        ),
        Vector(
            algorithm: .sha384,
            message: "abc",
            digest: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7"
        ),
        Vector(
            algorithm: .sha384,
            message: twoWideBlocks,
            digest: "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
                + "fcc7c71a557e2db966c3e9fa91746039"
        ),
        Vector(
            algorithm: .sha512,
            message: "",
            digest: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        Vector(
            algorithm: .sha512,
            message: "abc",
            digest: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        Vector(
            algorithm: .sha512,
            message: twoWideBlocks,
            digest: "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        ),
    ]

    private static let million: [(Variant.Algorithm, String)] = [
        (
            .md5,
            "7707d6ae4e027c70eea2a935c2296f21"
        ),
        (
            .sha1,
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        ),
        (
            .sha256,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
        (
            .sha384,
            "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b"
                + "07b8b3dc38ecc4ebae97ddd87f3d8985"
        ),
        (
            .sha512,
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        ),
    ]

    @Test("The digests of RFC 1321, appendix A.5, and of NIST's examples for FIPS 180-4", arguments: vectors)
    func examples(vector: Vector) {
        for isPortable in [false, true] {
            let variant = Variant(algorithm: vector.algorithm, isPortable: isPortable)
            #expect(hexadecimal(variant.digest(vector.message.utf8)) == vector.digest)
        }
    }

    @Test("The digest of a million times the letter a, in pieces of 997 bytes", arguments: million)
    func millionLetters(algorithm: Variant.Algorithm, expected: String) {
        for isPortable in [false, true] {
            var digest = Variant(algorithm: algorithm, isPortable: isPortable).begin()
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 997)
            for _ in 0..<1003 { digest.update(piece) }
            digest.update(piece.prefix(1_000_000 - 1003 * 997))
            #expect(hexadecimal(digest.read()) == expected)
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
