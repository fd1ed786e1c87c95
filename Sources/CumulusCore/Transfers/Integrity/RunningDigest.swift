// SPDX-License-Identifier: Apache-2.0

package import CumulusPrimitives

/// The digests of a file that is being received, for the requested algorithms.
struct RunningDigest: Sendable {
    // One of the two, updated in place: an enumeration would copy it.
    private struct Hash: Sendable {
        private var check: CyclicRedundancyCheck?
        private var message: MessageDigest?

        init(_ algorithm: Checksum.Algorithm) {
            switch algorithm {
            case .crc32: check = CyclicRedundancyCheck(castagnoli: false)
            case .crc32c: check = CyclicRedundancyCheck(castagnoli: true)
            case .md5: message = MessageDigest(.md5)
            case .sha1: message = MessageDigest(.sha1)
            case .sha256: message = MessageDigest(.sha256)
            case .sha384: message = MessageDigest(.sha384)
            case .sha512: message = MessageDigest(.sha512)
            }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            check?.update(bytes)
            message?.update(bytes)
        }

        var digest: [UInt8] { check?.digest ?? message?.bytes ?? [] }
    }

    private var hashes: [(algorithm: Checksum.Algorithm, hash: Hash)]
    /// The number of bytes hashed so far.
    private(set) var count: Int64 = 0

    /// Starts without bytes; each algorithm is run once.
    init(_ algorithms: some Sequence<Checksum.Algorithm>) {
        hashes = Set(algorithms).map { ($0, Hash($0)) }
    }

    /// The same algorithms without bytes.
    var cleared: RunningDigest { RunningDigest(hashes.map(\.algorithm)) }

    var isEmpty: Bool { hashes.isEmpty }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += Int64(bytes.count)
        for index in hashes.indices { hashes[index].hash.update(bytes) }
    }

    /// The digest so far.
    func checksum(_ algorithm: Checksum.Algorithm) -> Checksum? {
        hashes.first { $0.algorithm == algorithm }.map { Checksum(known: algorithm, $0.hash.digest) }
    }
}

extension Checksum {
    /// Computes the digest of a whole file; blocks.
    package init(_ algorithm: Algorithm, of file: borrowing OpenedFile) throws(OpenedFile.Refusal) {
        var digest = RunningDigest([algorithm])
        while case let piece = try file.read(at: digest.count, count: FilePieces.size), !piece.isEmpty {
            piece.withUnsafeBytes { digest.update($0) }
        }
        self.init(known: algorithm, digest.checksum(algorithm)?.bytes ?? [])
    }
}
