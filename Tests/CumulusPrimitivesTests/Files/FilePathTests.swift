// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import Testing

/// Paths, as the user wrote them and from the root.
@Suite struct FilePathTests {
    @Test func aRelativePathBeginsInTheWorkingDirectory() {
        let here = FileManager.default.currentDirectoryPath
        #expect(FilePath("cookies.txt").absolute == "\(here)/cookies.txt")
        #expect(FilePath("./a/b").absolute == "\(here)/./a/b")
        #expect(FilePath("/a/b").absolute == "/a/b")
    }
}
