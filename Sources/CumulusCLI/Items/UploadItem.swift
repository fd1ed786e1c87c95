// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The value of a `name@path` item: a file with an optional type and name: `cat.png;type=image/png;filename=x.png`.
struct UploadItem: Equatable, Sendable {
    var path: String
    let type: MediaType?
    let fileName: String?

    /// Removes `;type=` and `;filename=` from the end, in either order; the rest is the path.
    ///
    /// - Throws: ``UsageMistake`` for an invalid type, or a missing path.
    init(parsing item: RequestItem) throws(UsageMistake) {
        var path = item.value
        var found: [String: String] = [:]
        while let (key, value, before) = UploadItem.parameter(at: path), found[key] == nil {
            found[key] = value
            path = before
        }
        let type = found["type"].map { MediaType($0) }
        if case .some(nil) = type {
            throw UsageMistake(
                "the type \(quoted(found["type"] ?? "")) of \(quoted("\(item.name)@\(path)")) is not a media type",
                hint: "\(item.name)@FILE;type=image/png"
            )
        }
        guard !path.isEmpty else {
            throw UsageMistake("the item \(quoted(item.name + "@")) has no file", hint: "write \(item.name)@FILE")
        }
        self.path = path
        self.type = type ?? nil
        fileName = found["filename"]
    }

    /// The last parameter, if there is one, and the text before it.
    private static func parameter(at text: String) -> (key: String, value: String, before: String)? {
        let bytes = text.utf8
        var end = bytes.endIndex
        // A type may have its own parameters: `type=text/plain;charset=utf-8`.
        while let semicolon = bytes[..<end].lastIndex(of: UInt8(ascii: ";")) {
            let parameter = bytes[semicolon...].dropFirst()
            for key in ["type", "filename"] where parameter.starts(with: "\(key)=".utf8) {
                return (key, parameter.dropFirst(key.utf8.count + 1).text, String(text[..<semicolon]))
            }
            end = semicolon
        }
        return nil
    }
}
