// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Reads the files of items; a value, so that parsing remains a pure function.
struct FileReader: Sendable {
    /// Returns a file's bytes, or throws if there are more than the limit.
    typealias Read = @Sendable (_ path: String, _ limit: ReadLimit) throws -> [UInt8]

    /// What `-` means where an item names a file.
    static let standardInput = "/dev/stdin"

    /// The folder for `~`; `nil` leaves it unchanged.
    private let home: String?
    private let read: Read
    private let readRegular: Read
    private let readBelow: @Sendable (_ folder: String, _ path: String, _ limit: ReadLimit) throws -> [UInt8]

    /// Creates a reader from functions that return a file's bytes, or throw if there are more than the limit.
    ///
    /// - Parameters:
    ///   - home: The folder for `~`.
    ///   - readRegular: Reads regular files only; `nil` is `read`.
    ///   - readBelow: Reads regular files below a folder, without following links; `nil` is `read`.
    ///   - read: Reads any file, also a pipe.
    init(
        home: String? = nil,
        readRegular: Read? = nil,
        readBelow: (@Sendable (_ folder: String, _ path: String, _ limit: ReadLimit) throws -> [UInt8])? = nil,
        _ read: @escaping Read
    ) {
        self.home = home
        self.read = read
        self.readRegular = readRegular ?? read
        self.readBelow = readBelow ?? { folder, path, limit in try read("\(folder)/\(path)", limit) }
    }

    /// Returns a file's bytes.
    func bytes(_ path: String, upTo limit: ReadLimit) throws -> [UInt8] { try read(expanded(path), limit) }

    /// Returns a regular file's bytes; for files that no command line names, of which a pipe would block each run.
    func regularBytes(_ path: String, upTo limit: ReadLimit) throws -> [UInt8] {
        try readRegular(expanded(path), limit)
    }

    /// Returns the bytes of a regular file below a folder, for a path that someone else may have written.
    func bytes(_ path: String, below folder: String, upTo limit: ReadLimit) throws -> [UInt8] {
        if FileReader.isElsewhere(path) { throw SystemProblem(description: "it is not in the folder") }
        return try readBelow(folder, path, limit)
    }

    /// Whether a path may lead out of the folder that it starts in, links aside.
    static func isElsewhere(_ path: String) -> Bool {
        path.begins(with: "/") || path.begins(with: "~") || "/\(path)/".has("/../")
    }

    /// A path with `~/` replaced by the home folder: shells don't do it after `a=@` and `--option=`.
    func expanded(_ path: String) -> String {
        guard let home, !home.isEmpty, path.utf8.starts(with: "~/".utf8) else { return path }
        return "\(home)\(path.utf8.dropFirst().text)"
    }

    /// The text of an item's file.
    func text(_ item: RequestItem) throws(UsageMistake) -> String {
        let content = try contents(item)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw UsageMistake(
                "the file \(quoted(item.value)) for \(quoted(item.name)) is not valid UTF-8",
                hint: "standard input sends any bytes: cumulus post URL < FILE"
            )
        }
        return text
    }

    /// The bytes of an item's file.
    func contents(_ item: RequestItem) throws(UsageMistake) -> [UInt8] {
        let isInput = item.value == "-"
        do {
            return try bytes(isInput ? FileReader.standardInput : item.value, upTo: .value)
        } catch {
            if isInput {
                throw UsageMistake("the value of \(quoted(item.name)) can't be read from standard input: \(error)")
            }
            throw UsageMistake(
                "the file \(quoted(item.value)) for \(quoted(item.name)) can't be read: \(error)",
                hint: "to send text that begins with @, write a backslash: \(item.name)=\\@text"
            )
        }
    }
}
