// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension Mastodon {
    private static let window: [EndpointParameter] = [
        .number("limit"), .text("maxID", "max_id"), .text("sinceID", "since_id"), .text("minID", "min_id"),
    ]
    private static let media: [EndpointParameter] = [.flag("onlyMedia", "only_media")]
    private static let visibilities = ["public", "unlisted", "private", "direct"]

    static let timelineTasks: [EndpointDescription] = [
        .task("GetHomeTimeline", .get, "api/v1/timelines/home", window),
        .task("GetPublicTimeline", .get, "api/v1/timelines/public", window + media + [.flag("remote")]),
        .task(
            "GetLocalTimeline",
            .get,
            "api/v1/timelines/public",
            window + media + [EndpointParameter("local", default: true, allowed: ["true"])]
        ),
        .task("GetHashtagTimeline", .get, "api/v1/timelines/tag/{hashtag}", window + media + [.flag("local")]),
        .task("GetListTimeline", .get, "api/v1/timelines/list/{listID}", window),
        .task("GetLists", .get, "api/v1/lists"),
    ]

    static let statusTasks: [EndpointDescription] = [
        .task("GetStatus", .get, "api/v1/statuses/{id}"),
        .task("GetStatusContext", .get, "api/v1/statuses/{id}/context"),
        .task("CreateStatus", .post, "api/v1/statuses", statusParts + [idempotencyKey]),
        .task("EditStatus", .put, "api/v1/statuses/{id}", Array(statusParts.prefix(5))),
        .task("DeleteStatus", .delete, "api/v1/statuses/{id}"),
        .task("FavouriteStatus", .post, "api/v1/statuses/{id}/favourite"),
        .task("UnfavouriteStatus", .post, "api/v1/statuses/{id}/unfavourite"),
        .task("BoostStatus", .post, "api/v1/statuses/{id}/reblog"),
        .task("UnboostStatus", .post, "api/v1/statuses/{id}/unreblog"),
        .task("GetFavourites", .get, "api/v1/favourites", window),
        .task("UploadMedia", .post, "api/v2/media", [file, .text("description"), .text("focus")]).with {
            $0.bodyFormat = .multipart
        },
        .task("GetMedia", .get, "api/v1/media/{id}"),
    ]

    private static let file = EndpointParameter("file", kind: .file, required: true)
    private static let idempotencyKey = EndpointParameter(
        "idempotencyKey",
        in: .header,
        field: "Idempotency-Key",
        kind: .text
    )
    private static let statusParts: [EndpointParameter] = [
        .text("status"), EndpointParameter("mediaIDs", field: "media_ids", kind: .list), .flag("sensitive"),
        .text("spoilerText", "spoiler_text"), .text("language"), .text("inReplyToID", "in_reply_to_id"),
        EndpointParameter("visibility", kind: .text, allowed: visibilities), .text("scheduledAt", "scheduled_at"),
        EndpointParameter("poll", kind: .map),
    ]

    static let accountTasks: [EndpointDescription] = [
        .task("VerifyCredentials", .get, "api/v1/accounts/verify_credentials"),
        .task("GetAccount", .get, "api/v1/accounts/{id}"),
        .task("LookUpAccount", .get, "api/v1/accounts/lookup", [.text("account", "acct", required: true)]),
        .task(
            "GetAccountStatuses",
            .get,
            "api/v1/accounts/{id}/statuses",
            window + media + [
                .flag("excludeReplies", "exclude_replies"), .flag("excludeBoosts", "exclude_reblogs"),
                .text("tagged"),
            ]
        ),
        .task("GetFollowers", .get, "api/v1/accounts/{id}/followers", window),
        .task("GetFollowing", .get, "api/v1/accounts/{id}/following", window),
        .task(
            "FollowAccount",
            .post,
            "api/v1/accounts/{id}/follow",
            [.flag("showsBoosts", "reblogs"), .flag("notifies", "notify")]
        ),
        .task("UnfollowAccount", .post, "api/v1/accounts/{id}/unfollow"),
        .task(
            "GetRelationships",
            .get,
            "api/v1/accounts/relationships",
            [EndpointParameter("ids", field: "id", kind: .list, required: true)]
        ),
    ]

    static let otherTasks: [EndpointDescription] = [
        .task(
            "GetNotifications",
            .get,
            "api/v1/notifications",
            window + [
                EndpointParameter("types", kind: .list),
                EndpointParameter("excludedTypes", field: "exclude_types", kind: .list),
            ]
        ),
        .task("DismissNotification", .post, "api/v1/notifications/{id}/dismiss"),
        .task("ClearNotifications", .post, "api/v1/notifications/clear"),
        .task(
            "Search",
            .get,
            "api/v2/search",
            [
                EndpointParameter("query", field: "q", kind: .text, required: true),
                EndpointParameter("type", kind: .text, allowed: ["accounts", "hashtags", "statuses"]),
                .flag("resolve"), .number("limit"), .number("offset"),
            ]
        ),
        .task("GetInstance", .get, "api/v2/instance").with { $0.authorization = .anonymous },
        .task(
            "RegisterApplication",
            .post,
            "api/v1/apps",
            [
                .text("name", "client_name", required: true), .text("redirectURIs", "redirect_uris", required: true),
                .text("scopes"), .text("website"),
            ]
        ).with { $0.authorization = .anonymous },
    ]
}
