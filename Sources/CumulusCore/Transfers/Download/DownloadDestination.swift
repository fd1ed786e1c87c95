// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a download goes.
public struct DownloadDestination: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case file(FilePath)
        case directory(String)
        case temporary
    }

    let kind: Kind

    /// A file by its path; the directory must be there.
    public static func file(_ path: String) -> Self { Self(kind: .file(FilePath(path))) }

    /// A file by its URL; the directory must be there.
    public static func file(_ url: URL) -> Self { .file(url.path) }

    /// A directory that is there, by its path: the file is named as the server says (`Content-Disposition`), else as the
    /// end of the URL that was asked for.
    public static func directory(_ path: String) -> Self { Self(kind: .directory(path)) }

    /// A directory that is there, by its URL: the file is named as the server says (`Content-Disposition`), else as the
    /// end of the URL that was asked for.
    public static func directory(_ url: URL) -> Self { .directory(url.path) }

    /// A file of its own in ``Settings/cachesDirectory``, which goes when the ``DownloadedFile`` and its copies do.
    public static let temporary = Self(kind: .temporary)
}
