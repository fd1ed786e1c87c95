// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import CumulusCatalogs
import CumulusServices

extension TwitterCompatible {
    /// The authenticated user, if the password is right: `VerifyCredentials`.
    public func verifyCredentials() async throws -> Twitter.User {
        try await service.call("VerifyCredentials", as: Twitter.User.self).send()
    }

    /// Sets the device for notifications: `UpdateDeliveryDevice`.
    public func updateDeliveryDevice(_ device: Twitter.DeliveryDevice) async throws -> Twitter.User {
        try await service.call("UpdateDeliveryDevice", ["deviceType": device.rawValue], as: Twitter.User.self).send()
    }

    /// Changes the profile's colors: `UpdateProfileColors`.
    public func updateProfileColors(_ colors: Twitter.ProfileColors) async throws -> Twitter.User {
        try await service.call("UpdateProfileColors", colors.arguments, as: Twitter.User.self).send()
    }

    /// Changes the profile's picture: `UpdateProfileImage`, `.file("me.png")`.
    public func updateProfileImage(_ image: MultipartPart) async throws -> Twitter.User {
        var arguments = EndpointArguments()
        arguments.attach(image, for: "imageToUpload")
        return try await service.call("UpdateProfileImage", arguments, as: Twitter.User.self).send()
    }

    /// Changes the profile's background picture: `UpdateProfileBackgroundImage`.
    ///
    /// - Parameters:
    ///   - image: The picture: `.file("clouds.png")`.
    ///   - isTiled: Whether it is repeated.
    /// - Returns: The authenticated user.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func updateProfileBackgroundImage(
        _ image: MultipartPart,
        isTiled: Bool = false
    ) async throws -> Twitter.User {
        var arguments: EndpointArguments = ["shouldTileBackgroundImage": isTiled ? true : nil]
        arguments.attach(image, for: "imageToUpload")
        return try await service.call("UpdateProfileBackgroundImage", arguments, as: Twitter.User.self).send()
    }

    /// Changes the profile's text: `UpdateProfile`; `nil` leaves a field unchanged.
    public func updateProfile(
        name: String? = nil,
        email: String? = nil,
        website: String? = nil,
        location: String? = nil,
        description: String? = nil
    ) async throws -> Twitter.User {
        let arguments: EndpointArguments = [
            "profileName": name, "profileEmail": email, "profileWebsite": website, "profileLocation": location,
            "profileDescription": description,
        ]
        return try await service.call("UpdateProfile", arguments, as: Twitter.User.self).send()
    }

    /// Direct messages that you received: `GetReceivedDirectMessages`.
    public func receivedDirectMessages(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.DirectMessage] {
        let window = window(count, page, newerThan, olderThan)
        return try await service.call("GetReceivedDirectMessages", window, as: [Twitter.DirectMessage].self).send()
    }

    /// Direct messages that you sent: `GetSentDirectMessages`.
    public func sentDirectMessages(
        count: Int? = nil,
        page: Int? = nil,
        newerThan: Int64? = nil,
        olderThan: Int64? = nil
    ) async throws -> [Twitter.DirectMessage] {
        let window = window(count, page, newerThan, olderThan)
        return try await service.call("GetSentDirectMessages", window, as: [Twitter.DirectMessage].self).send()
    }

    /// Sends a direct message: `CreateDirectMessage`.
    public func createDirectMessage(_ text: String, to user: Twitter.Account) async throws -> Twitter.DirectMessage {
        let arguments = user.arguments.merging(["text": text])
        return try await service.call("CreateDirectMessage", arguments, as: Twitter.DirectMessage.self).send()
    }

    /// Deletes a message: `DeleteDirectMessage`.
    public func deleteDirectMessage(_ id: Int64) async throws -> Twitter.DirectMessage {
        try await service.call("DeleteDirectMessage", ["statusID": id], as: Twitter.DirectMessage.self).send()
    }
}
