// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Payload {
    /// Creates a payload with a file, which is read while it is sent and never held in memory as a whole;
    /// `Content-Length` is its size.
    ///
    /// The file is examined when the request is encoded, before anything is sent. A file that is missing, can't be
    /// read, or is not a regular file fails with ``CumulusError/Code/encoding``. It is opened again for each attempt,
    /// so it can be sent again after redirects and challenges. If its size changes in the meantime, the request fails
    /// with ``CumulusError/Code/requestBody`` before the file's last piece is sent, so that no server mistakes a
    /// mixture for the whole file. The error's cause, or the cause's cause, is an ``UploadProblem``.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - type: The media type. Default: the type of the file's extension, which overrides an inherited
    ///     `Content-Type`. An unknown extension means `application/octet-stream`, which doesn't override it. The
    ///     request's own `Content-Type` overrides both.
    /// - Returns: The payload.
    public static func file(_ file: some Locator, type: MediaType? = nil) -> Payload {
        if let url = file as? URL, !url.isFileURL {
            return Payload(
                content: .typed { _, _ in
                    throw UploadProblem(.notPlain, path: url.scheme ?? "", "is not a file: its URL has another scheme")
                }
            )
        }
        let path = file.locatorText
        return Payload(content: .file(path: path, named: type ?? MediaType.ofFile(path), fallback: .bytes))
    }

    /// Whether it is a file, which is uploaded with PUT instead of POST.
    var isFile: Bool { if case .file = content { true } else { false } }
}
