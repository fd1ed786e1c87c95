// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of `Upload-Metadata`: names, each followed by a value in Base64.
struct TusMetadata: Sendable {
    /// The value; `nil` if there is no metadata.
    let text: String?

    /// Creates it from the caller's metadata, and adds the file's name and media type.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.invalidRequest` for a name that can't be sent.
    init(_ metadata: [String: String], fileName: String?) throws {
        var all = metadata
        if let fileName {
            all["filename"] = all["filename"] ?? fileName
            // tuspyserver refuses to continue an upload without a type.
            all["filetype"] = all["filetype"] ?? (MediaType.ofFile(fileName) ?? .bytes).description
        }
        for name in all.keys.sorted() where !TusMetadata.isName(name) {
            let reason = "a name in tus metadata must be ASCII without spaces or commas, not \(PeerText.quoted(name))"
            throw CumulusError(.invalidRequest, stage: .encoding, reason)
        }
        let members = all.sorted { $0.key < $1.key }.map { name, value in
            value.isEmpty ? name : "\(name) \(Data(value.utf8).base64EncodedString())"
        }
        text = members.isEmpty ? nil : members.joined(separator: ",")
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    }
}
