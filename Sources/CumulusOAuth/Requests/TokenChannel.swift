// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends token requests with the tree's transport, clock, time limits, proxy and allowed addresses, and no other
/// setting.
///
/// Token requests are not part of the tree, so its hooks, header fields, authorizers and limits don't apply to them.
struct TokenChannel: Sendable {
    /// The size limit of a response.
    static let longestAnswer = 64 << 10
    /// The time limit of a token request.
    static let deadline = Duration.seconds(60)

    private let resource: Resource

    init(for resource: Resource) { self.resource = resource }

    var clock: any RequestClock { resource.clock }

    /// Sends a form and reads the response.
    ///
    /// - Parameters:
    ///   - fields: The form's names and values.
    ///   - url: An address that may get secrets.
    ///   - client: The client that asks.
    /// - Returns: The response's JSON; `null` for a successful response without a body.
    /// - Throws: ``OAuth2Error`` for a refusal; any error of the request.
    func post(_ fields: [(String, String)], to url: RequestURL, as client: OAuth2Client) async throws -> JSON {
        var fields = fields
        var headers: Headers = [.accept: "application/json"]
        switch client.authentication {
        case .basic: headers[.authorization] = TokenChannel.basic(client)
        case .body:
            fields += [("client_id", client.id)]
            if let secret = client.secret { fields += [("client_secret", secret.revealed)] }
        case .none: fields += [("client_id", client.id)]
        }
        let form = TokenChannel.form(fields)
        let answer = try await place(url).post(
            .bytes(Array(form.utf8), type: .form),
            headers: headers
        )
        return try read(answer, at: url, hiding: QuotedSecrets(in: fields, of: client))
    }

    /// Fetches metadata.
    func get(_ url: RequestURL, query: Query = [:], headers: Headers = [:]) async throws -> JSON {
        let all = ([.accept: "application/json"] as Headers).merging(headers)
        return try read(try await place(url).get(query: query, headers: all), at: url, hiding: QuotedSecrets())
    }

    /// The form-encoded identifier and secret, as a user and a password (RFC 6749 section 2.3.1).
    static func basic(_ client: OAuth2Client) -> String { "Basic \(pair(client))" }

    /// The form-encoded identifier and secret in Base64.
    static func pair(_ client: OAuth2Client) -> String {
        let secret = client.secret?.revealed ?? ""
        let pair = "\(PercentEncoding.encode(client.id)):\(PercentEncoding.encode(secret))"
        return Data(pair.utf8).base64EncodedString()
    }

    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    }

    private func place(_ url: RequestURL) throws(OAuth2Error) -> Resource {
        let place = resource.separateTree(at: url)
        guard place.proxy.isConfidential(to: url.origin) else {
            throw OAuth2Error(
                .insecureAddress,
                "\(url.origin) would be reached through a proxy without encryption, since its URL is not https; add a proxy "
                    + "exception for \(url.origin.host)"
            )
        }
        place.setRules { settings in
            settings.deadline = TokenChannel.deadline
            settings.maxBodySize = TokenChannel.longestAnswer
            // These requests carry secrets for this address only.
            settings.redirects = .none
            // The caller decides about repetitions.
            settings.retry = RetryPolicy(limit: 0)
        }
        return place
    }

    /// Reads a response; an `error` in it decides, whatever the status: some servers refuse with 200.
    private func read(_ answer: Response, at url: RequestURL, hiding secrets: QuotedSecrets) throws -> JSON {
        let status = answer.status.code
        if answer.isSuccessful, answer.bytes.isEmpty { return .null }
        if answer.status.kind == .redirection {
            throw OAuth2Error(
                .malformedResponse,
                "\(url.origin)\(url.path) redirects (\(status)), but token requests don't follow redirects",
                status: status
            )
        }
        let json = try? answer.bytes.withUnsafeBytes { try JSON(parsing: $0, maximumDepth: 32) }
        if let json, let error = json["error"].string, !error.isEmpty {
            throw OAuth2Error(refusal: error, json["error_description"].string, status: status, hiding: secrets)
        }
        guard answer.isSuccessful else {
            // Some servers describe the error in another member.
            let members = ["error", "error_description", "message", "detail"]
            let message = json.flatMap { ServiceError(in: $0, members: members)?.message }.flatMap {
                $0.isEmpty ? nil : $0
            }
            let shown = message.map { secrets.areQuoted(in: $0) ? "<redacted>" : PeerText.printable($0) }
            let reason = shown.map { ": \($0)" } ?? ""
            throw TokenResponse.malformed("\(url.origin)\(url.path) responded with \(status)\(reason)", status: status)
        }
        guard let json else { throw TokenResponse.malformed("it is not valid JSON", status: status) }
        return json
    }
}
