// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The resource with additional progress observers.
    func telling(_ observers: [ProgressObserver]) -> Resource {
        guard !observers.isEmpty else { return self }
        return with { settings in for observer in observers { settings.progressObservers.append(observer) } }
    }
}
