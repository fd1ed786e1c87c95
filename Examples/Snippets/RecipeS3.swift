// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusFormats
import Foundation

// snippet.bucket
/// A bucket of S3, or of an S3-compatible store.
func bucket(at url: String, key: String, secret: Secret<String>) -> Resource {
    let bucket = Resource(url) {
        $0.authorizers.append(.aws(.keys(id: key, secret: secret), region: "eu-central-1", service: "s3"))
        $0.errorDecoders = [.aws]
        $0.coders.registerFormats()  // S3's lists are XML
    }
    return bucket
}
// snippet.end

func backUp(_ file: URL, to bucket: Resource) async throws -> String {
    // snippet.use
    let backup = bucket["backups"][segment: file.lastPathComponent]
    try await backup.put(.file(file)).requireSuccess()  // read once, signed as it goes
    let list = try await bucket.get(as: XML.self, query: ["list-type": 2, "prefix": "backups/"])
    print(list.elements("Contents").compactMap { $0["Key"]?.text })
    let link = try await backup.presignedURL(for: .seconds(900))  // for a quarter of an hour, for anyone who has it
    // snippet.end
    return link
}

func copy(of name: String, in bucket: Resource) async throws -> Data? {
    // snippet.missing
    do {
        return try await bucket["backups"][segment: name].get(as: Data.self)
    } catch let error as CumulusError where error.serviceError(as: AWSError.self)?.code == "NoSuchKey" {
        return nil
    }
    // snippet.end
}
