// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps credentials until they end; many callers at once make one fetch.
final class AWSCredentialCache: Sendable {
    /// Keys and when they are fetched again, by one caller, while the others go on with them.
    private struct Kept {
        let credentials: AWSCredentials
        let renewal: Date?

        init(_ credentials: AWSCredentials, at now: Date) {
            self.credentials = credentials
            renewal = credentials.expiration.map { end in
                // Five minutes before they end; those that live for less than ten, in the middle of their life.
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

    /// The credentials, fetched if need be.
    ///
    /// - Throws: What the source threw, or `CancellationError`.
    func credentials() async throws -> AWSCredentials {
        if let fresh = fresh { return fresh }
        let old = old
        if let old, fetches.isUnderWay(true) { return old }
        do {
            return try await fetches.value(for: true) { [self] in
                // Another fetch may have ended since this one was found necessary.
                if let fresh = fresh { return fresh }
                let loaded = try await source.load()
                kept.withLock { $0 = Kept(loaded, at: now()) }
                return loaded
            }
        } catch {
            if let old, !(error is CancellationError), !Task.isCancelled { return old }
            throw error
        }
    }

    /// Forgets keys that were refused, unless others have come since.
    ///
    /// - Returns: Whether another fetch may bring others.
    func forget(_ refused: String?) -> Bool {
        kept.withLock { kept in
            guard let own = kept, own.credentials.accessKeyID == refused else { return kept != nil }
            kept = nil
            return true
        }
    }

    /// What is kept, if it is not yet time to renew it.
    private var fresh: AWSCredentials? {
        kept.withLock(\.self).flatMap { kept in
            kept.renewal.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }

    /// What is kept, if it hasn't ended.
    private var old: AWSCredentials? {
        kept.withLock(\.self).flatMap { kept in
            kept.credentials.expiration.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }
}
