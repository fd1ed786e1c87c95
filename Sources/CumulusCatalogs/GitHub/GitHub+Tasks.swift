// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension GitHub {
    static let page: [EndpointParameter] = [.number("perPage", "per_page"), .number("page")]
    private static let direction = EndpointParameter("direction", allowed: ["asc", "desc"])
    private static let states = ["open", "closed", "all"]

    static let repositoryTasks: [EndpointDescription] = [
        .task("GetAuthenticatedUser", .get, "user"),
        .task("GetUser", .get, "users/{login}"),
        .task(
            "GetRepositories",
            .get,
            "users/{login}/repos",
            page + [EndpointParameter("sort", allowed: ["created", "updated", "pushed", "full_name"]), direction]
        ),
        .task("GetRepository", .get, "repos/{owner}/{repo}"),
    ]

    static let issueTasks: [EndpointDescription] = [
        .task(
            "GetIssues",
            .get,
            "repos/{owner}/{repo}/issues",
            page + [
                EndpointParameter("state", allowed: states), .text("labels"), .text("assignee"), .text("creator"),
                EndpointParameter("sort", allowed: ["created", "updated", "comments"]), direction, .text("since"),
            ]
        ),
        .task("GetIssue", .get, "repos/{owner}/{repo}/issues/{number}"),
        .task(
            "CreateIssue",
            .post,
            "repos/{owner}/{repo}/issues",
            [.text("title", required: true)] + issueParts
        ),
        .task(
            "UpdateIssue",
            .patch,
            "repos/{owner}/{repo}/issues/{number}",
            [
                .text("title"), EndpointParameter("state", allowed: ["open", "closed"]),
                .text("stateReason", "state_reason"),
            ] + issueParts
        ),
        .task("GetComments", .get, "repos/{owner}/{repo}/issues/{number}/comments", page + [.text("since")]),
        .task(
            "CreateComment",
            .post,
            "repos/{owner}/{repo}/issues/{number}/comments",
            [.text("body", required: true)]
        ),
        .task(
            "GetPulls",
            .get,
            "repos/{owner}/{repo}/pulls",
            page + [
                EndpointParameter("state", allowed: states), .text("head"), .text("base"), .text("sort"), direction,
            ]
        ),
        .task("GetPull", .get, "repos/{owner}/{repo}/pulls/{number}"),
        .task(
            "CreatePull",
            .post,
            "repos/{owner}/{repo}/pulls",
            [
                .text("title", required: true), .text("head", required: true), .text("base", required: true),
                .text("body"), .flag("draft"),
            ]
        ),
    ]

    private static let issueParts: [EndpointParameter] = [
        .text("body"), EndpointParameter("labels", kind: .list), EndpointParameter("assignees", kind: .list),
        .number("milestone"),
    ]

    static let releaseTasks: [EndpointDescription] = [
        .task("GetReleases", .get, "repos/{owner}/{repo}/releases", page),
        .task("GetLatestRelease", .get, "repos/{owner}/{repo}/releases/latest"),
        .task(
            "CreateRelease",
            .post,
            "repos/{owner}/{repo}/releases",
            [
                .text("tag", "tag_name", required: true), .text("target", "target_commitish"), .text("name"),
                .text("body"), .flag("draft"), .flag("prerelease"),
            ]
        ),
        .task("GetReleaseAssets", .get, "repos/{owner}/{repo}/releases/{release}/assets", page),
        .task(
            "UploadReleaseAsset",
            .post,
            "repos/{owner}/{repo}/releases/{release}/assets{?name,label}",
            [.text("name", required: true)]
        ).with {
            $0.server = uploadServer
            $0.bodyFormat = .media(.bytes)
        },
        .task("DownloadReleaseAsset", .get, "repos/{owner}/{repo}/releases/assets/{asset}").with {
            $0.responseFormat = .media(.bytes)
        },
        .task("DeleteReleaseAsset", .delete, "repos/{owner}/{repo}/releases/assets/{asset}"),
    ]

    private static let query: [EndpointParameter] = [
        .text("query", "q", required: true), .text("sort"), .text("order"),
    ]

    static let searchTasks: [EndpointDescription] = [
        .task("SearchRepositories", .get, "search/repositories", query + page),
        .task("SearchIssues", .get, "search/issues", query + page),
        .task("SearchUsers", .get, "search/users", query + page),
        .task("GetRateLimit", .get, "rate_limit"),
    ]
}
