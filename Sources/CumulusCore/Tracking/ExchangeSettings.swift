// SPDX-License-Identifier: Apache-2.0

/// The settings that an answer depends on, compared: who asks (authorizers, interceptors), and how (redirects, limits).
///
/// Where it can't tell that two values are the same, it says that they are not.
struct ExchangeSettings: Sendable, Hashable {
    private let stored: [ObjectIdentifier: any LayeredValue]

    init(_ values: SettingValues) {
        stored = values.ofAnswer
    }

    static func == (left: ExchangeSettings, right: ExchangeSettings) -> Bool {
        left.stored.count == right.stored.count
            && left.stored.allSatisfy { key, value in right.stored[key].map { value.isSame(as: $0) } ?? false }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stored.count) }
}
