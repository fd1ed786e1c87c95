// SPDX-License-Identifier: Apache-2.0

/// A field of a form that is sent in parts.
struct FormPart: Equatable, Sendable {
    /// What the field holds.
    enum Content: Equatable, Sendable {
        case text(String)
        case file(UploadItem)
    }

    let name: String
    let content: Content
}
