// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import CumulusCore
@testable import CumulusPrimitives

/// A name that was made safe is one visible name in its directory, in each normal form.
enum FileNameTarget: FuzzTarget {
    static let name = "file-names"

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        let bytes = Array(input)
        let proposals = [
            text, ContentDisposition.fileName(bytes), ContentDisposition.fileName(Array("a; filename=".utf8) + bytes),
        ]
        for proposed in proposals.compactMap(\.self) + [PercentEncoding.decode(text)] {
            guard let name = FileName.safe(proposed) else { continue }
            check(name)
            check(name.decomposedStringWithCanonicalMapping)
            check(name.precomposedStringWithCanonicalMapping)
            expect(name.utf8.count <= FileName.longest, "it has \(name.utf8.count) bytes")
            // A device's name keeps its mark in front.
            expect(
                FileName.safe(name)?.utf8.elementsEqual(name.utf8) == true,
                "made safe again, it is another: \(name)"
            )
            guard let path = FilePath(of: name, inFolder: "/a/b") else { finding("it can't be joined") }
            expect(path.name.utf8.elementsEqual(name.utf8) && path.directory == "/a/b", "it is in \(path.directory)")
            for numbered in [path.numbered(1), path.appending(".part")] {
                expect(numbered.directory == "/a/b", "numbered, it is in \(numbered.directory)")
                expect(FileName.isOneComponent(numbered.name.utf8), "numbered, it is \(numbered.name)")
            }
        }
        let path = FilePath(text)
        if !text.utf8.contains(0x2F) { expect(path.directory == ".", "a name without a slash is in \(path.directory)") }
        if let range = ContentRange(parsing: text) { expect(range.length ?? 1 > 0, "a range has no bytes") }
    }

    private static func check(_ name: String) {
        let scalars = Array(name.unicodeScalars)
        expect(!scalars.isEmpty && name != "." && name != "..", "it is \(name)")
        expect(!scalars.contains { "/\\:*?\"<>|".unicodeScalars.contains($0) }, "it holds a sign that leads elsewhere")
        expect(!scalars.contains { PeerText.steers($0) || PeerText.hides($0) }, "it holds what can't be seen")
        if let first = scalars.first {
            expect(!".-~ ".unicodeScalars.contains(first), "it begins with \(first)")
            switch first.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: finding("it begins with a mark")
            default: break
            }
        }
        expect(scalars.last != "." && scalars.last != " ", "it ends with a blank or a point")
        expect(
            !zip(scalars, scalars.dropFirst()).contains { $0 == " " && ($1 == " " || $1 == ".") },
            "it holds many blanks"
        )
    }
}
