// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusXML
import Foundation

/// What is written as XML, by CumulusFormats or by CumulusXML, is XML and holds what was meant; everything else is an error.
enum XMLWritingTarget: FuzzTarget {
    static let name = "xml-writing"

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        let parts = text.unicodeScalars.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
        checkCore(parts)
        // The empty key is the text of the element.
        checkCoder([parts[0]: parts.last ?? ""], count: parts[0].isEmpty ? 0 : 1)
        checkCoder(text, count: 0)
        _ = try? PropertyListCoder().encode([text: text], as: nil)
        if let json = try? JSON(parsing: input) { checkCoder(json, count: nil) }
        checkReading(ByteChunk(Array(input)))
    }

    private static func checkCore(_ parts: [String]) {
        var tree = XML(parts[0], attributes: ["a": parts.last ?? ""], text: parts.last ?? "")
        tree.children.append(.element(XML(parts.count > 1 ? parts[1] : "b")))
        guard let bytes = try? tree.encoded() else { return }
        let again = try? XML(parsing: bytes)
        expect(again?.name == tree.name, "written and read, it has another name")
        expect(again?.elements.count == 1 && again?.attributes.count == 1, "written and read, it has other parts")
    }

    private static func checkCoder(_ value: some Encodable & Sendable, count: Int?) {
        guard let bytes = try? XMLBodyCoder().encode(value, as: nil) else { return }
        guard let tree = try? bytes.withUnsafeBytes({ try XML(parsing: $0) }) else {
            finding("what was written is not XML")
        }
        if let count { expect(tree.elements.count == count, "it has \(tree.elements.count) elements, not \(count)") }
    }

    private static func checkReading(_ bytes: ByteChunk) {
        let coder = XMLBodyCoder()
        _ = try? coder.decode(Int.self, from: bytes, of: nil)
        _ = try? coder.decode([Date].self, from: bytes, of: nil).description
        _ = try? coder.decode([String: [String]].self, from: bytes, of: nil)
        _ = try? coder.decode([String: JSON].self, from: bytes, of: nil)
        _ = try? coder.decode(PropertyList.self, from: bytes, of: nil)
    }
}
