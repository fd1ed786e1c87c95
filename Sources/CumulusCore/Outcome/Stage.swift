// SPDX-License-Identifier: Apache-2.0

/// Adds its stage and its request to each error.
///
/// `CancellationError` passes unchanged. So do errors that already have a stage, unless they are a hook's own
/// (`wrapping`), and the error of a hook that runs itself, which has passed through each of its calls.
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
        } catch let error as CumulusError where wrapping && error.code != .wouldDeadlock {
            // The hook's own request failed, not this one.
            throw CumulusError(code, stage: stage, "\(error)", request: request, response: response, cause: error)
        } catch {
            // Third-party code may report cancellation in its own way.
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

    /// Adds a stage to an error.
    ///
    /// It is a separate method for the path of every request, which a closure would make slower.
    static func describe(
        _ error: any Error,
        _ stage: RequestStage,
        _ code: CumulusError.Code,
        request: EncodedRequest?,
        response: Response? = nil
    ) -> any Error {
        switch error {
        case let error as CumulusError:
            // The transport's own error, such as that of a fixture.
            error.request == nil && error.stage == .transmission ? error.asking(request) : error
        case is CancellationError, is LimitReached: error
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

/// A problem that determines its error's code, regardless of the stage.
protocol CodedProblem: Error, CustomStringConvertible {
    var code: CumulusError.Code { get }
}

/// The error of a request that may not wait, if no slot or no permit of the rate limit is free.
///
/// It passes through the stages unchanged, because the caller doesn't receive it.
struct LimitReached: Error {}

extension Headers.Malformation: CodedProblem {
    var code: CumulusError.Code { .invalidHeader }
}

extension BodyAlreadySent: CodedProblem {
    var code: CumulusError.Code { .requestBody }
}

extension ProxyMalformation: CodedProblem {
    var code: CumulusError.Code { .invalidURL }
}

extension ContentCodingProblem: CodedProblem {
    var code: CumulusError.Code { .contentCoding }
}
