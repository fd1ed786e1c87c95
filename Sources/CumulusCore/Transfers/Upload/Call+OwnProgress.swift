// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The receiver of the progress of a call that sends several requests.
package struct OwnProgress: Sendable {
    fileprivate let beginning: CallBeginning?
    fileprivate let clock: any RequestClock

    /// Creates a counter of the bytes that the server has acknowledged.
    ///
    /// - Parameters:
    ///   - total: The number of bytes; `nil` if unknown.
    ///   - kept: The number of bytes from an earlier run.
    ///   - file: The file that is read; `nil` for other bytes.
    ///   - url: The upload's URL, with redacted query values.
    /// - Returns: The counter.
    package func counter(of total: Int64?, kept: Int64, file: String?, url: String) -> ProgressCounter {
        let subject = ProgressMeter.Subject(
            direction: .sending,
            id: beginning?.id,
            redactedURL: url,
            total: total,
            file: file,
            brought: kept
        )
        return ProgressCounter(subject, clock: clock) { [beginning] in beginning?.progress($0) }
    }
}

extension Call {
    /// Creates a call from several requests that reports its own progress, and whose next start waits for the end of the
    /// previous one.
    ///
    /// - Parameters:
    ///   - resource: The resource whose settings apply.
    ///   - method: The method of the first request.
    ///   - make: Sends the requests, as in ``init(on:_:)``.
    package init(
        withOwnProgressOn resource: Resource,
        _ method: HTTPRequest.Method,
        _ make: @escaping @Sendable (Call<Response>, OwnProgress) async throws -> Output
    ) {
        let output = CallOutput<Output>.Made(wanted: nil, isExclusive: true) { request, beginning in
            let progress = OwnProgress(beginning: beginning, clock: request.resource.clock)
            return try await make(Call<Response>(request, .memory(.whole)), progress)
        }
        self.init(resource, method, .none, [:], [:], .made(output))
    }

    /// Sends the call and reports its progress.
    package func send(reporting progress: (@Sendable (TransferProgress) -> Void)?) async throws -> Output {
        try await send(progress.map { CallBeginning(progress: $0) })
    }
}
