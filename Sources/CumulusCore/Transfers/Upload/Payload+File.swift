// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Payload {
    /// A file, read while it is sent and never held whole; `Content-Length` is its size.
    ///
    /// The file is looked at when the request is encoded, before anything is sent: one that is missing, can't be read,
    /// or is not a regular file fails with ``CumulusError/Code/encoding``. It is opened again for each attempt, so
    /// redirects and authorizers can have it sent again. One whose size changes meanwhile fails with
    /// ``CumulusError/Code/requestBody`` before its last piece is sent, so that no server takes a mixture for the
    /// whole. ``UploadProblem`` is the cause, or the cause's cause.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - type: What it holds. Default: by the file's extension, which wins over an inherited `Content-Type`; for an
    ///     unknown one `application/octet-stream`, which doesn't. A `Content-Type` of the request itself wins over both.
    /// - Returns: The payload.
    public static func file(_ file: some Locator, type: MediaType? = nil) -> Payload {
        if let url = file as? URL, !url.isFileURL {
            return Payload(
                content: .made { _, _ in
                    throw UploadProblem(.notPlain, path: url.scheme ?? "", "is not a file: its URL has another scheme")
                }
            )
        }
        let path = file.locatorText
        return Payload(content: .file(path: path, named: type ?? MediaType.ofFile(path), fallback: .bytes))
    }

    /// Whether it is a file, which is put where other things are posted.
    var isFile: Bool { if case .file = content { true } else { false } }
}
