// SPDX-License-Identifier: Apache-2.0

// Stands in for the browser sheet: <AuthenticationServices/ASWebAuthenticationSession.h>.

public import Foundation

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@MainActor public final class ASPresentationAnchor {
    public init() {}
}

@MainActor public final class ASWebAuthenticationSession {
    public struct Callback {
        public static func customScheme(_ scheme: String) -> Callback { Callback() }
    }

    public init(url: URL, callback: Callback, completionHandler: @escaping (URL?, (any Error)?) -> Void) {}
    public var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    public var prefersEphemeralWebBrowserSession = false
    public func start() -> Bool { true }
    public func cancel() {}
}
