// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats

/// Property lists, XML and binary: nothing traps, and nothing takes the stack.
enum PropertyListTarget: FuzzTarget {
    static let name = "property-list"

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = ByteChunk([UInt8](input))
        guard let list = try? PropertyList(parsing: bytes) else { return }
        expect(list == list || "\(list)".contains("nan"), "it is not equal to itself")
        // Foundation's coders see what the parser let through.
        let coder = PropertyListCoder()
        let members = try? coder.decode([String: PropertyList].self, from: bytes, of: nil)
        if let members { expect(members.count == list.dictionary?.count, "it has other members as a type") }
        let elements = try? coder.decode([PropertyList].self, from: bytes, of: nil)
        if let elements { expect(elements.count == list.array?.count, "it has other elements as a type") }
        _ = try? coder.decode([String: JSON].self, from: bytes, of: nil)
        _ = try? coder.decode([[JSON]].self, from: bytes, of: nil)
    }
}
