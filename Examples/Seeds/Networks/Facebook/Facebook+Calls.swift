// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusCatalogs
import CumulusServices

extension Facebook {
    /// The URL where a user logs in, with the token for a session afterwards: `GetLoginURL`.
    ///
    /// - Throws: `CumulusError` as any call; if the response is not a token, with the code `decoding`.
    public func loginURL() async throws -> (url: String, token: Secret<String>) {
        guard let token = try await service.call("GetLoginURL", as: JSON.self).send().string, !token.isEmpty else {
            throw CumulusError(.decoding, stage: .decoding, "Facebook, GetLoginURL: the response is not a token")
        }
        let request = try service.request("GetAllowAppPermissionsURL", ["permission": "none"])
        let given = request.query
        let query: Query = ["api_key": given["api_key"], "v": given["v"], "auth_token": token]
        return (try Facebook.page(of: request).resolving("login.php").merging(query).locatorText, Secret(token))
    }

    /// The session of a user who has logged in: `FinishLoginProcess`; pass it to ``with(_:)``.
    public func finishLogin(_ token: Secret<String>) async throws -> Session {
        try await service.call("FinishLoginProcess", ["authToken": token.revealed], as: Session.self).send()
    }

    /// The URL where a user grants the application a permission: `GetAllowAppPermissionsURL`.
    ///
    /// Nothing is sent.
    public func allowPermissionURL(_ permission: String) throws -> String {
        let request = try service.request("GetAllowAppPermissionsURL", ["permission": permission])
        return try Facebook.page(of: request).merging(request.query).locatorText
    }

    /// Whether the application has a permission: `GetAppPermissions`.
    public func hasPermission(_ permission: String) async throws -> Bool {
        let response = try await service.call("GetAppPermissions", ["permission": permission], as: JSON.self).send()
        return response.bool ?? ((response.string ?? response.number?.text) == "1")
    }

    /// The numbers of the user's friends: `GetFriends`.
    public func friends() async throws -> [Int64] { try await service.call("GetFriends", as: [Int64].self).send() }

    /// Users by their numbers: `GetUserInfo`.
    ///
    /// - Parameters:
    ///   - ids: The users' numbers.
    ///   - fields: The fields to return; fields other than the name need a call by name.
    /// - Returns: The users.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func users(_ ids: [Int64], fields: [String] = ["name"]) async throws -> [User] {
        let arguments: EndpointArguments = [
            "uids": ids.map { String($0) }.joined(separator: ","), "fields": fields.joined(separator: ","),
        ]
        return try await service.call("GetUserInfo", arguments, as: [User].self).send()
    }

    /// The notes of a user: `GetNotes`; `nil` means the logged-in user.
    public func notes(of user: Int64? = nil) async throws -> [Note] {
        try await service.call("GetNotes", ["uid": user.map { String($0) }], as: [Note].self).send()
    }

    /// Changes a note: `EditNote`.
    ///
    /// - Returns: Whether the service changed it.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func editNote(_ id: String, title: String, content: String) async throws -> Bool {
        let arguments: EndpointArguments = ["noteID": id, "title": title, "content": content]
        let response = try await service.call("EditNote", arguments, as: JSON.self).send()
        return response.bool ?? ((response.string ?? response.number?.text) == "1")
    }

    private static func page(of request: EndpointRequest) throws -> RequestURL {
        try RequestURL(request.resource.urlString ?? "")
    }
}
