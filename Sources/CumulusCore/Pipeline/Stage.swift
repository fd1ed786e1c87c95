// SPDX-License-Identifier: Apache-2.0

/// The one place where an error gets its stage and its request.
///
/// `CancellationError` and errors that have a stage pass as they are.
enum Stage {
    /// Runs a stage's work that may wait.
    static func run<Result>(
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest? = nil,
        response: Response? = nil,
        _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch {
            throw describe(error, stage, code, request: request, response: response)
        }
    }

    /// Runs a stage's work that doesn't wait.
    static func run<Result>(
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest? = nil,
        response: Response? = nil,
        _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch {
            throw describe(error, stage, code, request: request, response: response)
        }
    }

    private static func describe(
        _ error: any Error,
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest?,
        response: Response?
    ) -> any Error {
        switch error {
        case is CancellationError, is CumulusError: error
        case let failure as TransportFailure: CumulusError(failure, stage: stage, request: request)
        default: CumulusError(code, stage: stage, "\(error)", request: request, response: response, cause: error)
        }
    }
}
