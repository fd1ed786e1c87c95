// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Foundation

/// Chapter 12: an S3-compatible store, and signatures.
struct Stores {
    private static let key = "ada"
    private static let secret: Secret<String> = "lovelace"
    private static let bucket = LoopbackObjectStore(key: key, secret: secret)

    let site: Resource

    static func install(in routes: inout Routes) { bucket.install(in: &routes, at: "photos") }

    private var store: Resource {
        let store = site["photos"]
        store.authorizers = .replacing([.aws(.keys(id: Self.key, secret: Self.secret), region: "eu", service: "s3")])
        store.errorDecoders = [.aws]
        return store
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Stores and signatures")
        await guide.step("A file goes up in signed chunks", "try await ObjectStores.objects(store: store)") {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("tour-\(UUID().uuidString)")
            try Data(repeating: 7, count: 300_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let cat = store["2026/cat.png"]
            try await cat.upload(file: file, as: Void.self)
            let size = try await cat.get(as: Data.self).count
            try promise(size == 300_000, "\(size) bytes")
            try await upload(file, to: store["2026/big.png"], partSize: 120_000)
            return "\(size) bytes there and back; \(Self.bucket.names.joined(separator: ", "))"
        }
        await guide.step("The list of objects", "try await keys(in: store, below: \"2026/\")") {
            let found = try await keys(in: store, below: "2026/")
            try promise(found == ["2026/big.png", "2026/cat.png"], "\(found)")
            return found.joined(separator: "\n")
        }
        await guide.step(
            "A link for somebody without keys",
            "try await store[\"2026/cat.png\"].presignedURL(for: .seconds(900))"
        ) {
            let link = try await store["2026/cat.png"].presignedURL(for: .seconds(900))
            let stranger = Resource(link)
            let size = try await stranger.get(as: Data.self).count
            try promise(size == 300_000, "\(size) bytes")
            return "\(size) bytes without a key"
        }
        await guide.step(
            "A wrong secret is refused with the service's own error",
            "catch ... serviceError(as: AWSError.self)"
        ) {
            let thief = site["photos"].with {
                $0.authorizers = .replacing([.aws(.keys(id: Self.key, secret: "guess"), region: "eu", service: "s3")])
                $0.errorDecoders = [.aws]
            }
            let error = try await failure { try await thief["2026/cat.png"].get(as: Data.self) }
            let said = error.serviceError(as: AWSError.self)
            try promise(said?.code == "SignatureDoesNotMatch", "\(error)")
            return said?.description ?? ""
        }
    }
}
