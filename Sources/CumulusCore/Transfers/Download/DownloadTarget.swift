// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The target of a download's bytes, as far as it is known: in a directory, the answer names the file.
struct DownloadTarget: Sendable {
    private let destination: DownloadDestination
    private let url: RequestURL
    private let resumes: Bool
    /// The path, if it is known without an answer.
    let early: FilePath?

    init(_ destination: DownloadDestination, of url: RequestURL, caches: String, resumes: Bool) throws {
        self.destination = destination
        self.url = url
        switch destination.kind {
        case .file(let path):
            guard !path.name.isEmpty, path.name != ".", path.name != ".." else {
                throw FileProblem("make", path.text, because: "the path has no file name")
            }
            early = path
            self.resumes = resumes
        case .directory:
            early = nil
            self.resumes = resumes
        case .temporary:
            try FilePath.makeDirectory(caches)
            early = FilePath(caches, DownloadTarget.uniqueName())
            self.resumes = false
        }
    }

    var isTemporary: Bool { destination == .temporary }

    /// The path of an earlier download's part file; `nil` if none is used.
    var earlyPart: FilePath? {
        guard resumes else { return nil }
        switch destination.kind {
        case .file(let path): return DownloadTarget.part(of: path)
        // Before the answer, only the URL identifies a download.
        case .directory(let directory):
            let name = DownloadTarget.name(of: url) ?? "download"
            return DownloadTarget.path(of: "\(name).\(DownloadRecord.place(of: url).prefix(8)).part", in: directory)
        case .temporary: return nil
        }
    }

    static func part(of path: FilePath) -> FilePath { path.appending(".part") }

    /// The path, with the name from the answer.
    func path(_ headers: HTTPFields) -> FilePath {
        guard case .directory(let directory) = destination.kind else { return early ?? FilePath("") }
        return DownloadTarget.path(of: name(headers), in: directory)
    }

    /// The path of a name in a directory; a name that would lead elsewhere is replaced by a plain word (T-57).
    private static func path(of name: String, in directory: String) -> FilePath {
        FilePath(of: name, inFolder: directory) ?? FilePath(directory, "download")
    }

    /// The file's name: the server's, else from the end of the requested URL (never of a redirect's), else a plain
    /// word; without an extension, it gets that of the media type.
    private func name(_ headers: HTTPFields) -> String {
        if let field = HTTPField.Name("Content-Disposition"), let value = headers[field],
            let name = ContentDisposition.fileName(value).flatMap(FileName.safe)
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
        return FileName.safe(String(decoding: bytes, as: UTF8.self))
    }

    private static func uniqueName() -> String {
        let (high, low) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return String(high, radix: 36) + String(low, radix: 36)
    }
}
