// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The header fields of AWS signatures.
enum AWSFields {
    /// The fields that transports and proxies change, or that aren't part of the message.
    private static let unsigned: Set<String> = [
        "authorization", "proxy-authorization", "connection", "expect", "te", "transfer-encoding", "upgrade",
        "user-agent", "accept-encoding", "via", "forwarded", "x-forwarded-for", "traceparent", "tracestate",
        "x-amzn-trace-id", "cache-control", "cookie", "host",
    ]

    /// The fields that a signature covers, with lowercase names.
    static func signed(of request: EncodedRequest) -> [(name: String, value: String)] {
        var fields = [("host", request.hostName)]
        fields.reserveCapacity(request.headers.count + 1)
        for field in request.headers where !unsigned.contains(field.name.canonicalName) {
            fields.append((field.name.canonicalName, field.value))
        }
        return fields
    }
}

extension EncodedRequest {
    /// The value that will be sent as `Host`.
    var hostName: String { headers.first { $0.name.canonicalName == "host" }?.value ?? origin.authority }

    /// Sets a field by its name; `nil` removes it.
    mutating func set(_ name: HTTPField.Name?, to value: String?) {
        if let name { headers[name] = value }
    }

    /// Announces a body in signed chunks.
    mutating func beginChunks(of length: Int64, trailer: AWSTrailingChecksum?) {
        set(.awsDecodedLength, to: String(length))
        if let trailer { set(.awsTrailer, to: trailer.name) }
        let coding = headers[.contentEncoding]
        headers[.contentEncoding] = coding.map { "aws-chunked,\($0)" } ?? "aws-chunked"
    }
}

extension HTTPField.Name {
    static let awsDate = HTTPField.Name("X-Amz-Date")
    static let awsSecurityToken = HTTPField.Name("X-Amz-Security-Token")
    static let awsContentDigest = HTTPField.Name("X-Amz-Content-Sha256")
    static let awsDecodedLength = HTTPField.Name("X-Amz-Decoded-Content-Length")
    static let awsTrailer = HTTPField.Name("X-Amz-Trailer")
}
