// SPDX-License-Identifier: Apache-2.0

/// The data of a prepared request's start: who gets its progress, and its number.
struct RequestStart: Sendable {
    var observers: [ProgressObserver] = []
    var id: RequestID?
}

extension Resource {
    /// The resource as a start's request sees it.
    func started(_ start: RequestStart) -> Resource {
        guard let id = start.id else { return telling(start.observers) }
        return with { settings in
            for observer in start.observers { settings.progressObservers.append(observer) }
            settings.reservation = IDReservation(id)
        }
    }
}
