// SPDX-License-Identifier: Apache-2.0

/// What an AWS signature is good for: one day, one region, one service.
struct AWSScope: Sendable, Hashable {
    let day: String
    let region: String
    let service: String

    var text: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// Whether it is S3, which has rules of its own for paths and payloads.
    var isObjectStore: Bool { service == "s3" || service == "s3express" || service == "s3-outposts" }
}
