// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices

extension Twitter {
    private static let page: [EndpointParameter] = [.number("page")]
    private static let window: [EndpointParameter] = [
        .number("count"), .number("page"), .number("newerThanStatusID", "since_id"),
        .number("olderThanStatusID", "max_id"),
    ]
    private static let user: [EndpointParameter] = [
        EndpointParameter("screenNameOrUserID", field: "id"), .number("userID", "user_id"),
        .text("screenName", "screen_name"),
    ]
    private static let anyone: [EndpointParameter] = [EndpointParameter("screenNameOrUserID", field: "id")]
    private static let status: [EndpointParameter] = [.number("statusID", "id", required: true)]
    private static let pair: [EndpointParameter] = [
        EndpointParameter("firstUsersID", field: "user_a", required: true),
        EndpointParameter("secondUsersID", field: "user_b", required: true),
    ]
    private static let image: [EndpointParameter] = [
        EndpointParameter("imageToUpload", field: "image", kind: .file, required: true)
    ]

    /// CocoaREST's 35 tasks, in the same order.
    static let tasks: [EndpointDescription] = timelineTasks + userTasks + messageTasks + accountTasks + otherTasks

    private static let timelineTasks: [EndpointDescription] = [
        .task("GetPublicTimeline", .get, "statuses/public_timeline.json"),
        .task("GetPersonalTimeline", .get, "statuses/friends_timeline.json", window),
        .task("GetUsersTimeline", .get, "statuses/user_timeline.json", user + window),
        .task("GetMentions", .get, "statuses/mentions.json", window),
        .task("GetStatus", .get, "statuses/show.json", status),
        .task(
            "CreateStatus",
            .post,
            "statuses/update.json",
            [
                .text("text", "status", required: true), .text("source"),
                .number("inReplyToStatusID", "in_reply_to_status_id"),
            ]
        ),
        .task("DeleteStatus", .post, "statuses/destroy.json", status),
    ]

    private static let userTasks: [EndpointDescription] = [
        .task("GetUserInfo", .get, "users/show.json", user),
        .task("GetUsersFriends", .get, "statuses/friends.json", user + page),
        .task("GetUsersFollowers", .get, "statuses/followers.json", user + page),
    ]

    private static let messageTasks: [EndpointDescription] = [
        .task("GetReceivedDirectMessages", .get, "direct_messages.json", window),
        .task("GetSentDirectMessages", .get, "direct_messages/sent.json", window),
        .task(
            "CreateDirectMessage",
            .post,
            "direct_messages/new.json",
            [.text("text", required: true), .number("userID", "user_id"), .text("screenName", "screen_name")]
        ),
        .task("DeleteDirectMessage", .post, "direct_messages/destroy.json", status),
    ]

    private static let accountTasks: [EndpointDescription] = [
        .task(
            "FollowUser",
            .post,
            "friendships/create.json",
            user + [.flag("enableDeviceNotificationsAlso", "follow")]
        ),
        .task("UnfollowUser", .post, "friendships/destroy.json", user),
        .task("CheckIfUserFollowsUser", .get, "friendships/exists.json", pair),
        .task("GetIDsOfFriends", .get, "friends/ids.json", user + page),
        .task("GetIDsOfFollowers", .get, "followers/ids.json", user + page),
        .task("VerifyCredentials", .get, "account/verify_credentials.json"),
        .task(
            "UpdateDeliveryDevice",
            .post,
            "account/update_delivery_device.json",
            [
                EndpointParameter(
                    "deviceType",
                    field: "device",
                    kind: .text,
                    required: true,
                    allowed: ["sms", "im", "none"]
                )
            ]
        ),
        .task(
            "UpdateProfileColors",
            .post,
            "account/update_profile_colors.json",
            [
                .text("profileBackgroundColor", "profile_background_color"),
                .text("profileTextColor", "profile_text_color"), .text("profileLinkColor", "profile_link_color"),
                .text("profileSidebarFillColor", "profile_sidebar_fill_color"),
                .text("profileSidebarBorderColor", "profile_sidebar_border_color"),
            ]
        ),
        .task("UpdateProfileImage", .post, "account/update_profile_image.json", image).with {
            $0.bodyFormat = .multipart
        },
        .task(
            "UpdateProfileBackgroundImage",
            .post,
            "account/update_profile_background_image.json",
            image + [.flag("shouldTileBackgroundImage", "tile")]
        ).with { $0.bodyFormat = .multipart },
        .task(
            "UpdateProfile",
            .post,
            "account/update_profile.json",
            [
                .text("profileName", "name"), .text("profileEmail", "email"), .text("profileWebsite", "url"),
                .text("profileLocation", "location"), .text("profileDescription", "description"),
            ]
        ),
    ]

    private static let otherTasks: [EndpointDescription] = [
        .task("GetFavoriteStatuses", .get, "favorites.json", anyone + page),
        .task("FavorStatus", .post, "favorites/create.json", status),
        .task("UnavorStatus", .post, "favorites/destroy.json", status).with {
            $0.summary = "Removes a favourite; the name is CocoaREST's"
        },
        .task("EnableDeviceNotificationsFromUser", .post, "notifications/follow.json", user),
        .task("DisableDeviceNotificationsFromUser", .post, "notifications/leave.json", user),
        .task("BlockUser", .post, "blocks/create.json", user),
        .task("UnblockUser", .post, "blocks/destroy.json", user),
        .task("CheckIfBlockingUser", .get, "blocks/exists.json", user),
        .task("GetBlockedUsers", .get, "blocks/blocking.json", page),
        .task("GetBlockedUserIDs", .get, "blocks/blocking/ids.json"),
    ]

    /// The additional tasks of the fork catsby; search and trends had a separate server, and needed no password.
    static let extraTasks: [EndpointDescription] = [
        .task(
            "Search",
            .get,
            "search.json",
            [
                EndpointParameter("query", field: "q"), .text("allOf", "ands"), .text("phrase"), .text("anyOf", "ors"),
                .text("noneOf", "nots"), .text("from"), .text("to"), .text("attitude", "tude"),
                .number("count", "rpp"), .number("page"), .number("newerThanStatusID", "since_id"), .text("format"),
                .text("cursor"), .text("callback"),
            ]
        ).with {
            $0.server = searchServer
            $0.authorization = .anonymous
        },
        .task("Trends", .get, "trends.json").with {
            $0.server = searchServer
            $0.authorization = .anonymous
        },
        .task("GetRateLimitStatus", .get, "account/rate_limit_status.json"),
        .task(
            "GetUserInfoUsingYQL",
            .get,
            "v1/public/yql",
            [.text("query", "q", required: true), EndpointParameter("format", default: "json")]
        ).with {
            $0.server = yqlServer
            $0.authorization = .anonymous
        },
    ]
}
