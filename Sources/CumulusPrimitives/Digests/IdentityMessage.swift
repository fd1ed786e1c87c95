// SPDX-License-Identifier: Apache-2.0

/// The bytes of an identity's parts: no two lists of parts have the same bytes.
package struct IdentityMessage: Sendable, Hashable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds a part, which consists of its kind and its values.
    ///
    /// Each text follows its length, and each list of values its count.
    package mutating func add(_ kind: StaticString, _ values: [String]) {
        add(count: kind.utf8CodeUnitCount)
        kind.withUTF8Buffer { bytes += $0 }
        add(count: values.count)
        for value in values {
            add(count: value.utf8.count)
            bytes += value.utf8
        }
    }

    /// Adds bytes whose number is in the part before.
    package mutating func add(bytes more: [UInt8]) { bytes += more }

    private mutating func add(count: Int) {
        withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
    }
}
