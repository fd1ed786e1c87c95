// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Notes the keys that a property of ``Settings`` reads: how a key path leads to its keys.
final class KeyRecorder: Sendable {
    private let noted = Mutex<[any SettingKey.Type]>([])

    var keys: [any SettingKey.Type] { noted.withLock(\.self) }

    func note(_ key: any SettingKey.Type) {
        noted.withLock { keys in if !keys.contains(where: { $0 == key }) { keys.append(key) } }
    }
}
