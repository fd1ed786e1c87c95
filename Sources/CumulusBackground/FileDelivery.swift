// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The last step of a download: a temporary file is verified and moved to its destination.
struct FileDelivery: Sendable {
    let record: TransferRecord
    /// The destination.
    let destination: String

    /// Moves a complete file; blocks.
    ///
    /// The destination is only written if the file has the expected digest, and in one step. If this fails, the temporary
    /// file stays where it is.
    ///
    /// - Throws: `CumulusError`.
    func move(_ path: String, _ response: Response?) throws -> DownloadedFile {
        let check = ResponseCheck(record: record)
        var verified: [Checksum] = []
        let size: Int64
        do {
            let file = try OpenedFile(path)
            size = try file.size()
            if let expected = try record.checksum.map({ try Checksum(parsing: $0) }) {
                let found = try FileDigest(expected.algorithm).checksum(of: file)
                guard found == expected else {
                    throw check.problem(.checksum, "the file's digest is \(found), not \(expected)", response)
                }
                verified = [expected]
            }
        } catch let refusal as OpenedFile.Refusal {
            throw check.problem(.disk, "the downloaded file \(refusal.reason)", response)
        }
        let file = DownloadedFile(path: path, response: response, byteCount: size, verifiedChecksums: verified)
        switch record.existing {
        case .refuse: return try file.move(to: destination)
        case .replace: return try file.move(to: destination, replacing: true)
        case .keepBoth:
            for number in 0..<10_000 {
                let numbered = FilePath(destination).numbered(number).text
                do { return try file.move(to: numbered) } catch CumulusError.Code.fileExists { continue }
            }
            return try file.move(to: destination)
        }
    }

    /// Checks a destination before anything is sent.
    ///
    /// - Throws: `CumulusError` if the file couldn't be moved there.
    static func check(_ destination: String, _ existing: ExistingFileRule, request: EncodedRequest) throws {
        let path = FilePath(destination)
        guard !path.name.isEmpty, path.name != ".", path.name != "..", FilePath(path.directory).exists else {
            let cause = FileProblem("create", destination, because: "it is not a file in an existing directory")
            throw CumulusError(.disk, stage: .preflight, "\(cause)", request: request, cause: cause)
        }
        if existing == .refuse, path.exists {
            let message = "a file already exists at \(PeerText.quoted(destination))"
            throw CumulusError(.fileExists, stage: .preflight, message, request: request)
        }
    }
}

/// A digest that is computed piece by piece.
private struct FileDigest {
    private let algorithm: Checksum.Algorithm
    private var message: MessageDigest?
    private var check: CyclicRedundancyCheck?

    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm
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

    func checksum(of file: borrowing OpenedFile) throws -> Checksum {
        var digest = self
        var position: Int64 = 0
        while case let piece = try file.read(at: position, count: 1 << 20), !piece.isEmpty {
            piece.withUnsafeBytes { bytes in
                digest.check?.update(bytes)
                digest.message?.update(bytes)
            }
            position += Int64(piece.count)
        }
        return try Checksum(algorithm, digest.message?.bytes ?? digest.check?.digest ?? [])
    }
}
