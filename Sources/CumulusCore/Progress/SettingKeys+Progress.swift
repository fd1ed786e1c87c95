// SPDX-License-Identifier: Apache-2.0

/// A hook that is told how far a body has come; it is called where the bytes are, so it must return quickly.
public typealias ProgressObserver = @Sendable (TransferProgress) -> Void

extension SettingKeys {
    /// Hooks that are told how far bodies have come, both ways.
    ///
    /// Each body's first event (nothing yet) and last (all of it) come for sure, between them at most 10 a second; a body
    /// that breaks off has no last one. A redirect or a repeated attempt begins anew. All inherited ones are told, the
    /// root's first. Default: none.
    public var progressObservers: ProgressObserversKey.Type { ProgressObserversKey.self }
}

/// The key of ``SettingKeys/progressObservers``.
public enum ProgressObserversKey: ListSettingKey {
    /// An observer.
    public typealias Element = ProgressObserver

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }

    /// They only look on.
    public static var affectsAnswer: Bool { false }
}
