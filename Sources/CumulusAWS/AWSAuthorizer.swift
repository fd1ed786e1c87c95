// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests with AWS Signature Version 4, for Amazon Web Services and compatible services.
///
///     site.setRules { $0.authorizers.append(.aws(.environment, region: "eu-central-1", service: "s3")) }
///
/// Each attempt is signed again. Requests that already have an `Authorization` field, or a signature in the query, are
/// left unchanged. The signature covers all header fields except those that transports and proxies change, such as
/// `User-Agent` and `Accept-Encoding`.
///
/// If a service reports that the clock is wrong by up to a day, the request is sent again with the service's time.
public final class AWSAuthorizer: Authorizer {
    /// The state that changes from request to request.
    private struct State {
        var key: (secret: Secret<String>, key: AWSSigningKey)?
        /// How many seconds the service's clock is ahead of ours, for each origin that reported a difference.
        var skews: [Origin: Double] = [:]
    }

    let cache: AWSCredentialCache
    private let source: AWSCredentialSource
    private let region: String?
    private let service: String?
    private let payload: AWSPayload
    private let time: @Sendable () -> Date
    private let state = Mutex(State())

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - source: The source of the keys.
    ///   - region: The region; by default the one in the host's name, otherwise `AWS_REGION` or `AWS_DEFAULT_REGION`.
    ///   - service: The service's name in signatures, `s3` or `dynamodb`; by default the one in the host's name.
    ///   - payload: How the signature covers request bodies.
    ///   - time: The current time, for tests.
    public init(
        _ source: AWSCredentialSource,
        region: String? = nil,
        service: String? = nil,
        payload: AWSPayload = .automatic,
        time: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.source = source
        self.region = region
        self.service = service
        self.payload = payload
        self.time = time
        cache = AWSCredentialCache(source, now: time)
    }

    /// Whether the authorizer may wait: true if the keys come from your own function.
    public var mayWait: Bool { source.mayWait }

    /// The identity of the keys' user; it changes when the source returns a different key.
    public var identity: AuthorizerIdentity? { cache.identity }

