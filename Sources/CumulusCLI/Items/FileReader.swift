// SPDX-License-Identifier: Apache-2.0

/// Reads the files that items name; a value, so that parsing stays a function of what it is given.
struct FileReader: Sendable {
    /// Gives a file's bytes.
    let bytes: @Sendable (_ path: String) throws -> [UInt8]

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
                hint: "a text that begins with @ is written with a backslash: \(item.name)=\\@text"
            )
        }
    }
}
