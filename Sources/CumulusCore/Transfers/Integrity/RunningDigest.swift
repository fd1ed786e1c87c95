// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The digests of a file that is still coming, of those algorithms that somebody named.
struct RunningDigest: Sendable {
    private enum Hash: Sendable {
        case check(CyclicRedundancyCheck)
        case md5(Insecure.MD5)
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
        case sha384(SHA384)
        case sha512(SHA512)
        /// In use.
        case taken

        init(_ algorithm: Checksum.Algorithm) {
            switch algorithm {
            case .crc32: self = .check(CyclicRedundancyCheck(castagnoli: false))
            case .crc32c: self = .check(CyclicRedundancyCheck(castagnoli: true))
            case .md5: self = .md5(Insecure.MD5())
            case .sha1: self = .sha1(Insecure.SHA1())
            case .sha256: self = .sha256(SHA256())
            case .sha384: self = .sha384(SHA384())
            case .sha512: self = .sha512(SHA512())
            }
        }

        // Taken out while it works: a second reference would have it copied.
        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            let hash = self
            self = .taken
            switch consume hash {
            case .check(var hash):
                hash.update(bytes)
                self = .check(hash)
            case .md5(var hash):
                hash.update(bufferPointer: bytes)
                self = .md5(hash)
            case .sha1(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha1(hash)
            case .sha256(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha256(hash)
            case .sha384(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha384(hash)
            case .sha512(var hash):
                hash.update(bufferPointer: bytes)
                self = .sha512(hash)
            case .taken: break
            }
        }

        var digest: [UInt8] {
            switch self {
            case .check(let hash): hash.digest
            case .md5(let hash): Array(hash.finalize())
            case .sha1(let hash): Array(hash.finalize())
            case .sha256(let hash): Array(hash.finalize())
            case .sha384(let hash): Array(hash.finalize())
            case .sha512(let hash): Array(hash.finalize())
            case .taken: []
            }
        }
    }

    private var hashes: [(algorithm: Checksum.Algorithm, hash: Hash)]
    /// How many bytes have been counted in.
    private(set) var count: Int64 = 0

    /// Begins with no bytes; each algorithm is run once.
    init(_ algorithms: some Sequence<Checksum.Algorithm>) {
        hashes = Set(algorithms).map { ($0, Hash($0)) }
    }

    /// The same algorithms with no bytes.
    var anew: RunningDigest { RunningDigest(hashes.map(\.algorithm)) }

    var isEmpty: Bool { hashes.isEmpty }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += Int64(bytes.count)
        for index in hashes.indices { hashes[index].hash.update(bytes) }
    }

    /// The digest as it stands.
    func checksum(_ algorithm: Checksum.Algorithm) -> Checksum? {
        hashes.first { $0.algorithm == algorithm }.map { Checksum(known: algorithm, $0.hash.digest) }
    }
}
