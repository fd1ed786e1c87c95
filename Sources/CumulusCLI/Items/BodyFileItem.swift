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
                "the file \(quoted(file.path)) is the whole body, so other data can't be added",
                hint: "name=@FILE sends a file's text as a value; -f with name@FILE sends a form"
            )
        }
        path = readFile.expanded(file.path)
        isInput = file.path == "-"
        type = file.type
    }
}
