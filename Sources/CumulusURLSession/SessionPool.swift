// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport, which ends with the last transport that uses it.
final class SessionPool: Sendable {
    private let session: URLSession
    /// The session for requests that need their own connection; on Apple's systems the same one.
    private let freshSession: URLSession
    // Tasks are numbered by session, so each session has its own delegate.
    private let delegate: SessionDelegate
    private let freshDelegate: SessionDelegate
    /// Whether the program made the session, and ends it itself.
    private let isBorrowed: Bool
    private let isShutDown = Mutex(false)

    /// Creates sessions with a configuration, which is changed.
    init(_ configuration: URLSessionConfiguration, _ policy: ChallengePolicy, _ trust: SystemTrust? = nil) {
        Self.restrict(configuration)
        delegate = SessionDelegate(policy, trust)
        freshDelegate = SessionDelegate(policy, trust)
        isBorrowed = false
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        #if canImport(Darwin)
        freshSession = session
        #else
        freshSession = URLSession(configuration: configuration, delegate: freshDelegate, delegateQueue: queue)
        #endif
    }

    /// Uses a session of the program; on Linux, where a task's own delegate is ignored, sessions with its configuration.
    convenience init(borrowing session: URLSession, _ policy: ChallengePolicy) {
        #if canImport(Darwin)
        self.init(borrowed: session, SessionDelegate(policy, nil))
        #else
        self.init(session.configuration.copy() as? URLSessionConfiguration ?? .ephemeral, policy)
        #endif
    }

    #if canImport(Darwin)
    private init(borrowed session: URLSession, _ delegate: SessionDelegate) {
        (self.session, freshSession) = (session, session)
        (self.delegate, freshDelegate) = (delegate, delegate)
        isBorrowed = true
    }
    #endif

    /// Turns off what the pipeline does itself.
    private static func restrict(_ configuration: URLSessionConfiguration) {
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // The request's own deadlines are the ones that count.
        configuration.timeoutIntervalForRequest = URLSessionTransport.never
        configuration.timeoutIntervalForResource = URLSessionTransport.never
    }

    // A session holds its delegate until it is invalidated.
    deinit {
        if isBorrowed { return }
        for session in [session, freshSession] { session.finishTasksAndInvalidate() }
    }

    /// Whether requests are refused.
    var hasEnded: Bool { isShutDown.withLock(\.self) }

    /// Creates a task and adds its exchange, unless the pool was shut down.
    ///
    /// A task of an invalidated session would end the program.
    func task(
        for exchange: URLSessionExchange,
        onOwnConnection isFresh: Bool,
        _ makeTask: (URLSession) -> URLSessionTask
    ) -> URLSessionTask? {
        isShutDown.withLock { isShutDown in
            if isShutDown { return nil }
            let task = makeTask(isFresh ? freshSession : session)
            let delegate = isFresh ? freshDelegate : delegate
            // "Methods not implemented on this delegate will still be forwarded to the session delegate" (`NSURLSession.h`).
            if isBorrowed { task.delegate = delegate }
            delegate.add(exchange, for: task)
            return task
        }
    }

    /// Ends every exchange, and the sessions unless the program made them.
    func shutDown(_ failure: TransportFailure) {
        // From now on no task is made.
        isShutDown.withLock { $0 = true }
        for delegate in [delegate, freshDelegate] { delegate.failAll(failure) }
        if isBorrowed { return }
        for session in [session, freshSession] { session.invalidateAndCancel() }
    }
}
