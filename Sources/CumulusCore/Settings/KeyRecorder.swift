// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records the keys that a property of ``Resource/Settings`` reads, to find the keys of a key path.
final class KeyRecorder: Sendable {
    private let noted = Mutex<[any SettingKey.Type]>([])

    var keys: [any SettingKey.Type] { noted.withLock(\.self) }

    func note(_ key: any SettingKey.Type) {
        noted.withLock { keys in if !keys.contains(where: { $0 == key }) { keys.append(key) } }
    }
}
