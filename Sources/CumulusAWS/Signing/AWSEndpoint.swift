// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The service and region that a host's name reveals.
struct AWSEndpoint: Sendable, Hashable {
    let service: String?
    let region: String?

    private static let suffixes = [".amazonaws.com", ".amazonaws.com.cn", ".api.aws", ".on.aws"]
    /// Services whose hosts and signatures use different names.
    private static let names = [
        "email": "ses", "queue": "sqs", "s3-accesspoint": "s3", "s3-accelerate": "s3", "lambda-url": "lambda",
        "bedrock-runtime": "bedrock", "bedrock-agent": "bedrock", "bedrock-agent-runtime": "bedrock",
    ]
    /// S3-compatible services of other companies, and the region that all their hosts use.
    private static let elsewhere = [".r2.cloudflarestorage.com": "auto", "storage.googleapis.com": "auto"]

    init(host: String) {
        if let suffix = Self.suffixes.first(where: { host.ends(with: $0) }) {
            let rest = String(Substring(host.utf8.dropLast(suffix.utf8.count)))
            (service, region) = Self.amazon(rest.parts(at: "."))
        } else if let other = Self.elsewhere.first(where: { host.ends(with: $0.key) }) {
            (service, region) = ("s3", other.value)
        } else if host.begins(with: "s3.") || host.has(".s3.") {
            // `s3.eu-central-1.example.com`, with or without a bucket before it.
            let labels = host.parts(at: ".")
            let place = labels.firstIndex { $0 == "s3" }.map { $0 + 1 } ?? labels.endIndex
            let named = place < labels.endIndex && Self.isRegion(labels[place]) ? String(labels[place]) : nil
            (service, region) = ("s3", named)
        } else {
            (service, region) = (nil, nil)
        }
    }

    private static func amazon(_ labels: [Substring]) -> (service: String?, region: String?) {
        var rest = labels
        guard let last = rest.last else { return (nil, nil) }
        if isRegion(last) {
            rest.removeLast()
            if rest.last == "dualstack" { rest.removeLast() }
            return (rest.last.map(service), String(last))
        }
        // `search-x.eu-west-1.es`.
        if let before = rest.dropLast().last, isRegion(before) { return (service(last), String(before)) }
        // `s3-eu-west-1`, the old form of host names.
        if last.begins(with: "s3-") {
            let region = Substring(last.utf8.dropFirst(3))
            if isRegion(region) { return ("s3", String(region)) }
        }
        // A single global host; an accelerated one serves buckets in any region.
        return (service(last), last == "s3-accelerate" ? nil : "us-east-1")
    }

    private static func service(_ label: Substring) -> String {
        if label.begins(with: "s3express-") { return "s3express" }
        let plain = label.ends(with: "-fips") ? String(Substring(label.utf8.dropLast(5))) : String(label)
        return names[plain] ?? plain
    }

    /// Whether a label is a region, such as `eu-central-1` or `us-gov-west-1`: words with a number at the end.
    private static func isRegion(_ label: Substring) -> Bool {
        let words = label.parts(at: "-")
        guard words.count >= 3, let last = words.last, 1...3 ~= last.utf8.count else { return false }
        return last.utf8.allSatisfy { $0 &- 0x30 < 10 } && words[0].utf8.count == 2
            && words.dropLast().allSatisfy { $0.utf8.allSatisfy { $0 &- 0x61 < 26 } }
    }
}
