// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

@testable import CumulusAWS

/// A service that checks each proof with its own clock, and a resource that signs with another clock.
final class AWSService: Sendable {
    private struct State {
        var keys: AWSCredentials
        var clock = Date(timeIntervalSince1970: 1_800_000_000)
        var clientClock = Date(timeIntervalSince1970: 1_800_000_000)
        var payloads: [[UInt8]] = []
        var refusals: [String] = []
    }

    private let state: Mutex<State>

    init(_ keys: AWSCredentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")) {
        state = Mutex(State(keys: keys))
    }

    var keys: AWSCredentials {
        get { state.withLock(\.keys) }
        set { state.withLock { $0.keys = newValue } }
    }
    var clock: Date {
        get { state.withLock(\.clock) }
        set { state.withLock { $0.clock = newValue } }
    }
    var clientClock: Date {
        get { state.withLock(\.clientClock) }
        set { state.withLock { $0.clientClock = newValue } }
    }
    /// The accepted requests.
    var payloads: [[UInt8]] { state.withLock(\.payloads) }
    /// The error codes of the refused requests.
    var refusals: [String] { state.withLock(\.refusals) }

    func transport() -> StubTransport {
        StubTransport { [self] request in
            let fields =
                [("host", request.request.origin.authority)]
                + request.headers.map { ($0.name.canonicalName, $0.value) }
            do {
                let payload = try AWSVerifier(keys).payload(
                    method: request.method.rawValue,
                    target: request.request.target,
                    fields: fields,
                    body: request.body,
                    at: clock
                )
                state.withLock { $0.payloads.append(payload) }
                return .text("ok")
            } catch let error as AWSError {
                state.withLock { $0.refusals.append(error.code) }
                let document = "<Error><Code>\(error.code)</Code><Message>no</Message></Error>"
                return .response(
                    .forbidden,
                    headers: [.contentType: "application/xml", .date: HTTPDate(clock).description],
                    body: request.method == .head ? [] : Array(document.utf8)
                )
            }
        }
    }

    /// A resource of the service; `source` and `payload` are passed to the authorizer.
    func site(_ source: AWSCredentialSource? = nil, payload: AWSPayload = .automatic) -> Resource {
        let site = Resource("https://bucket.s3.eu-central-1.amazonaws.com", transport: transport().watched)
        let own = source ?? .keys(id: keys.accessKeyID, secret: keys.secretAccessKey)
        site.setRules {
            $0.authorizers = [.custom(AWSAuthorizer(own, payload: payload) { [self] in clientClock })]
            $0.errorDecoders = [.aws]
        }
        return site
    }
}
