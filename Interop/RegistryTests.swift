// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Testing

/// Images pushed to and pulled from Debian's docker-registry, which requires a token for each repository.
@Suite(.enabled(if: InteropServers.registry != nil, "\(InteropServers.reason)"))
struct RegistryTests {
    private static let manifestType: MediaType = "application/vnd.docker.distribution.manifest.v2+json"

    /// The registry; its tokens are requested by a user or, with another origin of the service, anonymously.
    private func registry(_ transport: InteropTransport, password: String? = "lovelace") throws -> Resource {
        let site = try transport.resource(InteropServers.registry)["v2"]
        // Registries redirect `blobs/uploads` to `blobs/uploads/`, which turns a POST into a GET.
        site.trailingSlash = .kept
        // Without a password, the credentials are for another place than the one that the registry names.
        let place = password == nil ? "http://localhost:1/token" : "\(InteropServers.registryTokens ?? "")/token"
        let tokens = try transport.resource(place)
        tokens.credentials = Credentials(user: "ada", password: Secret(password ?? "lovelace"))
        site.authorizers = [.custom(RegistryAuthorizer(tokens: tokens))]
        return site
    }

    /// Uploads a blob and returns its digest.
    private func push(_ bytes: Data, to repository: Resource) async throws -> String {
        let digits = MessageDigest.sha256(of: [UInt8](bytes)).map { String(format: "%02x", $0) }
        let digest = "sha256:\(digits.joined())"
        let begun = try await repository["blobs/uploads/"].post().requireSuccess()
        let place = try #require(begun.headers[.location])
        let sent = try await repository.follow(place).put(.bytes(bytes), query: ["digest": digest])
        #expect(sent.status == .created)
        return digest
    }

    @Test(arguments: InteropTransport.allCases)
    func anImageIsPushedAndPulled(transport: InteropTransport) async throws {
        let name = "open/image-\(UUID().uuidString.lowercased())"
        let repository = try registry(transport)["\(path: name)"]
        let layer = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let config = Data(#"{"architecture": "amd64", "os": "linux"}"#.utf8)
        let (layerDigest, configDigest) = (
            try await push(layer, to: repository), try await push(config, to: repository)
        )
        let manifest: JSON = [
            "schemaVersion": 2, "mediaType": .string("\(Self.manifestType)"),
            "config": [
                "mediaType": "application/vnd.docker.container.image.v1+json",
                "size": .number(JSON.Number(config.count)), "digest": .string(configDigest),
            ],
            "layers": [
                [
                    "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip",
                    "size": .number(JSON.Number(layer.count)), "digest": .string(layerDigest),
                ]
            ],
        ]
        let latest = repository["manifests/latest"]
        let put = try await latest.put(.bytes(Data(manifest.encoded()), type: Self.manifestType))
        #expect(put.status == .created)

        // An anonymous client pulls, and never sends the password that is meant for another place.
        for site in [try registry(transport), try registry(transport, password: nil)] {
            let repository = site["\(path: name)"]
            let found = try await repository["manifests/latest"].get(
                as: JSON.self,
                headers: [.accept: "\(Self.manifestType)"]
            )
            #expect(found["layers"][0]["digest"].string == layerDigest)
            #expect(try await repository["blobs/\(layerDigest)"].get(as: Data.self) == layer)
        }
        let stranger = try registry(transport, password: nil)["\(path: name)"]
        #expect(try await stranger["blobs/uploads/"].post().status == .unauthorized)
    }

    @Test func aWrongPasswordIsToldAsSuch() async throws {
        let site = try registry(.nio, password: "wrong")
        let error = try await #require(throws: CumulusError.self) {
            _ = try await site["open/none/tags/list"].get()
        }
        #expect(error.code == .authorization)
        #expect(!"\(error)".contains("wrong"))
    }
}
