// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth

/// The file of a login's token, whose renewals the run waits for.
struct WatchedTokenStore: TokenStore {
    private let file: FileTokenStore
    private let watch: RenewalWatch

    init(_ file: FileTokenStore, _ watch: RenewalWatch) {
        self.file = file
        self.watch = watch
    }

    func token() async throws -> OAuth2Token? { try await file.token() }

    func keep(_ token: OAuth2Token?) async throws { try await file.keep(token) }

    func exclusively<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await file.exclusively { [file, watch] in
            // Without a refresh token nothing can be lost.
            guard try await file.token()?.refresh != nil else { return try await work() }
            return try await watch.watching(work)
        }
    }
}
