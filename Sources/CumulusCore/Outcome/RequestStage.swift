// SPDX-License-Identifier: Apache-2.0

/// The stages of a request's life, in order; an error says at which it happened.
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    /// Finding out where the request goes.
    case addressing
    /// Asking the preflights.
    case preflight
    /// Turning the payload into bytes and the settings into a head.
    case encoding
    /// Running the interceptors.
    case interception
    /// Adding proof of identity.
    case authorization
    /// Sending, and waiting for the head.
    case transmission
    /// Judging the head: redirects.
    case verdict
    /// Receiving the body.
    case delivery
    /// Judging the response.
    case validation
    /// Turning bytes into a value.
    case decoding
    /// Changing the value.
    case postProcessing
}
