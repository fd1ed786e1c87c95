// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusFormats
import CumulusTestServer
import CumulusTesting
import Foundation
import Testing

@testable import GuideSnippets

/// The code of the guide's page on object stores, run.
@Suite(.timeLimit(.minutes(10))) struct GuideStoreTests {
    private let bucket = LoopbackObjectStore(key: "ada", secret: "lovelace")

    /// A store in the bucket `photos`, its server, and a file to put there.
    private func withStore(_ body: (Resource, LoopbackServer, URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "cumulus-guide-\(UUID()).png")
        try Data(repeating: 7, count: 300_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withLoopbackServer(routes: { bucket.install(in: &$0, at: "photos") }) { server in
            let store = Resource(server.url)["photos"]
            store.setRules {
                $0.authorizers = [.aws(.keys(id: "ada", secret: "lovelace"), region: "eu", service: "s3")]
                $0.errorDecoders = [.aws]
                $0.coders.registerFormats()
            }
            try await body(store, server, file)
        }
    }

    @Test("A file goes up, comes back, and is deleted") func objects() async throws {
        try await withStore { store, _, file in
            holds(try await ObjectStores.objects(store: store, photo: file) == 300_000)
            holds(bucket.names.isEmpty)
        }
    }

    @Test("A large file goes up in parts, and the bucket lists it") func parts() async throws {
        try await withStore { store, _, file in
            // More than a part, which has at least 5 MiB.
            let content = Data(repeating: 8, count: 12 << 20)
            try content.write(to: file)
            try await upload(file, to: store["2026/big.png"])
            holds(try await store["2026/big.png"].get(as: Data.self) == content)
            try await store["2025/cat.png"].call(.put, .file(file)).send().requireSuccess()
            holds(try await keys(in: store, below: "2026/") == ["2026/big.png"])
        }
    }

    @Test("Links let somebody without keys read one object and write another, and nothing else")
    func links() async throws {
        try await withStore { store, _, file in
            try await store["2026/cat.png"].call(.put, .file(file)).send().requireSuccess()
            let (link, form) = try await ObjectStores.link(store: store)
            holds(try await REST[link].get(as: Data.self).count == 300_000)
            try await REST[form].put(.bytes([1, 2, 3])).requireSuccess()
            holds(try await REST[link].put(.bytes([1, 2, 3])).status == .forbidden)
            holds(bucket.names == ["2026/cat.png", "2026/new.png"])
        }
    }

    @Test("A store that isn't AWS's has a link with the region and service that it was given")
    func elsewhere() async throws {
        try await withStore { store, server, file in
            try await store["2026/cat.png"].call(.put, .file(file)).send().requireSuccess()
            let link = try await ObjectStores.elsewhere(key: "lovelace")["2026/cat.png"].presignedURL(for: .seconds(60))
            let parts = link.split(separator: "127.0.0.1:9000", maxSplits: 1)
            holds(link.contains("%2Fus-east-1%2Fs3%2Faws4_request") && parts.count == 2)
            // The link is for the port 9000, so the signature is that of this host.
            let picture = try await Resource("\(server.url)\(parts.last ?? "")").get(headers: ["Host": "127.0.0.1:9000"]
            )
            holds(picture.bytes.count == 300_000)
        }
    }

    @Test("Keys may come from a vault of your own, which is asked once; AWS's host says region and service")
    func sources() async throws {
        let vault = StubTransport { routes in
            let end = Date().timeIntervalSinceReferenceDate + 3_600
            routes.on(.get, "/keys", .json(["id": "temporary", "secret": "moon", "token": "t1", "end": end]))
        }
        let store = ObjectStores.signing()
        ObjectStores.sources(store: store, vault: Resource("https://vault.example.com", transport: vault)["keys"])
        for time in [60, 90] {
            let link = try await store["2026/cat.png"].presignedURL(for: .seconds(time))
            #expect(link.hasPrefix("https://photos.s3.eu-central-1.amazonaws.com/2026/cat.png?"))
            #expect(link.contains("X-Amz-Credential=temporary%2F") && link.contains("%2Feu-central-1%2Fs3%2F"))
            #expect(link.contains("X-Amz-Security-Token=t1"))
        }
        #expect(vault.requests.count == 1)
    }

    @Test("The service's own error says what is missing, and that a secret is wrong") func troubles() async throws {
        try await withStore { store, _, _ in
            var codes: [String] = []
            try await ObjectStores.troubles(store: store) { codes.append($0) }
            holds(codes == ["NoSuchKey"])
            store.setRules { $0.authorizers = [.aws(.keys(id: "ada", secret: "guess"), region: "eu", service: "s3")] }
            let error = await #expect(throws: CumulusError.self) { try await store["2026/cat.png"].get(as: Data.self) }
            holds(error?.serviceError(as: AWSError.self)?.code == "SignatureDoesNotMatch")
        }
    }
}
