// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices
import SeedNetworks

/// The table of CocoaREST's tasks, for all services with Twitter's API.
enum TwitterTasks<Client: TwitterCompatible> {
    typealias Row = CatalogTask<Client>

    static var all: [Row] { timelines + messages + users + accounts + favorites }

    private static var timelines: [Row] {
        [
            Row("GetPublicTimeline", "GET", "/statuses/public_timeline.json", answer: .statuses) {
                try await $0.publicTimeline().shown
            },
            Row(
                "GetPersonalTimeline",
                "GET",
                "/statuses/friends_timeline.json",
                "count=5&max_id=40&page=2&since_id=30",
                ["count": 5, "page": 2, "newerThanStatusID": 30, "olderThanStatusID": 40],
                answer: .statuses
            ) { try await $0.personalTimeline(count: 5, page: 2, newerThan: 30, olderThan: 40).shown },
            Row(
                "GetUsersTimeline",
                "GET",
                "/statuses/user_timeline.json",
                "count=5&screen_name=ada l",
                ["screenName": "ada l", "count": 5],
                answer: .statuses
            ) { try await $0.usersTimeline(of: "ada l", count: 5).shown },
            Row(
                "GetMentions",
                "GET",
                "/statuses/mentions.json",
                "since_id=7",
                ["newerThanStatusID": 7],
                answer: .statuses
            ) {
                try await $0.mentions(newerThan: 7).shown
            },
            Row("GetStatus", "GET", "/statuses/show.json", "id=9", ["statusID": 9], answer: .status) {
                try await $0.status(9).shown
            },
            Row(
                "CreateStatus",
                "POST",
                "/statuses/update.json",
                "in_reply_to_status_id=3&source=Notes&status=Clouds & rain",
                ["text": "Clouds & rain", "inReplyToStatusID": 3, "source": "Notes"],
                answer: .status
            ) { try await $0.createStatus("Clouds & rain", inReplyTo: 3).shown },
            Row("DeleteStatus", "POST", "/statuses/destroy.json", "id=9", ["statusID": 9], answer: .status) {
                try await $0.deleteStatus(9).shown
            },
        ]
    }

    private static var messages: [Row] {
        [
            Row("GetReceivedDirectMessages", "GET", "/direct_messages.json", "page=2", ["page": 2], answer: .messages) {
                try await $0.receivedDirectMessages(page: 2).shown
            },
            Row(
                "GetSentDirectMessages",
                "GET",
                "/direct_messages/sent.json",
                "count=1",
                ["count": 1],
                answer: .messages
            ) {
                try await $0.sentDirectMessages(count: 1).shown
            },
            Row(
                "CreateDirectMessage",
                "POST",
                "/direct_messages/new.json",
                "text=Psst&user_id=17",
                ["text": "Psst", "userID": 17],
                answer: .message
            ) { try await $0.createDirectMessage("Psst", to: .id(17)).shown },
            Row(
                "DeleteDirectMessage",
                "POST",
                "/direct_messages/destroy.json",
                "id=5",
                ["statusID": 5],
                answer: .message
            ) {
                try await $0.deleteDirectMessage(5).shown
            },
        ]
    }

    private static var users: [Row] {
        [
            Row("GetUserInfo", "GET", "/users/show.json", "user_id=17", ["userID": 17], answer: .user) {
                try await $0.user(.id(17)).shown
            },
            Row("GetUsersFriends", "GET", "/statuses/friends.json", "page=3", ["page": 3], answer: .users) {
                try await $0.friends(page: 3).shown
            },
            Row("GetUsersFollowers", "GET", "/statuses/followers.json", "id=ada", either, answer: .users) {
                try await $0.followers(of: .either("ada")).shown
            },
            Row(
                "FollowUser",
                "POST",
                "/friendships/create.json",
                "follow=true&screen_name=ada",
                ["screenName": "ada", "enableDeviceNotificationsAlso": true],
                answer: .user
            ) { try await $0.follow("ada", enablingDeviceNotifications: true).shown },
            Row("UnfollowUser", "POST", "/friendships/destroy.json", "screen_name=ada", ada, answer: .user) {
                try await $0.unfollow("ada").shown
            },
            Row(
                "CheckIfUserFollowsUser",
                "GET",
                "/friendships/exists.json",
                "user_a=ada&user_b=17",
                ["firstUsersID": "ada", "secondUsersID": 17],
                answer: .yes
            ) { "\(try await $0.user("ada", follows: "17"))" },
            Row("GetIDsOfFriends", "GET", "/friends/ids.json", "page=2&screen_name=ada", adasSecond, answer: .numbers) {
                "\(try await $0.idsOfFriends(of: "ada", page: 2))"
            },
            Row(
                "GetIDsOfFollowers",
                "GET",
                "/followers/ids.json",
                "page=2&screen_name=ada",
                adasSecond,
                answer: .numbers
            ) {
                "\(try await $0.idsOfFollowers(of: "ada", page: 2))"
            },
            Row(
                "EnableDeviceNotificationsFromUser",
                "POST",
                "/notifications/follow.json",
                "id=ada",
                either,
                answer: .user
            ) {
                try await $0.enableDeviceNotifications(from: .either("ada")).shown
            },
            Row(
                "DisableDeviceNotificationsFromUser",
                "POST",
                "/notifications/leave.json",
                "id=ada",
                either,
                answer: .user
            ) {
                try await $0.disableDeviceNotifications(from: .either("ada")).shown
            },
            Row("BlockUser", "POST", "/blocks/create.json", "screen_name=ada", ada, answer: .user) {
                try await $0.block("ada").shown
            },
            Row("UnblockUser", "POST", "/blocks/destroy.json", "screen_name=ada", ada, answer: .user) {
                try await $0.unblock("ada").shown
            },
        ]
    }

