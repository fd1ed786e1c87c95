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
                let found = try Checksum(expected.algorithm, of: file)
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
