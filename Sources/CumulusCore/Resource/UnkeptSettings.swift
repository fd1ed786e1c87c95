// SPDX-License-Identifier: Apache-2.0

#if DEBUG
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reports settings that were written to a place that nobody kept, so that no request will ever use them.
///
/// In debug builds only; each line of source is reported once.
enum UnkeptSettings {
    private static let told = Mutex<Set<SettingSource>>([])

    /// Receives the warning; tests replace it.
    @TaskLocal static var report: @Sendable (String) -> Void = { text in
        var line = Array((text + "\n").utf8)
        _ = write(2, &line, line.count)
    }

    static func warn(about place: String, writtenAt source: SettingSource) {
        guard told.withLock({ $0.insert(source).inserted }) else { return }
        report(
            """
            \(source): warning: a setting of \(place) was never used: its place was released first. Each \
            subscript makes a new place, so keep this one in a variable, or set a place that you keep.
            """
        )
    }
}
#endif
