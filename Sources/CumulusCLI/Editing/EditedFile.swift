// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The text while it is edited: a file in its own folder, which only its owner may read.
struct EditedFile: Sendable {
    /// The file's path.
    let path: String
    private let folder: String

    /// Creates the file.
    init(_ text: String, in parent: String, isJSON: Bool) throws {
        var template = Array("\(parent)/cumulus-edit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw EditProblem(reason: "can't create a folder in \(quoted(parent)): \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/document\(isJSON ? ".json" : ".txt")"
        try PrivateFile(path).write(Array(text.utf8))
    }

    /// The text that the editor has saved; editors may make a new file, which others may read.
    func text() throws -> String {
        let bytes: [UInt8]
        do {
            // An editor, or what it runs, may have left a pipe there, which would never end.
            let file = try Descriptor(openingRegular: path, O_NOFOLLOW)
            defer { file.close() }
            bytes = try file.readAll(upTo: .value)
        } catch {
            throw EditProblem(reason: "the edited text can't be read: \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw EditProblem(reason: "the saved text is not valid UTF-8")
        }
        return text
    }

    /// Replaces the text.
    func write(_ text: String) throws { try PrivateFile(path).write(Array(text.utf8)) }

    /// Removes the file, and the editor's files beside it.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
