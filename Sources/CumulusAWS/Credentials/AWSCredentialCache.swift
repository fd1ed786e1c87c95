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
    private let memory: Mutex<Memory>

    private struct Memory {
        var kept: Kept?
        /// The user of the latest keys: another one with each other key.
        var identity: AuthorizerIdentity
    }

    init(_ source: AWSCredentialSource, now: @escaping @Sendable () -> Date) {
        self.source = source
        self.now = now
        memory = Mutex(Memory(kept: nil, identity: source.fixed.map { AuthorizerIdentity($0) } ?? .unique()))
    }

    /// The user of the latest keys; keys that are fetched later are another user's, unless they are the same.
    var identity: AuthorizerIdentity { memory.withLock(\.identity) }

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
                memory.withLock { memory in
                    let user = AuthorizerIdentity(loaded)
                    if user != memory.identity { memory.identity = user.following(memory.identity) }
                    memory.kept = Kept(loaded, at: now())
                }
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
        memory.withLock { memory in
            guard let own = memory.kept, own.credentials.accessKeyID == refused else { return memory.kept != nil }
            memory.kept = nil
            return true
        }
    }

    /// The cached keys, if their renewal is not yet due.
    private var fresh: AWSCredentials? {
        memory.withLock(\.kept).flatMap { kept in
            kept.renewal.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }

    /// The cached keys, if they haven't expired.
    private var old: AWSCredentials? {
        memory.withLock(\.kept).flatMap { kept in
            kept.credentials.expiration.map { now() < $0 } ?? true ? kept.credentials : nil
        }
    }
}

extension AuthorizerIdentity {
    /// The user of keys.
    fileprivate init(_ keys: AWSCredentials) {
        self.init("AWS", Secret(keys.accessKeyID), keys.secretAccessKey, keys.sessionToken ?? "")
    }
}
