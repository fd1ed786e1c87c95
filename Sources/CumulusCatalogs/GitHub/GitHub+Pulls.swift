// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension GitHub {
    /// Returns a page of a repository's pull requests: `GetPulls`.
    public func pulls(
        of owner: String,
        _ repository: String,
        state: State? = nil,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> [PullRequest] {
        let more: EndpointArguments = ["state": state?.rawValue, "perPage": perPage, "page": page]
        return try await service.call("GetPulls", place(owner, repository).merging(more), as: [PullRequest].self).send()
    }

    /// Returns a pull request: `GetPull`.
    public func pull(_ number: Int, of owner: String, _ repository: String) async throws -> PullRequest {
        try await service.call("GetPull", place(owner, repository, number), as: PullRequest.self).send()
    }

    /// Opens a pull request: `CreatePull`.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - head: The branch to merge; for a fork, `owner:branch`.
    ///   - base: The branch to merge into.
    ///   - owner: The repository's owner.
    ///   - repository: The repository.
    ///   - body: The text.
    ///   - isDraft: Whether the pull request is a draft.
    /// - Returns: The pull request.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func createPull(
        _ title: String,
        merging head: String,
        into base: String,
        in owner: String,
        _ repository: String,
        body: String? = nil,
        isDraft: Bool = false
    ) async throws -> PullRequest {
        let parts: EndpointArguments = [
            "title": title, "head": head, "base": base, "body": body, "draft": isDraft ? true : nil,
        ]
        return try await service.call("CreatePull", place(owner, repository).merging(parts), as: PullRequest.self)
            .send()
    }
}
