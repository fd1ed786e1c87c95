// SPDX-License-Identifier: Apache-2.0

/// The place where each error gets its stage and its request.
///
/// `CancellationError` passes unchanged; so do errors that already have a stage, unless they are a hook's own
/// (`wrapping`).
enum Stage {
    /// Runs a stage's asynchronous work.
    static func run<Result>(
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest? = nil,
        response: Response? = nil,
        wrapping: Bool = false,
        _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch let error as CumulusError where wrapping {
            // The hook's own request failed, not this one.
            throw CumulusError(code, stage: stage, "\(error)", request: request, response: response, cause: error)
        } catch {
            // Foreign code may report cancellation in its own way.
            if wrapping, Task.isCancelled { throw CancellationError() }
            throw describe(error, stage, code, request: request, response: response)
        }
    }

    /// Runs a stage's synchronous work.
    static func run<Result>(
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: @autoclosure () -> EncodedRequest? = nil,
        response: Response? = nil,
        _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch {
            throw describe(error, stage, code, request: request(), response: response)
        }
    }

    /// Adds a stage to an error; for work on the path of every request, which a closure would make more expensive.
    static func describe(
        _ error: any Error,
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest?,
        response: Response? = nil
    ) -> any Error {
        switch error {
        case let error as CumulusError: error.request == nil ? error.asking(request) : error
        case is CancellationError, is any UnstagedError: error
        case let problem as any CodedProblem:
            CumulusError(
                problem.code,
                stage: stage,
                problem.description,
                request: request,
                response: response,
                cause: problem
            )
        case let failure as TransportFailure: CumulusError(failure, stage: stage, request: request)
        default: CumulusError(code, stage: stage, "\(error)", request: request, response: response, cause: error)
        }
    }
}
