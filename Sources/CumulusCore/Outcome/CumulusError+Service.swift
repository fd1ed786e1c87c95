// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// The problem details in the response's body (RFC 9457), if there are any, for any code.
    public var problem: ProblemDetails? { response?.problem }

    /// The error that an ``ErrorDecoder`` found in the response, for ``Code/service``; `nil` if it has another type.
    ///
    /// - Parameter type: The type that the decoder makes: your own, ``ServiceError``, ``ProblemDetails``.
    /// - Returns: The error.
    public func serviceError<Failure: Error>(as type: Failure.Type = ServiceError.self) -> Failure? {
        code == .service ? cause as? Failure : nil
    }
}
