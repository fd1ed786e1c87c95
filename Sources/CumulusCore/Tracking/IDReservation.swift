// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that the next request takes, and none after it: what its hooks send has numbers of its own.
final class IDReservation: Sendable {
    private let id: RequestID
    private let isTaken = Atomic(false)

    init(_ id: RequestID) { self.id = id }

    /// The number; `nil` once it has been taken.
    func take() -> RequestID? { isTaken.exchange(true, ordering: .relaxed) ? nil : id }
}

extension Settings {
    /// The number of the next request; for handles, which tell it before there is a request.
    var reservation: IDReservation? {
        get { self[IDReservationKey.self] }
        set { self[IDReservationKey.self] = newValue }
    }
}

/// The key of ``Settings/reservation``.
enum IDReservationKey: SettingKey {
    /// None.
    static var defaultValue: IDReservation? { nil }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// It counts requests.
    static var affectsAnswer: Bool { false }
}
