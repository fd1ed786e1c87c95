// SPDX-License-Identifier: Apache-2.0

public import Observation

extension Call {
    /// Starts the call and observes it, for views.
    ///
    /// The result is an object whose properties follow the call.
    ///
    /// ```swift
    /// let upload = site["photos"].call(.post, .file(picture), as: SavedPicture.self).observe()
    /// ```
    ///
    /// - Returns: The object; the call is cancelled when it is released. For a call that doesn't depend on a view, use
    ///   ``start()``.
    @MainActor public func observe() -> ObservedCall<Output> { ObservedCall(self) }
}

/// A running call, for views: ``Call/observe()``.
///
/// Views are updated only if a property that they read changes. Progress is reported at most ten times a second.
@MainActor @Observable public final class ObservedCall<Output: Sendable> {
    /// The output of the latest successful run, which is kept during a restart.
    public private(set) var value: Output?
    /// The error with which the call last ended, a ``CumulusError``; `nil` while the call is running, and after it was
    /// cancelled.
    public private(set) var error: (any Error)?
    /// Whether the call is running.
    public private(set) var isRunning = true
    /// The latest progress of the request's body; `nil` before the first report.
    public private(set) var sending: TransferProgress?
    /// The latest progress of the response's body, or of a downloaded file; `nil` before the first report.
    public private(set) var receiving: TransferProgress?

    @ObservationIgnored private var run: ObservedRun<Output>?

    init(_ call: Call<Output>) {
        run = ObservedRun(
            RunningCall(call) { [weak self] events, running, generation in
                Task { @MainActor [weak self] in
                    for await event in events where running.isLatest(generation) { self?.show(event) }
                    if let result = running.resultToTell(generation) { self?.end(result) }
                }
            }
        )
    }

    /// Cancels the call.
    ///
    /// ``isRunning`` becomes false as soon as the call has ended.
    public func cancel() { run?.call.cancel() }

    /// Sends the call again with its current settings; a running call is cancelled first.
    public func restart() {
        if error != nil { error = nil }
        if sending != nil { sending = nil }
        if receiving != nil { receiving = nil }
        if !isRunning { isRunning = true }
        run?.call.restart()
    }

    private func show(_ event: TransferProgress) {
        switch event.direction {
        case .sending: sending = event
        case .receiving: receiving = event
        }
    }

    private func end(_ result: Result<Output, any Error>) {
        switch result {
        case .success(let value): self.value = value
        case .failure(is CancellationError): break
        case .failure(let error): self.error = error
        }
        isRunning = false
    }
}

/// Cancels the call when the object that shows it is released.
private final class ObservedRun<Output: Sendable>: Sendable {
    let call: RunningCall<Output>

    init(_ call: RunningCall<Output>) { self.call = call }

    deinit { call.cancel(.silent) }
}
