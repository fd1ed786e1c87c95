// SPDX-License-Identifier: Apache-2.0

import CDigests
import Crypto
import Testing

/// An algorithm, by the processor's instructions for it (where there are any) or without them.
struct Variant: Sendable, CustomTestStringConvertible {
    enum Algorithm: String, Sendable, CaseIterable {
        case md5
        case sha1
        case sha256
        case sha384
        case sha512

        var constant: CDigestAlgorithm {
            switch self {
            case .md5: CDigestMD5
            case .sha1: CDigestSHA1
            case .sha256: CDigestSHA256
            case .sha384: CDigestSHA384
            case .sha512: CDigestSHA512
            }
        }

        var isWide: Bool { self == .sha384 || self == .sha512 }
        var blockSize: Int { isWide ? 128 : 64 }

        /// What swift-crypto says.
        func reference(_ bytes: some Sequence<UInt8>) -> [UInt8] {
            let bytes = Array(bytes)
            return switch self {
            case .md5: Array(Insecure.MD5.hash(data: bytes))
            case .sha1: Array(Insecure.SHA1.hash(data: bytes))
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }
    }

    static let all = Algorithm.allCases.flatMap { algorithm in
        [Variant(algorithm: algorithm, isPortable: false), Variant(algorithm: algorithm, isPortable: true)]
    }

    let algorithm: Algorithm
    let isPortable: Bool

    var testDescription: String { algorithm.rawValue + (isPortable ? ", portable" : "") }

    func begin() -> CDigest {
        var digest = cdigest_begin(algorithm.constant)
        digest.portable = isPortable
        return digest
    }

    func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = begin()
        digest.update(Array(bytes))
        return digest.read()
    }
}

extension CDigest {
    mutating func update(_ bytes: some Collection<UInt8>) {
        Array(bytes).withUnsafeBytes { cdigest_update(&self, $0.baseAddress, $0.count) }
    }

    func read() -> [UInt8] {
        withUnsafePointer(to: self) { digest in
            [UInt8](unsafeUninitializedCapacity: 64) { buffer, size in size = cdigest_read(digest, buffer.baseAddress) }
        }
    }
}

/// Numbers that are the same in each run (a linear congruence; Knuth's factor).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The low bits of such a sequence repeat soon.
        return state ^ state >> 29
    }
}
