// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

func registry(password: Secret<String>) -> Resource {
    // snippet.sign
    let tokens = Resource("https://auth.docker.io/token")
    tokens.credentials = Credentials(user: "ada", password: password)

    let registry = Resource("https://registry-1.docker.io/v2")
    registry.trailingSlash = .kept  // a registry's blobs/uploads/ is not blobs/uploads
    registry.authorizers.append(RegistryAuthorizer(tokens: tokens))
    // snippet.end
    return registry
}

func pull(registry: Resource) async throws {
    // snippet.pull
    let image = registry["library/alpine"]
    let manifest = try await image["manifests/latest"].get(
        as: JSON.self,
        headers: [.accept: "application/vnd.oci.image.index.v1+json"]
    )
    // snippet.end
    print(manifest)
}

func push(_ layer: Data, digest: String, to image: Resource) async throws {
    // snippet.push
    let begun = try await image["blobs/uploads/"].post().requireSuccess()
    let place = image.follow(begun.headers[.location] ?? "")
    try await place.put(.bytes(layer), as: Void.self, query: ["digest": digest])
    // snippet.end
}
