// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Cumulus
import Foundation
import Synchronization

/// Signs in with OAuth 2 in the system's browser sheet, and receives the redirect by the app's own scheme (RFC 8252
/// section 7.1).
nonisolated final class WebSignIn: RedirectReceiver {
    /// The sheet's redirect belongs to another sign-in.
    struct UnexpectedRedirect: Error {}

    private let scheme: String
    private let sheet = Mutex<Task<URL, any Error>?>(nil)

    /// Creates a receiver for a scheme of the app, which needs no entry in Info.plist.
    init(scheme: String) { self.scheme = scheme }

    /// Shows the page: the grant's `present`.
    func present(_ text: String) throws {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        sheet.withLock { sheet in
            sheet = Task { @MainActor [scheme] in try await BrowserSheet(scheme: scheme).callback(from: url) }
        }
    }

    func receive(
        _ isExpected: @escaping @Sendable (Query) -> Bool,
        _ begin: @escaping Begin
    ) async throws -> Query {
        try await begin("\(scheme)://callback")
        guard let task = sheet.withLock(\.self) else { throw CancellationError() }
        let url = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        let query = Query(parsing: URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "")
        guard isExpected(query) else { throw UnexpectedRedirect() }
        return query
    }
}

/// One use of the sheet.
private final class BrowserSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let scheme: String
    private var session: ASWebAuthenticationSession?
    private var continuation: CheckedContinuation<URL, any Error>?

    init(scheme: String) { self.scheme = scheme }

    /// Shows the sheet until it redirects to the scheme, or is closed.
    func callback(from url: URL) async throws -> URL {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                let callback = ASWebAuthenticationSession.Callback.customScheme(scheme)
                let session = ASWebAuthenticationSession(url: url, callback: callback) { @Sendable url, error in
                    Task { @MainActor in self.end(with: url, error) }
                }
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = true
                self.session = session
                if Task.isCancelled || !session.start() { end(with: nil, CancellationError()) }
            }
        } onCancel: {
            Task { @MainActor in
                self.session?.cancel()
                self.end(with: nil, CancellationError())
            }
        }
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { ASPresentationAnchor() }

    private func end(with url: URL?, _ error: (any Error)?) {
        guard let continuation else { return }
        (self.continuation, session) = (nil, nil)
        continuation.resume(with: url.map { .success($0) } ?? .failure(error ?? CancellationError()))
    }
}
