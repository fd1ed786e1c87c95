// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusFormats
import CumulusUploads
import Foundation

/// The code of the guide's page on object stores.
enum ObjectStores {
    static func signing() -> Resource {
        let store = Resource("https://photos.s3.eu-central-1.amazonaws.com") {
            $0.authorizers.append(.aws(.environment))
            $0.errorDecoders = [.aws]
        }
        return store
    }

    static func elsewhere(key: Secret<String>) -> Resource {
        // snippet.elsewhere
        let minio = Resource("http://127.0.0.1:9000/photos") {
            $0.authorizers.append(.aws(.keys(id: "ada", secret: key), region: "us-east-1", service: "s3"))
        }
        // snippet.end
        return minio
    }

    static func sources(store: Resource, vault: Resource) {
        // snippet.sources
        store.setRules { $0.authorizers = [.aws(.standard)] }  // the environment, else ~/.aws/credentials
        store.setRules {
            $0.authorizers = [.aws(.file(profile: "work"))]
            $0.authorizers = [
                .aws(
                    .custom {
                        let fresh = try await vault.get(as: Keys.self)  // stored until they expire
                        return AWSCredentials(
                            accessKeyID: fresh.id,
                            secretAccessKey: Secret(fresh.secret),
                            sessionToken: Secret(fresh.token),
                            expiration: fresh.end
                        )
                    }
                )
            ]
        }
        // snippet.end
    }

    static func objects(store: Resource, photo: URL) async throws -> Int {
        let cat = store["2026/cat.png"]
        try await cat.put(.file(photo)).requireSuccess()  // read once, signed as it goes
        let picture = try await cat.get(as: Data.self)
        try await cat.delete().requireSuccess()
        return picture.count
    }

    static func link(store: Resource) async throws -> (link: String, form: String) {
        // snippet.presign
        let link = try await store["2026/cat.png"].presignedURL(for: .seconds(900))
        let form = try await store["2026/new.png"].presignedURL(.put, for: .seconds(900))
        // snippet.end
        return (link, form)
    }

    static func troubles(store: Resource, print: (String) -> Void) async throws {
        do {
            _ = try await store["missing.png"].get(as: Data.self)
        } catch let error as CumulusError {
            if let refusal = error.serviceError(as: AWSError.self) { print(refusal.code) }  // NoSuchKey
        }
    }
}

struct Keys: Decodable, Sendable {
    var id: String
    var secret: String
    var token: String
    var end: Date
}

// snippet.list
func keys(in store: Resource, below prefix: String) async throws -> [String] {
    var keys: [String] = []
    var query: Query = ["list-type": 2, "prefix": prefix]
    while true {
        let page = try await store.get(as: XML.self, query: query)
        keys += page.elements("Contents").compactMap { $0["Key"]?.text }
        guard let next = page["NextContinuationToken"]?.text else { return keys }
        query["continuation-token"] = next
    }
}
// snippet.end

// snippet.parts
/// Sends a large file in parts, and continues an upload that was interrupted.
func upload(_ file: URL, to object: Resource) async throws {
    try await object.upload(file, by: .s3(concurrency: 4))
}
// snippet.end
