// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Resource.Settings {
    /// The directory for downloads without their own destination.
    ///
    /// It is created when needed, for this user only.
    ///
    /// Default: `Cumulus` in the user's cache directory (`Library/Caches` on Apple's systems, otherwise
    /// `XDG_CACHE_HOME` or `~/.cache`), or in the system's temporary directory if that is unknown. The nearest layer
    /// wins. Set it to a path or a `file:` URL; reading it returns the path, as ``Locator/locatorText``.
    public var cachesDirectory: any Locator {
        get { self[key: CachesDirectoryKey.self] }
        set { self[key: CachesDirectoryKey.self] = newValue.locatorText }
    }
}

/// The key of ``Resource/Settings/cachesDirectory``.
enum CachesDirectoryKey: HarmlessSettingKey {
    /// `Cumulus` in the user's cache directory.
    static let defaultValue: String = {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.begins(with: "/") ? $0 : nil }
        }
        #if canImport(Darwin)
        let caches = variable("HOME").map { "\($0)/Library/Caches" }
        #else
        let caches = variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }
        #endif
        return caches.map { "\($0)/Cumulus" } ?? "\(variable("TMPDIR") ?? "/tmp")/Cumulus-\(getuid())"
    }()
}
