// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// No sample is longer than its original, but for the two lines around settings.
@Suite struct SampleLengthTests {
    private static let files = [
        "CumulusGuide+Creating", "CumulusGuide+Requests", "CumulusGuide+Hooks", "CumulusGuide+Files",
        "CumulusGuide+Values", "CumulusGuide+Clients", "RESTClientGuide", "CocoaRESTReadme", "CyclesGuide",
    ]

    @Test(arguments: files) func noneIsLongerThanItsOriginal(file: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "\(file).swift"), encoding: .utf8)
        var open: (name: String, limit: Int)?
        var count = 0
        var opensRules = false
        var samples = 0
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.isEmpty {
            if line.hasPrefix("// Original: ") {
                let words = line.split(separator: " ")
                let limit = try #require(words.dropLast().last.flatMap { Int($0) }, "\(line)")
                #expect(open == nil, "\(line)")
                (open, count, opensRules) = ((String(line), limit), 0, false)
            } else if line == "// End" {
                var sample = try #require(open)
                if opensRules { sample.limit += 2 }
                #expect(count > 0 && count <= sample.limit, "\(count) lines: \(sample.name)")
                open = nil
                samples += 1
            } else {
                if line.hasSuffix(".setRules {") { opensRules = true }
                count += 1
            }
        }
        #expect(open == nil && samples > 0)
    }
}
