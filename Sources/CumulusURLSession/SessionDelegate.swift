// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes each callback of a session to its exchange.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])
    private let policy: ChallengePolicy
    /// The TLS settings in the system's form; `nil` for those of the system.
    private let trust: SystemTrust?

    init(_ policy: ChallengePolicy, _ trust: SystemTrust?) { (self.policy, self.trust) = (policy, trust) }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Ends every exchange that is still running.
    func failAll(_ error: any Error) {
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.fail(error) }
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The pipeline decides about redirects; without a new request, the redirect itself is the response.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        switch policy.response(to: space, failures: challenge.previousFailureCount) {
        case .use(let credential): completionHandler(.useCredential, credential)
        case .systemsOwn: completionHandler(.performDefaultHandling, nil)
        case .identify(let origin): completionHandler(.useCredential, credential(for: origin))
        case .verify(let check):
            if let reason = refusal(of: space, by: check) {
                exchange(task)?.refuseServer(reason)
                completionHandler(.cancelAuthenticationChallenge, nil)
            } else {
                completionHandler(.useCredential, serverCredential(space))
            }
        case .none:
            switch exchange(task)?.challenged() {
            case .end: completionHandler(.cancelAuthenticationChallenge, nil)
            case .withoutCredentials, nil: completionHandler(ChallengePolicy.refusal, nil)
            }
        }
    }

    #if canImport(Darwin)
    private func credential(for origin: Origin) -> URLCredential? { trust?.credential(for: origin) }

    private func serverCredential(_ space: URLProtectionSpace) -> URLCredential? {
        space.serverTrust.map { URLCredential(trust: $0) }
    }

    private func refusal(of space: URLProtectionSpace, by check: ServerCheck) -> String? {
        guard let trust, let server = space.serverTrust else { return "it presented no certificate" }
        return trust.refusal(of: server, by: check)
    }
    #else
    // There is no transport with such settings.
    private func credential(for origin: Origin) -> URLCredential? { nil }
    private func serverCredential(_ space: URLProtectionSpace) -> URLCredential? { nil }
    private func refusal(of space: URLProtectionSpace, by check: ServerCheck) -> String? { "it can't be verified" }
    #endif

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        // The pipeline has its own cache; a session of the program may have one, too.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(error)
    }

    #if canImport(Darwin)
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        exchange(task)?.received(response)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchange(task)?.waitsForConnectivity()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let stream = UploadStream.make() else { return completionHandler(nil) }
        guard exchange(task)?.sendBody(to: stream.sink) == true else {
            stream.sink.close()
            return completionHandler(nil)
        }
        completionHandler(stream.input)
    }

    // It comes before the task's completion.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(task)?.measured(metrics.transactionMetrics.map { TransactionRecord($0) })
    }
    #endif
}
