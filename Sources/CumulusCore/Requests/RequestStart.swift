// SPDX-License-Identifier: Apache-2.0

/// A prepared request's start: its number, and the observer of its progress.
struct RequestStart: Sendable {
    var observers: [ProgressObserver] = []
    var id: RequestID?
}

extension Resource {
    /// The resource with a start's data applied.
    func started(_ start: RequestStart) -> Resource {
        guard let id = start.id else { return telling(start.observers) }
        return with { settings in
            for observer in start.observers { settings.progressObservers.append(observer) }
            settings.reservation = IDReservation(id)
        }
    }
}
