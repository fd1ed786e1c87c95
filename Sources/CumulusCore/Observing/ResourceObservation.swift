// SPDX-License-Identifier: Apache-2.0

public import Observation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Resource {
    /// Observes the resource as a type, for views.
    ///
    /// The result is an object whose properties follow the resource.
    ///
    /// ```swift
    /// let posts = site["posts"].observe(as: [Article].self)
    /// ```
    ///
    /// It shows the same states as ``updates(as:query:headers:)``, and shares its GETs.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: The object; the observation ends when it is released.
    @MainActor public func observe<Value: Decodable & Sendable>(
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> ResourceObservation<Value> {
        ResourceObservation(updates(as: type, query: query, headers: headers))
    }
}

/// The latest value of a resource, for views: ``Resource/observe(as:query:headers:)``.
///
/// Views that read only ``value`` are updated only when the value changes.
@MainActor @Observable public final class ResourceObservation<Value: Decodable & Sendable> {
    /// The latest value, which is kept when a later GET fails.
    ///
    /// `nil` before the first response, after a response with the status 401 or 403, and when the user of the
    /// resource's authorizers has changed.
    public private(set) var value: Value?
    /// The error of the observation's latest GET: a ``CumulusError``; `nil` if a value has arrived since.
    public private(set) var error: (any Error)?
    /// Whether a GET is running.
    public private(set) var isLoading: Bool
    /// The time when the value was current on the server: the time of the response minus its age in a cache.
    public private(set) var updatedAt: Date?

    @ObservationIgnored private let updates: ResourceUpdates<Value>
    @ObservationIgnored private var version: UInt64
    @ObservationIgnored private var reader: Reader?

    init(_ updates: ResourceUpdates<Value>) {
        self.updates = updates
        let state = updates.current
        (value, error, isLoading) = (state.value, state.error, state.isLoading)
        (updatedAt, version) = (state.updatedAt, state.version)
        reader = Reader(
            Task { [weak self, updates] in
                for await state in updates {
                    guard let self else { return }
                    self.show(state)
                }
            }
        )
    }

    /// Requests the value again and waits for the response, unless the value is younger than a limit.
    ///
    /// If a GET is already running, this method waits for it. Errors are shown in ``error``.
    ///
    /// - Parameter age: The age from which the value is too old. Default: zero, so that a GET is always sent.
    public func refresh(ifOlderThan age: Duration = .zero) async {
        await updates.refresh(ifOlderThan: age)
        show(updates.current)
    }

    private func show(_ state: ResourceState<Value>) {
        if state.version != version { (value, version) = (state.value, state.version) }
        if state.error != nil || error != nil { error = state.error }
        if state.isLoading != isLoading { isLoading = state.isLoading }
        if state.updatedAt != updatedAt { updatedAt = state.updatedAt }
    }
}

/// Ends the reading of states when the object that shows them is released.
private final class Reader: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
