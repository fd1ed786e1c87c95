// SPDX-License-Identifier: Apache-2.0

import CumulusUploads
import Foundation
import TestSupport

/// A file to upload and a folder for records.
struct UploadBench {
    let folder: TemporaryFolder
    let file: String
    let bytes: [UInt8]

    init(_ count: Int = 1_000) throws {
        folder = try TemporaryFolder()
        // A block of a prime length, so that no two pieces are the same.
        let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        self.bytes = bytes
        file = try folder.write(bytes, to: "film.mov")
    }

    var records: String { "\(folder.path)/records" }

    /// The names of the records and locks, without the folder's key.
    var recordNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: records)) ?? []).filter { $0 != "key" }.sorted()
    }

    /// The options: pieces of 300 bytes.
    func options(resume: Bool = true, chunkSize: Int64 = 300) -> UploadOptions {
        UploadOptions(resume: resume, chunkSize: chunkSize, records: records)
    }
}
