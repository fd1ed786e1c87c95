// SPDX-License-Identifier: Apache-2.0

/// Observes calls step by step: for metrics, traces, recordings.
///
/// ```swift
/// struct Slow: CallObserver {
///     func observe(_ event: CallEvent) {
///         if case .ended = event.kind, event.elapsed > .seconds(1) { print("call \(event.id) took \(event.elapsed)") }
///     }
/// }
/// site.setRules { $0.observers.append(Slow()) }
/// ```
public protocol CallObserver: Sendable {
    /// Called for each event, synchronously: the call continues when this returns, so it must return quickly.
    ///
    /// A call's events arrive one after the other, except for those of a request body that is sent while the response
    /// arrives.
    func observe(_ event: CallEvent)

    /// Whether it needs ``CallEvent/Kind/progressed(_:)``, for which bodies must be counted.
    ///
    /// Default: false.
    var observesProgress: Bool { get }
}

extension CallObserver {
    /// False.
    public var observesProgress: Bool { false }
}

extension Resource.Settings {
    /// Observers of each step of a call; see ``CallObserver``.
    ///
    /// All inherited ones are called, the root's first. They see requests as sent, including their secrets. Default:
    /// none, which costs nothing.
    public var observers: SettingList<any CallObserver> {
        get { self[key: ObserversKey.self] }
        set { self[key: ObserversKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/observers``.
enum ObserversKey: ListSettingKey, UncomparedSettingKey {
    /// An observer.
    typealias Element = any CallObserver
}
