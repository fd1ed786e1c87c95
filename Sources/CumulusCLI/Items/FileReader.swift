// SPDX-License-Identifier: Apache-2.0

/// Reads the files of items; a value, so that parsing remains a pure function.
struct FileReader: Sendable {
    /// Returns a file's bytes, or throws if there are more than the limit.
    typealias Read = @Sendable (_ path: String, _ limit: ReadLimit) throws -> [UInt8]

    /// The folder for `~`; `nil` leaves it unchanged.
    private let home: String?
    private let read: Read
    private let readRegular: Read

    /// Makes a reader from functions that return a file's bytes, or throw if there are more than the limit.
    ///
    /// - Parameters:
    ///   - home: The folder for `~`.
    ///   - readRegular: Reads regular files only; `nil` is `read`.
    ///   - read: Reads any file, also a pipe.
    init(home: String? = nil, readRegular: Read? = nil, _ read: @escaping Read) {
        self.home = home
        self.read = read
        self.readRegular = readRegular ?? read
    }

    /// Returns a file's bytes.
    func bytes(_ path: String, upTo limit: ReadLimit) throws -> [UInt8] { try read(expanded(path), limit) }

    /// Returns a regular file's bytes; for files that no command line names, of which a pipe would block each run.
    func regularBytes(_ path: String, upTo limit: ReadLimit) throws -> [UInt8] {
        try readRegular(expanded(path), limit)
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
                "the file \(quoted(item.value)) of \(quoted(item.name)) is not text in UTF-8",
                hint: "standard input sends any bytes: cumulus post URL < FILE"
            )
        }
        return text
    }

    /// The bytes of an item's file.
    func contents(_ item: RequestItem) throws(UsageMistake) -> [UInt8] {
        do {
            return try bytes(item.value, upTo: .value)
        } catch {
            throw UsageMistake(
                "the file \(quoted(item.value)) of \(quoted(item.name)) can't be read: \(error)",
                hint: "to send text that begins with @, write a backslash: \(item.name)=\\@text"
            )
        }
    }
}
