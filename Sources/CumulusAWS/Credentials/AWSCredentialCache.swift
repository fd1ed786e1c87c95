// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps credentials until they expire; concurrent callers share one fetch.
final class AWSCredentialCache: Sendable {
    /// Cached keys, and when one caller fetches them again while the others continue with them.
    private struct Kept {
        let credentials: AWSCredentials
        let renewal: Date?

        init(_ credentials: AWSCredentials, at now: Date) {
            self.credentials = credentials
            renewal = credentials.expiration.map { end in
                // Five minutes before the keys expire; for lifetimes of less than ten minutes, halfway through.
                max(end.addingTimeInterval(-300), now.addingTimeInterval(end.timeIntervalSince(now) / 2))
            }
        }
    }

    private let source: AWSCredentialSource
    private let now: @Sendable () -> Date
    private let fetches = WorkTable<Bool, AWSCredentials>()
    private let kept = Mutex<Kept?>(nil)

    init(_ source: AWSCredentialSource, now: @escaping @Sendable () -> Date) {
        self.source = source
        self.now = now
    }

    /// The credentials, fetched if necessary.
    ///
    /// - Throws: What the source threw, or `CancellationError`.
    func credentials() async throws -> AWSCredentials {
        if let fresh = fresh { return fresh }
        let old = old
        if let old, fetches.isUnderWay(true) { return old }
        do {
            return try await fetches.value(for: true) { [self] in
                // Another fetch may have finished in the meantime.
                if let fresh = fresh { return fresh }
                let loaded = try await RequestScope.outside { try await source.load() }
                kept.withLock { $0 = Kept(loaded, at: now()) }
                return loaded
            }
        } catch {
            if let old, !(error is CancellationError), !Task.isCancelled { return old }
            throw error
        }
    }

    /// Forgets refused keys, unless newer ones are already cached.
    ///
    /// - Returns: Whether another fetch may return different keys.
    func forget(_ refused: String?) -> Bool {
        kept.withLock { kept in
            guard let own = kept, own.credentials.accessKeyID == refused else { return kept != nil }
            kept = nil
            return true
        }
    }

    /// The cached keys, if their renewal is not yet due.
    private var fresh: AWSCredentials? {
        kept.withLock(\.self).flatMap { kept in
            kept.renewal.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }

    /// The cached keys, if they haven't expired.
    private var old: AWSCredentials? {
        kept.withLock(\.self).flatMap { kept in
            kept.credentials.expiration.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }
}
