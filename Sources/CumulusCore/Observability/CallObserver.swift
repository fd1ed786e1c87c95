// SPDX-License-Identifier: Apache-2.0

/// A hook that sees calls step by step: for metrics, traces, recordings, progress.
///
/// ```swift
/// site.setRules {
///     $0.observers.append { event in
///         if case .ended = event.kind, event.elapsed > .seconds(1) {
///             print("call \(event.id) took \(event.elapsed)")
///         }
///     }
///     $0.observers.append(.progress { print($0.completed, $0.total ?? 0) })
/// }
/// ```
///
/// A method of your own type also works: `$0.observers.append(recorder.observe)`.
public struct CallObserver: Sendable {
    /// The kinds of events that the observer receives.
    public let kinds: CallEvent.Kinds
    /// The function that is called synchronously for each event: the call continues when it returns, so it must return
    /// quickly.
    ///
    /// A call's events arrive one after the other, except for those of a request body that is sent while the response
    /// arrives.
    public let observe: @Sendable (CallEvent) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of events that the observer receives. Others cost nothing: `progress` requires counting the
    ///     bytes of bodies, and `bytes` requires reading bodies piece by piece.
    ///   - observe: See ``observe``.
    public init(of kinds: CallEvent.Kinds = .steps, _ observe: @escaping @Sendable (CallEvent) -> Void) {
        self.kinds = kinds
        self.observe = observe
    }

    /// Creates an observer of the progress of bodies in both directions.
    ///
    /// Each body's first event (nothing yet) and last event (all of it) are always delivered, with at most 10 events a
    /// second in between; an interrupted body has no last event. A redirect or a repeated attempt starts over. The
    /// response's body follows the request's: ``TransferProgress/direction`` distinguishes them.
    public static func progress(_ observe: @escaping @Sendable (TransferProgress) -> Void) -> CallObserver {
        CallObserver(of: .progress) { event in if case .progressed(let progress) = event.kind { observe(progress) } }
    }
}

extension SettingList where Element == CallObserver {
    /// Adds a closure that receives each step of a call, but not the progress of its bodies
    /// (``CallObserver/progress(_:)``).
    public mutating func append(_ observe: @escaping @Sendable (CallEvent) -> Void) { append(CallObserver(observe)) }
}

extension Resource.Settings {
    /// Observers of each step of a call; see ``CallObserver``.
    ///
    /// All inherited observers are called, the root's first. They see requests as sent, including their secrets.
    /// Default: none, which costs nothing.
    public var observers: SettingList<CallObserver> {
        get { self[key: ObserversKey.self] }
        set { self[key: ObserversKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/observers``.
enum ObserversKey: ListSettingKey, HarmlessSettingKey, UncomparedSettingKey {
    /// An observer.
    typealias Element = CallObserver
}
