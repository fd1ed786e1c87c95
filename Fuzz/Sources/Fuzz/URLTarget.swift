// SPDX-License-Identifier: Apache-2.0

@testable import CumulusCore

/// A URL reads the same again, and no child leaves its parent's place.
///
/// The first line is a URL, what follows a reference and a child's path.
enum URLTarget: FuzzTarget {
    static let name = "url"

    static func check(_ input: UnsafeRawBufferPointer) {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        let rest = String(decoding: input[end...].dropFirst(), as: UTF8.self)
        let url = try? RequestURL(String(decoding: input[..<end], as: UTF8.self))
        if let url { checkForm(url) }
        let base = url ?? plainBase
        if let resolved = try? base.resolving(rest) { checkForm(resolved) }
        checkChildren(of: base, rest)
    }

    private static let plainBase = RequestURL(origin: Origin(scheme: .https, host: "a.example"), path: "/b", query: nil)

    /// What is sent is plain ASCII, has no dot segments, and reads as itself.
    private static func checkForm(_ url: RequestURL) {
        let text = url.description
        expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription) holds more than plain ASCII")
        expect((try? RequestURL(text)) == url, "\(text) reads as \(String(describing: try? RequestURL(text)))")
        for segment in url.path.split(separator: "/") {
            let meaning = PercentEncoding.decode(segment)
            expect(meaning != "." && meaning != "..", "\(text) has a dot segment")
        }
    }

    private static func checkChildren(of base: RequestURL, _ text: String) {
        let parent = Place(base)
        for value in [Append.literal, .value, .path] {
            var parser = ChildPathParser()
            switch value {
            case .literal: parser.appendLiteral(text)
            case .value: parser.appendValue(text)
            case .path: parser.appendPath(text)
            }
            guard case .success(let address) = parent.appending(parser.finish()).address else { continue }
            expect(address.origin == base.origin, "the child \(text.debugDescription) has another origin")
            for style in [TrailingSlash.removed, .kept, .added] {
                let child = RequestURL(origin: address.origin, path: address.path(style), query: nil)
                let place = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
                checkForm(child)
                expect(
                    child.path == base.path || child.path.hasPrefix(place + "/"),
                    "\(child) is outside of \(base)"
                )
                if value == .value {
                    let below = child.path.dropFirst(place.count).split(separator: "/", omittingEmptySubsequences: true)
                    expect(below.count == 1, "the value \(text.debugDescription) is more than a segment")
                }
            }
        }
    }

    private enum Append { case literal, value, path }
}
