// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Where a download goes.
public struct DownloadDestination: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case file(FilePath)
        case directory(String)
        case temporary
    }

    let kind: Kind

    /// A file, by its path or its `file:` URL; its directory must exist.
    public static func file(_ file: some Locator) -> Self { Self(kind: .file(FilePath(file.locatorText))) }

    /// An existing directory, by its path or its `file:` URL: the file is named by the server (`Content-Disposition`),
    /// or else after the last segment of the requested URL.
    public static func directory(_ directory: some Locator) -> Self { Self(kind: .directory(directory.locatorText)) }

    /// A separate file in ``Resource/Settings/cachesDirectory``, which is deleted with the ``DownloadedFile`` and its
    /// copies.
    public static let temporary = Self(kind: .temporary)
}
