// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusCatalogs
public import CumulusServices

/// FriendFeed as of 2009, as far as CocoaREST supported it.
///
/// **The service has been gone** since 2015. Both tasks are tested against our own server.
///
///     let feed = FriendFeed(at: "https://feed.example")
///     let picture = try await feed.userPicture("ada")
///
/// CocoaREST read the picture as text, and so never returned one; here it is an image.
public struct FriendFeed: CatalogedService {
    /// The service that makes the requests.
    public var service: Service

    /// Creates the interface from a service that has the tasks of ``definition``.
    public init(_ service: Service) { self.service = service }

    /// The tasks, at their address of 2009.
    public static let definition: ServiceDescription = {
        let username = EndpointParameter("username", in: .path, kind: .text, required: true)
        let size = EndpointParameter("size", default: "medium", allowed: ["small", "medium", "large"])
        let tasks: [EndpointDescription] = [
            .task("GetPublicTimeline", .get, "api/feed/home").with { $0.responseFormat = .text },
            .task("GetUserPicture", .get, "{username}/picture{?size}", [username, size]).with {
                $0.responseFormat = .image
            },
        ]
        var feed = ServiceDescription("FriendFeed", at: "http://friendfeed.com", endpoints: tasks)
        feed.summary = "FriendFeed, which is gone"
        feed.authorization = .optional(.basic)
        feed.maxConcurrentTasks = ServiceDescription.usualTaskLimit
        return feed
    }()

    /// The home feed, as text: `GetPublicTimeline`.
    public func publicTimeline() async throws -> String {
        try await service.call("GetPublicTimeline", as: String.self).send()
    }

    /// A user's picture: `GetUserPicture`.
    ///
    /// - Parameters:
    ///   - username: The user.
    ///   - size: `small`, `medium` or `large`; `nil` is medium.
    /// - Returns: The picture.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func userPicture(_ username: String, size: String? = nil) async throws -> EncodedImage {
        try await service.call("GetUserPicture", ["username": username, "size": size], as: EncodedImage.self).send()
    }
}