    static var ada: EndpointArguments { ["screenName": "ada"] }
    private static var either: EndpointArguments { ["screenNameOrUserID": "ada"] }
    private static var adasSecond: EndpointArguments { ["screenName": "ada", "page": 2] }

    private static var accounts: [Row] {
        [
            Row("VerifyCredentials", "GET", "/account/verify_credentials.json", answer: .user) {
                try await $0.verifyCredentials().shown
            },
            Row(
                "UpdateDeliveryDevice",
                "POST",
                "/account/update_delivery_device.json",
                "device=im",
                ["deviceType": "im"],
                answer: .user
            ) { try await $0.updateDeliveryDevice(.instantMessenger).shown },
            Row(
                "UpdateProfileColors",
                "POST",
                "/account/update_profile_colors.json",
                "profile_background_color=#1f98c7&profile_link_color=#000a00&profile_sidebar_border_color=#000003"
                    + "&profile_sidebar_fill_color=#000002&profile_text_color=#000001",
                [
                    "profileBackgroundColor": "#1f98c7", "profileTextColor": "#000001",
                    "profileLinkColor": "#000a00", "profileSidebarFillColor": "#000002",
                    "profileSidebarBorderColor": "#000003",
                ],
                answer: .user
            ) {
                let colors = Twitter.ProfileColors(
                    background: 0x1F98C7,
                    text: 1,
                    link: .init(red: 0, green: 10, blue: 0),
                    sidebarFill: 2,
                    sidebarBorder: 3
                )
                return try await $0.updateProfileColors(colors).shown
            },
            Row(
                "UpdateProfileImage",
                "POST",
                "/account/update_profile_image.json",
                "image=a.png image/png",
                image,
                answer: .user
            ) {
                try await $0.updateProfileImage(.bytes([1, 2] as [UInt8], fileName: "a.png")).shown
            },
            Row(
                "UpdateProfileBackgroundImage",
                "POST",
                "/account/update_profile_background_image.json",
                "image=a.png image/png&tile=true",
                image.merging(["shouldTileBackgroundImage": true]),
                answer: .user
            ) {
                let image = MultipartPart.bytes([1, 2] as [UInt8], fileName: "a.png")
                return try await $0.updateProfileBackgroundImage(image, isTiled: true).shown
            },
            Row(
                "UpdateProfile",
                "POST",
                "/account/update_profile.json",
                "description=d&email=e&location=l&name=n&url=w",
                [
                    "profileName": "n", "profileEmail": "e", "profileWebsite": "w", "profileLocation": "l",
                    "profileDescription": "d",
                ],
                answer: .user
            ) {
                try await $0.updateProfile(name: "n", email: "e", website: "w", location: "l", description: "d").shown
            },
        ]
    }

    private static var image: EndpointArguments {
        var arguments = EndpointArguments()
        arguments.attach(.bytes([1, 2] as [UInt8], fileName: "a.png"), for: "imageToUpload")
        return arguments
    }

    private static var favorites: [Row] {
        [
            Row(
                "GetFavoriteStatuses",
                "GET",
                "/favorites.json",
                "id=ada&page=2",
                ["screenNameOrUserID": "ada", "page": 2],
                answer: .statuses
            ) { try await $0.favoriteStatuses(of: "ada", page: 2).shown },
            Row("FavorStatus", "POST", "/favorites/create.json", "id=9", ["statusID": 9], answer: .status) {
                try await $0.favorStatus(9).shown
            },
            Row("UnavorStatus", "POST", "/favorites/destroy.json", "id=9", ["statusID": 9], answer: .status) {
                try await $0.unfavorStatus(9).shown
            },
        ]
    }
}
