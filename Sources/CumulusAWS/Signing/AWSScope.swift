// SPDX-License-Identifier: Apache-2.0

/// The scope of an AWS signature: one day, one region, one service.
package struct AWSScope: Sendable, Hashable {
    package let day: String
    let region: String
    let service: String

    package init(day: String, region: String, service: String) {
        self.day = day
        self.region = region
        self.service = service
    }

    var text: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// Whether the service is S3, which has its own rules for paths and payloads.
    var isObjectStore: Bool { service == "s3" || service == "s3express" || service == "s3-outposts" }
}
