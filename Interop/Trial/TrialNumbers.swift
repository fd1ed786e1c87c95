// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The numbers of requests that servers have written down as they came, one a line.
package struct TrialNumbers: Sendable {
    /// How many requests of a trial have arrived.
    package let arrived: Int
    /// How many of those had come before.
    package let doubled: Int

    package init(file: String, mark: String) throws {
        let text =
            FileManager.default.fileExists(atPath: file)
            ? try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8) : ""
        let numbers = text.split(separator: "\n").filter { $0.hasPrefix("\(mark)-") }
        arrived = numbers.count
        doubled = numbers.count - Set(numbers).count
    }
}
