// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

// snippet.sign
/// A registry such as https://registry-1.docker.io/v2, and where its tokens come from: https://auth.docker.io/token.
func containerRegistry(at url: String, tokens: String, credentials: Credentials?) -> Resource {
    let tokens = Resource(tokens)
    tokens.credentials = credentials  // none for public images
    let registry = Resource(url)
    registry.trailingSlash = .kept
    registry.authorizers.append(RegistryAuthorizer(tokens: tokens))
    return registry
}
// snippet.end

// snippet.pull
/// Downloads the layers of an image, each verified with its digest.
func pull(_ name: String, tag: String, from registry: Resource, to folder: URL) async throws -> [DownloadedFile] {
    let image = registry[path: name]
    let manifest = try await image["manifests"][segment: tag].get(
        as: JSON.self,
        headers: [.accept: "application/vnd.oci.image.manifest.v1+json"]
    )
    var files: [DownloadedFile] = []
    for layer in manifest["layers"].array ?? [] {
        let digest = layer["digest"].string ?? ""
        let file = folder.appending(path: digest)
        let options = DownloadOptions(resume: true, checksum: try Checksum(parsing: digest))
        files.append(try await image["blobs"][segment: digest].download(to: .file(file), options: options))
    }
    return files
}
// snippet.end
