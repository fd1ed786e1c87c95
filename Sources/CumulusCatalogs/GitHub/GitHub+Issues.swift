// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension GitHub {
    /// Returns a page of a repository's issues: `GetIssues`.
    ///
    /// - Parameters:
    ///   - owner: The repository's owner.
    ///   - repository: The repository.
    ///   - state: The state of the issues; `nil` for open ones.
    ///   - labels: Labels that the issues must all have.
    ///   - perPage: The number of issues per page; GitHub's default is 30, and its maximum is 100.
    ///   - page: The page's number, counted from 1.
    /// - Returns: The issues, including pull requests.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func issues(
        of owner: String,
        _ repository: String,
        state: State? = nil,
        labels: [String] = [],
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> [Issue] {
        let arguments: EndpointArguments = [
            "owner": owner, "repo": repository, "state": state?.rawValue,
            "labels": labels.isEmpty ? nil : labels.joined(separator: ","), "perPage": perPage, "page": page,
        ]
        return try await service.call("GetIssues", arguments, as: [Issue].self).send()
    }

    /// Returns an issue: `GetIssue`.
    public func issue(_ number: Int, of owner: String, _ repository: String) async throws -> Issue {
        try await service.call("GetIssue", place(owner, repository, number), as: Issue.self).send()
    }

    /// Opens an issue: `CreateIssue`.
    public func createIssue(
        _ title: String,
        in owner: String,
        _ repository: String,
        body: String? = nil,
        labels: [String]? = nil,
        assignees: [String]? = nil
    ) async throws -> Issue {
        let parts: EndpointArguments = ["title": title, "body": body, "labels": labels, "assignees": assignees]
        return try await service.call("CreateIssue", place(owner, repository).merging(parts), as: Issue.self).send()
    }

    /// Changes an issue: `UpdateIssue`; `nil` leaves a field unchanged.
    public func updateIssue(
        _ number: Int,
        of owner: String,
        _ repository: String,
        title: String? = nil,
        body: String? = nil,
        state: State? = nil,
        labels: [String]? = nil,
        assignees: [String]? = nil
    ) async throws -> Issue {
        let parts: EndpointArguments = [
            "title": title, "body": body, "state": state?.rawValue, "labels": labels, "assignees": assignees,
        ]
        return try await service.call("UpdateIssue", place(owner, repository, number).merging(parts), as: Issue.self)
            .send()
    }

    /// Returns a page of the comments on an issue or a pull request: `GetComments`.
    public func comments(
        on number: Int,
        of owner: String,
        _ repository: String,
        perPage: Int? = nil,
        page: Int? = nil
    ) async throws -> [Comment] {
        let arguments = place(owner, repository, number).merging(["perPage": perPage, "page": page])
        return try await service.call("GetComments", arguments, as: [Comment].self).send()
    }

    /// Comments on an issue or a pull request: `CreateComment`.
    public func createComment(
        _ body: String,
        on number: Int,
        of owner: String,
        _ repository: String
    ) async throws -> Comment {
        let arguments = place(owner, repository, number).merging(["body": body])
        return try await service.call("CreateComment", arguments, as: Comment.self).send()
    }

    /// The parameters for a repository, and optionally an issue.
    func place(_ owner: String, _ repository: String, _ number: Int? = nil) -> EndpointArguments {
        ["owner": owner, "repo": repository, "number": number]
    }
}
