// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The device's side of RFC 8628: requests a code, shows it, and polls for the token until the person has typed it.
struct DeviceLogin: Sendable {
    private let deviceCode: Secret<String>
    private let prompt: DevicePrompt
    private var interval: Duration

    /// Reads the device endpoint's answer (section 3.2).
    init(_ json: JSON) throws(OAuth2Error) {
        guard case .object(let members) = json,
            let deviceCode = members["device_code"]?.string, !deviceCode.isEmpty,
            let code = members["user_code"]?.string, DeviceLogin.isPlain(code),
            let url = members["verification_uri"]?.string ?? members["verification_url"]?.string
        else { throw TokenResponse.malformed("it has no device_code, user_code or verification_uri") }
        guard let lifetime = TokenResponse.lifetime(members["expires_in"]) else {
            throw TokenResponse.malformed("its expires_in is missing or not a number of seconds")
        }
        self.deviceCode = Secret(deviceCode)
        let complete = try TokenResponse.text(members, "verification_uri_complete")
        prompt = DevicePrompt(
            code: code,
            url: try OAuth2Endpoints.address(url).description,
            completeURL: try complete.map { text throws(OAuth2Error) in try OAuth2Endpoints.address(text).description },
            lifetime: lifetime
        )
        // The default is five seconds (section 3.5); we never ask more than once a second.
        interval = max(.seconds(1), TokenResponse.lifetime(members["interval"]) ?? .seconds(5))
    }

    /// Shows the code, and polls until there is a token or the time is up.
    func finish(
        _ channel: TokenChannel,
        at tokens: RequestURL,
        as client: OAuth2Client,
        _ present: @Sendable (DevicePrompt) async throws -> Void
    ) async throws -> JSON {
        let end = channel.clock.now + prompt.lifetime
        var interval = interval
        try await present(prompt)
        let fields = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode.revealed),
        ]
        while true {
            let next = channel.clock.now + interval
            guard next < end else { throw DeviceLogin.tooLate }
            try await channel.clock.sleep(until: next)
            do {
                return try await channel.post(fields, to: tokens, as: client)
            } catch let error as OAuth2Error {
                switch error.error {
                case "authorization_pending": continue
                case "slow_down": interval += .seconds(5)
                case "expired_token": throw DeviceLogin.tooLate
                default: throw error
                }
            } catch let error as CumulusError where error.code == .timeout || error.code == .connect {
                // Section 3.5: after a connection failure, polling slows down.
                interval = min(interval * 2, .seconds(60))
            }
        }
    }

    private static let tooLate = OAuth2Error(.expired, "the user did not enter the code before it expired")

    /// Whether a code is short and printable, since it is shown on a terminal.
    private static func isPlain(_ code: String) -> Bool {
        1...64 ~= code.utf8.count && code.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
