// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusServices

extension GitHub {
    /// Returns a page of a repository's releases: `GetReleases`.
    public func releases(
        of owner: String,
        _ repository: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> [Release] {
        let arguments = place(owner, repository).merging(["perPage": perPage, "page": page])
        return try await service.call("GetReleases", arguments, as: [Release].self).send()
    }

    /// Returns the latest release: `GetLatestRelease`.
    public func latestRelease(of owner: String, _ repository: String) async throws -> Release {
        try await service.call("GetLatestRelease", place(owner, repository), as: Release.self).send()
    }

    /// Creates a release: `CreateRelease`.
    ///
    /// - Parameters:
    ///   - tag: The tag; created if it doesn't exist.
    ///   - owner: The repository's owner.
    ///   - repository: The repository.
    ///   - target: The branch or commit for a new tag; `nil` for the default branch.
    ///   - name: The release's name.
    ///   - body: The release notes.
    ///   - isDraft: Whether the release is a draft.
    ///   - isPrerelease: Whether the release is a prerelease.
    /// - Returns: The release.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func createRelease(
        _ tag: String,
        in owner: String,
        _ repository: String,
        target: String? = nil,
        name: String? = nil,
        body: String? = nil,
        isDraft: Bool = false,
        isPrerelease: Bool = false
    ) async throws -> Release {
        let parts: EndpointArguments = [
            "tag": tag, "target": target, "name": name, "body": body, "draft": isDraft ? true : nil,
            "prerelease": isPrerelease ? true : nil,
        ]
        return try await service.call("CreateRelease", place(owner, repository).merging(parts), as: Release.self).send()
    }

    /// Returns a page of a release's files: `GetReleaseAssets`.
    public func assets(
        of release: Int64,
        in owner: String,
        _ repository: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> [Asset] {
        let more: EndpointArguments = ["release": release, "perPage": perPage, "page": page]
        return try await service.call("GetReleaseAssets", place(owner, repository).merging(more), as: [Asset].self)
            .send()
    }

    /// Adds a file to a release: `UploadReleaseAsset`.
    ///
    /// - Parameters:
    ///   - file: The content, such as `.file("clouds.zip")`; its media type is also sent.
    ///   - name: The file's name on the server.
    ///   - release: The release.
    ///   - owner: The repository's owner.
    ///   - repository: The repository.
    ///   - label: A label shown instead of the name.
    /// - Returns: The file.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func uploadAsset(
        _ file: Payload,
        named name: String,
        to release: Int64,
        in owner: String,
        _ repository: String,
        label: String? = nil
    ) async throws -> Asset {
        let more: EndpointArguments = ["release": release, "name": name, "label": label]
        let arguments = place(owner, repository).merging(more)
        return try await service.call("UploadReleaseAsset", arguments, as: Asset.self, body: file).send()
    }

    /// Downloads a file of a release, following GitHub's redirects: `DownloadReleaseAsset`.
    ///
    /// The token is sent only to GitHub.
    ///
    /// - Parameters:
    ///   - asset: The file's number.
    ///   - owner: The repository's owner.
    ///   - repository: The repository.
    ///   - file: The destination; see `Resource.download(to:)`.
    ///   - progress: Receives the progress.
    /// - Returns: The file and the response.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func downloadAsset(
        _ asset: Int64,
        of owner: String,
        _ repository: String,
        to file: some Locator,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        let arguments = place(owner, repository).merging(["asset": asset])
        let call = service.call("DownloadReleaseAsset", arguments).download(to: file)
        guard let progress else { return try await call.send() }
        return try await call.with { $0.observers.append(.progress(progress)) }.send()
    }

    /// Removes a file from a release: `DeleteReleaseAsset`.
    public func deleteAsset(_ asset: Int64, of owner: String, _ repository: String) async throws {
        let arguments = place(owner, repository).merging(["asset": asset])
        try await service.call("DeleteReleaseAsset", arguments).send().requireSuccess()
    }
}
