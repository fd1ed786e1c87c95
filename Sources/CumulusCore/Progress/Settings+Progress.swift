// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// Hooks that get the progress of bodies in both directions.
    ///
    /// Each body's first event (nothing yet) and last (all of it) are always delivered, and at most 10 a second in
    /// between; a body that breaks off has no last one. A redirect or a repeated attempt starts over. All inherited
    /// ones are called, the root's first. Default: none.
    public var progressObservers: SettingList<ProgressObserver> {
        get { self[key: ProgressObserversKey.self] }
        set { self[key: ProgressObserversKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/progressObservers``.
enum ProgressObserversKey: ListSettingKey, HarmlessSettingKey, UncomparedSettingKey {
    /// An observer.
    typealias Element = ProgressObserver
}
