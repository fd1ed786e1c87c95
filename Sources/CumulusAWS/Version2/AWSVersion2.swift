// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The text that signatures of version 2 are computed over.
enum AWSVersion2 {
    /// The query items that are part of the resource, as S3 defines it.
    private static let subresources: Set<String> = [
        "acl", "cors", "delete", "lifecycle", "location", "logging", "notification", "partNumber", "policy",
        "requestPayment", "restore", "tagging", "torrent", "uploadId", "uploads", "versionId", "versioning", "versions",
        "website", "response-content-type", "response-content-language", "response-expires",
        "response-cache-control", "response-content-disposition", "response-content-encoding",
    ]

    /// The text that S3 expects: method, a few fields, and the path with its bucket.
    static func storeText(of request: EncodedRequest) -> String {
        let own = request.headers
        let md5 = own.first { $0.name.canonicalName == "content-md5" }?.value ?? ""
        // If there is an `x-amz-date`, it takes precedence.
        let hasDate = own.contains { $0.name.canonicalName == "x-amz-date" }
        let date = hasDate ? "" : own[.date] ?? ""
        var text = "\(request.method.rawValue)\n\(md5)\n\(own[.contentType] ?? "")\n\(date)\n"
        var amazon: [String: [String]] = [:]
        for field in own where field.name.canonicalName.begins(with: "x-amz-") {
            amazon[field.name.canonicalName, default: []].append(String(field.value.trimmed))
        }
        for (name, values) in amazon.sorted(by: { $0.key < $1.key }) {
            text += "\(name):\(values.joined(separator: ","))\n"
        }
        return text + place(of: request)
    }

    /// The path including the bucket, with the covered query items in order.
    private static func place(of request: EncodedRequest) -> String {
        let (path, query) = request.target.cut(at: "?") ?? (request.target[...], "")
        let items = query.parts(at: "&", omitsEmpty: true).compactMap { item -> (String, String)? in
            let (name, value) = item.cut(at: "=").map { ($0.before, $0.behind) } ?? (item, nil)
            guard subresources.contains(String(name)) else { return nil }
            guard let value, !value.isEmpty else { return (String(name), String(name)) }
            // Items that override the response's fields are signed unescaped.
            let text = name.begins(with: "response-") ? PercentEncoding.decode(value) : String(value)
            return (String(name), "\(name)=\(text)")
        }
        let shown = items.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "&")
        return bucket(of: request.hostName) + path + (shown.isEmpty ? "" : "?\(shown)")
    }

    /// The bucket in the host's name, as a path prefix.
    private static func bucket(of host: String) -> String {
        guard let place = host.place(of: ".s3.") ?? host.place(of: ".s3-") else { return "" }
        return "/\(host[..<place.lowerBound])"
    }

    /// A target with version 2's query items and signature.
    static func signedQuery(of request: EncodedRequest, _ credentials: AWSCredentials, at date: Date) -> String {
        let (path, query) = request.target.cut(at: "?") ?? (request.target[...], "")
        let stamp = AWSTimestamp(date).text
        func digits(_ from: Int, _ count: Int) -> Substring { stamp.dropFirst(from).prefix(count) }
        let time = "\(digits(0, 4))-\(digits(4, 2))-\(digits(6, 2))T\(digits(9, 2)):\(digits(11, 2)):\(digits(13, 2))Z"
        var items = query.parts(at: "&", omitsEmpty: true).map { item in
            let (name, value) = item.cut(at: "=") ?? (item, "")
            return (AWSEscaping.escapedOnce(name), AWSEscaping.escapedOnce(value))
        }
        func add(_ name: String, _ value: String) {
            items.append((Array(name.utf8), Array(PercentEncoding.encode(value).utf8)))
        }
        add("AWSAccessKeyId", credentials.accessKeyID)
        add("SignatureMethod", "HmacSHA256")
        add("SignatureVersion", "2")
        add("Timestamp", time)
        if let token = credentials.sessionToken { add("SecurityToken", token.revealed) }
        items.sort { $0.0 == $1.0 ? $0.1.lexicographicallyPrecedes($1.1) : $0.0.lexicographicallyPrecedes($1.0) }
        let line = items.map { String(decoding: $0.0 + [UInt8(ascii: "=")] + $0.1, as: UTF8.self) }
            .joined(separator: "&")
        let text = "\(request.method.rawValue)\n\(request.hostName.lowercased())\n\(path)\n\(line)"
        let key = Array(credentials.secretAccessKey.revealed.utf8)
        let code = HMAC.authenticationCode(for: Array(text.utf8), key: key)
        return "\(path)?\(line)&Signature=\(PercentEncoding.encode(Data(code).base64EncodedString()))"
    }
}
