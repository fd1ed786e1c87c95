// SPDX-License-Identifier: Apache-2.0

/// A field of a multipart form.
struct FormPart: Equatable, Sendable {
    /// The field's content.
    enum Content: Equatable, Sendable {
        case text(String)
        case file(UploadItem)
    }

    let name: String
    let content: Content
}
