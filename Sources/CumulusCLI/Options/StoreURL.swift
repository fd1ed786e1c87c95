// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The URL of an object in a store, written as `s3://BUCKET/KEY`.
struct StoreURL: Equatable, Sendable {
    /// The object's URL over HTTP.
    let url: String
    /// The region for signatures.
    let region: String

    /// The value of `--auth-type` for its requests.
    var authType: String { "aws4:\(region):s3" }

    private static let scheme = "s3://"

    /// Whether a word is such a URL.
    static func isOne(_ word: String) -> Bool { word.lowercased().utf8.starts(with: scheme.utf8) }

    /// Parses the URL of an object.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - endpoint: The URL of the store; `nil` for Amazon's in the region.
    ///   - surroundings: The environment, which may have the region.
    /// - Throws: ``UsageMistake``.
    init(parsing text: String, endpoint: String?, in surroundings: Surroundings) throws(UsageMistake) {
        let path = text.utf8.dropFirst(StoreURL.scheme.utf8.count)
        let bucket = String(decoding: path.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
        let key = String(decoding: path.dropFirst(bucket.utf8.count + 1), as: UTF8.self)
        let isName = bucket.utf8.allSatisfy {
            $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || [0x2D, 0x2E, 0x5F].contains($0)
        }
        guard !bucket.isEmpty, isName, !key.isEmpty else {
            throw UsageMistake(
                "an object's URL must be s3://BUCKET/KEY, not \(quotedURL(text))",
                hint: "for example s3://films/2026/film.mov"
            )
        }
        region = surroundings.variable("AWS_REGION") ?? surroundings.variable("AWS_DEFAULT_REGION") ?? "us-east-1"
        // A certificate covers one label before the store's name, and a bucket with dots has several.
        let isHost = endpoint == nil && !bucket.utf8.contains(UInt8(ascii: ".")) && bucket.lowercased() == bucket
        let store = "s3.\(region).amazonaws.com"
        let base = endpoint ?? (isHost ? "https://\(bucket).\(store)" : "https://\(store)")
        let root = try URLShorthand(parsing: base)
        if root.user != nil {
            throw UsageMistake(
                "the --endpoint URL can't contain a user",
                hint: "write the keys as -a KEY:env:SECRET"
            )
        }
        do {
            url = try root.url.appending(path: isHost ? key : "\(bucket)/\(key)").description
        } catch {
            throw UsageMistake("the URL of \(quoted(text)) at \(quotedURL(base)) is not valid")
        }
    }
}
