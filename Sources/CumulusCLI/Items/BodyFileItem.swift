// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// An item without a name, `@FILE` or `@-`: that file, or standard input, is the whole body.
struct BodyFileItem {
    let path: String
    let type: MediaType?
    /// Whether it is `@-`, standard input.
    let isInput: Bool

    /// Removes the item from others; `nil` if there is none.
    ///
    /// - Throws: ``UsageMistake`` if another item is also part of the body.
    init?(takenFrom items: inout [RequestItem], isForm: Bool, readFile: FileReader) throws(UsageMistake) {
        let found = items.filter { $0.kind == .upload && $0.name.isEmpty }
        guard let first = found.first else { return nil }
        items.removeAll { $0.kind == .upload && $0.name.isEmpty }
        let file = try UploadItem(parsing: first)
        if isForm {
            throw UsageMistake("a file in a form needs a name", hint: "write name@\(file.path)")
        }
        if found.count > 1 || items.contains(where: \.kind.isData) {
            throw UsageMistake(
                "the file \(quoted(file.path)) is the whole body, but there is other data",
                hint: "name=@FILE is a value from a file; -f with name@FILE sends a form"
            )
        }
        path = readFile.expanded(file.path)
        isInput = file.path == "-"
        type = file.type
    }
}
