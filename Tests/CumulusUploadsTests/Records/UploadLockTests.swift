// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import TestSupport
import Testing

@testable import CumulusUploads

@Suite struct UploadLockTests {
    @Test func holderRemovesOnlyItsOwnFile() throws {
        let folder = try TemporaryFolder()
        let path = FilePath("\(folder.path)/lock")
        let first = try #require(try UploadLock(path))
        first.remove()
        let second = try #require(try UploadLock(path))
        first.remove()
        #expect(path.exists)
        let third = try UploadLock(path)
        #expect(third == nil)
        second.remove()
        #expect(!path.exists)
    }
}
