// SPDX-License-Identifier: Apache-2.0

/// Where a download goes.
public struct DownloadDestination: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case file(FilePath)
        case directory(String)
        case temporary
    }

    let kind: Kind

    /// A file by its path or its `file:` URL; the directory must be there.
    public static func file(_ file: some Locator) -> Self { Self(kind: .file(FilePath(file.locatorText))) }

    /// A directory that is there, by its path or its `file:` URL: the file is named as the server says
    /// (`Content-Disposition`), else as the end of the URL that was asked for.
    public static func directory(_ directory: some Locator) -> Self { Self(kind: .directory(directory.locatorText)) }

    /// A file of its own in ``Settings/cachesDirectory``, which goes when the ``DownloadedFile`` and its copies do.
    public static let temporary = Self(kind: .temporary)
}
