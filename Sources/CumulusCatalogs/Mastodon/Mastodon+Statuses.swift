// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusServices

extension Mastodon {
    /// Returns a status: `GetStatus`.
    public func status(_ id: String) async throws -> Status {
        try await service.call("GetStatus", ["id": id], as: Status.self).send()
    }

    /// Returns the conversation around a status: `GetStatusContext`.
    public func context(of id: String) async throws -> Context {
        try await service.call("GetStatusContext", ["id": id], as: Context.self).send()
    }

    /// Writes a status: `CreateStatus`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - status: The identifier of the status to which the new status replies.
    ///   - media: The attachments, by the identifiers from ``uploadMedia(_:description:)``.
    ///   - visibility: The people who may see the status; `nil` uses the account's setting.
    ///   - spoiler: The warning that is shown until a reader opens the status.
    ///   - idempotencyKey: A string of your choice: the instance posts only one status for each key.
    /// - Returns: The status.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func createStatus(
        _ text: String,
        inReplyTo status: String? = nil,
        media: [Media] = [],
        visibility: Visibility? = nil,
        spoiler: String? = nil,
        idempotencyKey: String? = nil
    ) async throws -> Status {
        let arguments: EndpointArguments = [
            "status": text, "inReplyToID": status, "mediaIDs": media.isEmpty ? nil : media.map(\.id),
            "visibility": visibility?.rawValue, "spoilerText": spoiler, "idempotencyKey": idempotencyKey,
        ]
        return try await service.call("CreateStatus", arguments, as: Status.self).send()
    }

    /// Changes a status: `EditStatus`.
    public func editStatus(_ id: String, _ text: String) async throws -> Status {
        try await service.call("EditStatus", ["id": id, "status": text], as: Status.self).send()
    }

    /// Deletes a status: `DeleteStatus`.
    public func deleteStatus(_ id: String) async throws -> Status {
        try await service.call("DeleteStatus", ["id": id], as: Status.self).send()
    }

    /// Likes a status: `FavouriteStatus`.
    public func favourite(_ id: String) async throws -> Status {
        try await service.call("FavouriteStatus", ["id": id], as: Status.self).send()
    }

    /// Removes your like from a status: `UnfavouriteStatus`.
    public func unfavourite(_ id: String) async throws -> Status {
        try await service.call("UnfavouriteStatus", ["id": id], as: Status.self).send()
    }

    /// Shows a status to your followers: `BoostStatus`.
    public func boost(_ id: String) async throws -> Status {
        try await service.call("BoostStatus", ["id": id], as: Status.self).send()
    }

    /// Removes your boost: `UnboostStatus`.
    public func unboost(_ id: String) async throws -> Status {
        try await service.call("UnboostStatus", ["id": id], as: Status.self).send()
    }

    /// Returns the statuses that you like: `GetFavourites`.
    public func favourites(limit: Int? = nil, maxID: String? = nil) async throws -> [Status] {
        try await service.call("GetFavourites", window(limit, maxID, nil, nil), as: [Status].self).send()
    }

    /// Uploads an image, video or audio file for a status: `UploadMedia`.
    ///
    /// - Parameters:
    ///   - file: The file: `.file("clouds.png")`, or bytes with a file name.
    ///   - description: A description of the file's content.
    /// - Returns: The media file; while its URL is `nil`, the instance is processing it, and ``media(_:)`` reports when
    ///   the instance has finished.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func uploadMedia(_ file: MultipartPart, description: String? = nil) async throws -> Media {
        var arguments: EndpointArguments = ["description": description]
        arguments.attach(file, for: "file")
        return try await service.call("UploadMedia", arguments, as: Media.self).send()
    }

    /// Returns a media file that is not attached yet: `GetMedia`.
    public func media(_ id: String) async throws -> Media {
        try await service.call("GetMedia", ["id": id], as: Media.self).send()
    }
}
