// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
public import CumulusServices

extension Facebook {
    /// The name of the server with the pages for users.
    static let pageServer = "www"
    /// The tasks that the application signs, regardless of who is logged in.
    static let loginTasks: Set = ["GetLoginURL", "FinishLoginProcess"]

    private static let key = EndpointParameter("apiKey", field: "api_key", kind: .text, required: true)
    private static let version = EndpointParameter("version", field: "v", default: "1.0")
    private static let session = EndpointParameter("sessionKey", field: "session_key", kind: .text, required: true)
    private static let permission = EndpointParameter("permission", field: "ext_perm", kind: .text, required: true)

    /// The tasks, at their addresses of 2009.
    public static let definition: ServiceDescription = {
        var facebook = ServiceDescription("Facebook", at: "https://api.facebook.com", endpoints: tasks)
        facebook.summary = "Facebook's first interface, which is gone"
        facebook.servers.append(ServiceServer("http://www.facebook.com", name: pageServer))
        facebook.authorization = .optional(.other("signature"))
        facebook.errors = .members("error_code")
        facebook.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        facebook.bodyFormat = .form
        facebook.responseFormat = .json
        return facebook
    }()

    private static let tasks: [EndpointDescription] = [
        call("GetLoginURL", "Auth.createToken"),
        call("FinishLoginProcess", "Auth.getSession", [.text("authToken", "auth_token", required: true)]),
        call("GetAppPermissions", "Users.hasAppPermission", [session, permission]),
        .task("GetAllowAppPermissionsURL", .get, "authorize.php", [key, version, permission]).with {
            $0.server = pageServer
            $0.authorization = .anonymous
            $0.responseFormat = .text
        },
        call("GetFriends", "Friends.get", [session]),
        call(
            "GetUserInfo",
            "Users.getInfo",
            [session, .text("uids", required: true), EndpointParameter("fields", default: "name")]
        ),
        call("GetNotes", "Notes.get", [session, .text("uid")]),
        call(
            "EditNote",
            "Notes.edit",
            [session, .text("noteID", "note_id", required: true), .text("title"), .text("content")],
            .post
        ),
    ]

    /// A call, all of which have the same URL and differ in a parameter.
    private static func call(
        _ name: String,
        _ method: String,
        _ parameters: [EndpointParameter] = [],
        _ verb: HTTPRequest.Method = .get
    ) -> EndpointDescription {
        let common: [EndpointParameter] = [
            EndpointParameter("method", default: .string(method), allowed: [method]),
            EndpointParameter("format", default: "JSON"), version, key,
        ]
        return .task(name, verb, "restserver.php", common + parameters)
    }
}
