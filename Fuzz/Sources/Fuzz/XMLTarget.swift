// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats

/// XML that was read is written and read again as the same, and nothing traps.
enum XMLTarget: FuzzTarget {
    static let name = "xml"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let tree = try? XML(parsing: input) else { return }
        let again: XML
        do {
            again = try XML(parsing: tree.encoded())
        } catch {
            finding("what was read can't be written and read: \(error)")
        }
        expect(again == tree, "written and read, it is another tree")
    }
}