    /// Adds `Authorization`, `X-Amz-Date` and the other fields that the signature needs.
    public func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil,
            !AWSTarget.query(of: request.target).contains(where: { $0.name == "X-Amz-Signature" })
        else { return }
        let signer = try await signer(for: request.origin)
        let payload = try await payload(of: request.body, for: signer)
        request.target = try AWSTarget.plain(request.target, isStore: signer.key.scope.isObjectStore)
        request.set(.awsDate, to: signer.timestamp.text)
        request.set(.awsSecurityToken, to: signer.credentials.sessionToken?.revealed)
        if signer.key.scope.isObjectStore || payload.isWord { request.set(.awsContentDigest, to: payload.text) }
        if let length = payload.chunkedLength { request.beginChunks(of: length, trailer: payload.trailer) }
        let proof = signer.sign(
            method: request.method.rawValue,
            target: request.target,
            fields: AWSFields.signed(of: request),
            payload: payload.text
        )
        request.headers[.authorization] = signer.authorization(proof)
        guard let length = payload.chunkedLength else { return }
        guard
            let body = AWSChunkedBody.body(
                of: request.body,
                length: length,
                signer,
                seed: proof.signature,
                trailer: payload.trailer
            )
        else { throw AuthorizationProblem("the body is too long for signed chunks") }
        request.body = .stream(body)
    }

    /// Creates a URL that anyone can use for a limited time, without keys.
    ///
    /// - Parameters:
    ///   - url: The URL with its query.
    ///   - method: The method that the URL allows.
    ///   - lifetime: The time for which the URL is valid: one second to seven days.
    /// - Returns: The URL. It contains a signature: treat it like a password.
    /// - Throws: The error of the keys' source, or an error if the region, service or lifetime can't be used.
    public func presign(
        _ url: RequestURL,
        method: HTTPRequest.Method = .get,
        for lifetime: Duration
    ) async throws -> RequestURL {
        let seconds = lifetime.components.seconds
        guard 1...604_800 ~= seconds else {
            throw AuthorizationProblem("a presigned URL can be valid for one second to seven days")
        }
        let signer = try await signer(for: url.origin)
        let isStore = signer.key.scope.isObjectStore
        let (target, _) = signer.presign(
            method: method.rawValue,
            target: try AWSTarget.plain(url.target, isStore: isStore),
            fields: [("host", url.origin.authority)],
            payload: isStore ? AWSBodySignature.unsigned : AWSBodySignature.ofNothing,
            seconds: seconds
        )
        return try RequestURL("\(url.origin)\(target)")
    }

    private func payload(of body: RequestBody, for signer: AWSSigner) async throws -> AWSBodySignature {
        let isStore = signer.key.scope.isObjectStore
        switch (payload, body) {
        case (_, .none): return .nothing
        case (.unsigned, _): return .word(AWSBodySignature.unsigned)
        case (.chunks, _) where !isStore:
            throw AuthorizationProblem("only S3 accepts a body in signed chunks")
        case (.chunks(let trailer), _): return try .chunks(of: body, trailer: trailer)
        case (.automatic, .file) where isStore, (.automatic, .stream) where isStore:
            return try .chunks(of: body, trailer: nil)
        case (.automatic, _), (.digest, _): return .digest(try await body.checksum(.sha256).bytes)
        }
    }

    /// Creates the signer with a request's keys, scope and time.
    private func signer(for origin: Origin) async throws -> AWSSigner {
        let credentials = try await cache.credentials()
        let told = service == nil || region == nil ? AWSEndpoint(host: origin.host) : nil
        guard let service = service ?? told?.service else {
            throw AWSScopeProblem(.service, host: origin.host)
        }
        guard let region = region ?? told?.region ?? source.region() else {
            throw AWSScopeProblem(.region, host: origin.host)
        }
        let now = time()
        return state.withLock { state in
            let timestamp = AWSTimestamp(now.addingTimeInterval(state.skews[origin] ?? 0))
            let scope = AWSScope(day: String(timestamp.day), region: region, service: service)
            if let (secret, key) = state.key, key.scope == scope, secret == credentials.secretAccessKey {
                return AWSSigner(credentials, at: timestamp, key)
            }
            let key = AWSSigningKey(credentials.secretAccessKey, scope)
            state.key = (credentials.secretAccessKey, key)
            return AWSSigner(credentials, at: timestamp, key)
        }
    }

    /// Adopts a service's clock, unless it is more than a day off: no response can make us sign for a distant day.
    ///
    /// - Parameters:
    ///   - date: The service's time.
    ///   - origin: Where the service is.
    ///   - isTold: Whether the service reported a wrong clock; otherwise, only differences beyond what services
    ///     tolerate count.
    /// - Returns: Whether the correction changed.
    func follow(_ date: HTTPDate, of origin: Origin, isTold: Bool) -> Bool {
        let skew = date.date.timeIntervalSince(time())
        return state.withLock { state in
            // After a correction, a remaining difference is the message's travel time, not the clock.
            let change = abs(skew - (state.skews[origin] ?? 0))
            guard abs(skew) <= 86_400, change >= (isTold ? 60 : 300) else { return false }
            state.skews[origin] = skew
            return true
        }
    }
}

extension AWSAuthorizer {
    /// The statuses with which services report a wrong clock or expired keys.
    public var challengeStatuses: StatusSet { [.badRequest, .unauthorized, .forbidden] }

    /// Signs the request again: with the service's time if the service reported a wrong clock, and with new keys if it
    /// reported expired keys.
    public func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        let date = challenge.headers[.date].flatMap { HTTPDate(parsing: $0) }
        let isHead = challenge.request.method == .head
        switch AWSRefusal(AWSError(body: challenge.body), isHead: isHead) {
        case .clock:
            guard let date, follow(date, of: challenge.request.origin, isTold: !isHead) else {
                return .stop(
                    because: "the service reports that this machine's clock is wrong, but doesn't report the right time"
                )
            }
            return .again
        case .keys:
            return cache.forget(AWSRefusal.key(of: challenge.request))
                ? .again : .stop(because: "the service refused the AWS keys, and their source has no newer ones")
        case .other: return .giveUp
        }
    }
}
