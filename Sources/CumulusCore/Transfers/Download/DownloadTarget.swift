// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The target of a download's bytes, as far as it is known: in a directory, the response names the file.
struct DownloadTarget: Sendable {
    private let destination: DownloadDestination
    private let url: RequestURL
    /// The path, if it is known without a response.
    let knownPath: FilePath?
    /// The path of the unfinished file.
    let part: FilePath
    /// Whether an earlier download's unfinished file may be resumed.
    let resumes: Bool

    init(_ destination: DownloadDestination, of url: RequestURL, caches: String, resumes: Bool) throws {
        self.destination = destination
        self.url = url
        switch destination.kind {
        case .file(let path):
            guard !path.name.isEmpty, path.name != ".", path.name != ".." else {
                throw FileProblem("create", path.text, because: "the path has no file name")
            }
            guard !PartFileName.isReserved(path.name) else {
                throw FileProblem("create", path.text, because: "the name is reserved for unfinished downloads")
            }
            knownPath = path
            part = DownloadTarget.part(of: path)
            self.resumes = resumes
        case .directory(let directory):
            knownPath = nil
            // Before the response, only the URL identifies a download.
            let name = PartFileName.name(
                DownloadTarget.name(of: url) ?? "download",
                of: .place(DownloadRecord.place(of: url))
            )
            part = DownloadTarget.path(of: name, in: directory)
            self.resumes = resumes
        case .temporary:
            try FilePath.makeDirectory(caches)
            let path = FilePath(caches, DownloadTarget.uniqueName())
            knownPath = path
            part = DownloadTarget.part(of: path)
            self.resumes = false
        }
    }

    var isTemporary: Bool { destination == .temporary }

    /// The path of the unfinished file of a destination.
    static func part(of path: FilePath) -> FilePath {
        path.beside(PartFileName.name(path.name, of: .destination(path.name)))
    }

    /// The path, with the name from the response.
    func path(_ headers: HTTPFields) -> FilePath {
        guard case .directory(let directory) = destination.kind else { return knownPath ?? FilePath("") }
        return DownloadTarget.path(of: name(headers), in: directory)
    }

    /// The path of a name in a directory; a name that would lead elsewhere is replaced by a plain word.
    private static func path(of name: String, in directory: String) -> FilePath {
        FilePath(of: name, inFolder: directory) ?? FilePath(directory, "download")
    }

    /// The file's name: the server's, or else the last part of the requested URL, or else a fixed word.
    ///
    /// A redirect's URL isn't used. Unless the name is the server's, a missing extension is that of the media type.
    private func name(_ headers: HTTPFields) -> String {
        if let known = HTTPField.Name("Content-Disposition"), let field = headers[fields: known].first,
            let name = ContentDisposition.fileName(field.withUnsafeBytesOfValue(Array.init)).flatMap(FileName.safe)
        {
            return name
        }
        let name = DownloadTarget.name(of: url) ?? "download"
        guard !name.utf8.contains(UInt8(ascii: ".")),
            let ending = headers[.contentType].flatMap({ MediaType(parsing: $0) })?.fileExtension
        else { return name }
        return "\(name).\(ending)"
    }

    private static func name(of url: RequestURL) -> String? {
        let last = url.path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
        let bytes = PercentEncoding.decodedBytes(of: Array(last))
        return FileName.safe(FileName.text(of: bytes))
    }

    private static func uniqueName() -> String {
        let (high, low) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return String(high, radix: 36) + String(low, radix: 36)
    }
}

/// The destination of a download.
public struct DownloadDestination: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case file(FilePath)
        case directory(String)
        case temporary
    }

    let kind: Kind

    /// Returns the destination for a file, by its path or its `file:` URL; its directory must exist.
    public static func file(_ file: some Locator) -> Self { Self(kind: .file(FilePath(file.locatorText))) }

    /// Returns the destination in an existing directory, by its path or its `file:` URL.
    ///
    /// The server names the file (`Content-Disposition`); otherwise, it has the name of the requested URL's last
    /// segment.
    public static func directory(_ directory: some Locator) -> Self { Self(kind: .directory(directory.locatorText)) }

    /// A separate file in ``Resource/Settings/cachesDirectory``.
    ///
    /// It is deleted when the ``DownloadedFile`` and all its copies have been released.
    public static let temporary = Self(kind: .temporary)
}
