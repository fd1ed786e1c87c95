// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Property lists, XML and binary: nothing traps, and nothing takes the stack.
enum PropertyListTarget: FuzzTarget {
    static let name = "property-list"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let list = try? PropertyList(parsing: ByteChunk([UInt8](input))) else { return }
        expect(list == list || "\(list)".contains("nan"), "it is not equal to itself")
    }
}
