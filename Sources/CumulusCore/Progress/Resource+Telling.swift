// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The resource with more observers of progress.
    func telling(_ observers: [ProgressObserver]) -> Resource {
        guard !observers.isEmpty else { return self }
        return with { settings in for observer in observers { settings.progressObservers.append(observer) } }
    }
}
