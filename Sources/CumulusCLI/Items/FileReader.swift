// SPDX-License-Identifier: Apache-2.0

/// Reads the files that items name; a value, so that parsing stays a function of what it is given.
struct FileReader: Sendable {
    /// What `~` stands for; `nil` leaves it as it is.
    private let home: String?
    private let read: @Sendable (_ path: String) throws -> [UInt8]

    /// Makes a reader of a function that gives a file's bytes.
    init(home: String? = nil, _ read: @escaping @Sendable (_ path: String) throws -> [UInt8]) {
        self.home = home
        self.read = read
    }

    /// Gives a file's bytes.
    func bytes(_ path: String) throws -> [UInt8] { try read(expanded(path)) }

    /// A path whose `~/` is the home folder: shells don't see to it behind `a=@` and `--option=`.
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
            return try bytes(item.value)
        } catch {
            throw UsageMistake(
                "the file \(quoted(item.value)) of \(quoted(item.name)) can't be read: \(error)",
                hint: "to send text that begins with @, write a backslash: \(item.name)=\\@text"
            )
        }
    }
}
