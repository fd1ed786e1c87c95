// SPDX-License-Identifier: Apache-2.0

/// The stages of a request, in order; an error names the stage at which it occurred.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RequestStage: String, Sendable, Hashable, CaseIterable {
    /// Resolving the request's URL.
    case addressing
    /// Running the preflights.
    case preflight
    /// Encoding the payload, and creating the head from the settings.
    case encoding
    /// Running the interceptors.
    case interception
    /// Adding the credentials.
    case authorization
    /// Sending, and waiting for the head.
    case transmission
    /// Examining the head, and following redirects.
    case recovery
    /// Receiving the body.
    case delivery
    /// Validating the response.
    case validation
    /// Decoding the body into a value.
    case decoding
    /// Post-processing the value.
    case postProcessing
}
