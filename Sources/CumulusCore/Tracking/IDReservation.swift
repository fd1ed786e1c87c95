// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that only the next request takes: requests that its hooks send have their own numbers.
final class IDReservation: Sendable {
    private let id: RequestID
    private let isTaken = Atomic(false)

    init(_ id: RequestID) { self.id = id }

    /// The number; `nil` once it has been taken.
    func take() -> RequestID? { isTaken.exchange(true, ordering: .relaxed) ? nil : id }
}

extension Settings {
    /// The number of the next request; for handles, which report it before the request exists.
    var reservation: IDReservation? {
        get { self[IDReservationKey.self] }
        set { self[IDReservationKey.self] = newValue }
    }
}

/// The key of ``Settings/reservation``.
enum IDReservationKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: IDReservation? { nil }

    /// False: it only numbers requests.
    static var affectsAnswer: Bool { false }
}
