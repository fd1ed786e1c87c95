// SPDX-License-Identifier: Apache-2.0

/// The settings on which a response depends, for comparison: the identity (authorizers, interceptors) and the handling
/// (redirects, limits).
///
/// Two values that can't be compared count as different.
struct ExchangeSettings: Sendable, Hashable {
    private let stored: [ObjectIdentifier: any LayeredValue]

    init(_ values: SettingValues) {
        stored = values.ofResponse
    }

    /// Compares all settings, also those on which only the value that is made from a response depends.
    init(all values: SettingValues) {
        stored = values.all
    }

    static func == (left: ExchangeSettings, right: ExchangeSettings) -> Bool {
        left.stored.count == right.stored.count
            && left.stored.allSatisfy { key, value in right.stored[key].map { value.isSame(as: $0) } ?? false }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stored.count) }
}
