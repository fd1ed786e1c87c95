// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes each callback of a background session to the table of transfers.
final class BackgroundSessionDelegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, Sendable {
    private let table: TransferTable
    private let launches: BackgroundLaunches

    init(_ table: TransferTable, _ launches: BackgroundLaunches) { (self.table, self.launches) = (table, launches) }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        table.progressed(downloadTask, completed: totalBytesWritten, total: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        table.progressed(task, completed: totalBytesSent, total: totalBytesExpectedToSend)
    }

    // The system removes the file when this method returns.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        launches.receivedResult()
        table.arrived(downloadTask, location.locatorText, TaskResponse(downloadTask.response))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        table.received(dataTask, data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        launches.receivedResult()
        table.completed(task, TaskResponse(task.response), error, at: task.currentRequest?.url)
    }

    #if canImport(Darwin)
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Default handling would offer the credentials of the system: a Kerberos ticket, a certificate of the keychain.
        // `NSURLAuthenticationMethodServerTrust`, whose name is unavailable where this is type-checked.
        let isServer = challenge.protectionSpace.authenticationMethod == "NSURLAuthenticationMethodServerTrust"
        completionHandler(isServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        let launches = launches
        let count = launches.resultCount
        table.events.afterEvents { Task { @MainActor in launches.finish(after: count) } }
    }
    #endif
}

/// The system's completion handlers, which it passes to an app that it has launched or resumed for a session's events.
@MainActor final class BackgroundLaunches {
    private var handlers: [() -> Void] = []
    /// The number of callbacks at an end of events for which no handler had arrived; `nil` if it had.
    private var deliveredCount: Int?
    private nonisolated let count = Mutex(0)

    nonisolated init() {}

    /// The number of callbacks so far that may end a transfer.
    nonisolated var resultCount: Int { count.withLock { $0 } }

    /// Counts a callback that may end a transfer.
    nonisolated func receivedResult() { count.withLock { $0 += 1 } }

    /// Adds a handler, which is called after the events.
    func add(_ handler: @escaping () -> Void) {
        handlers.append(handler)
        // An end of events before later results is not the one that the handler waits for.
        if let deliveredCount, deliveredCount == resultCount { finish(after: deliveredCount) }
    }

    /// Calls the handlers: the events have been delivered.
    ///
    /// - Parameter count: The number of these callbacks when the system reported the end of the events.
    func finish(after count: Int) {
        deliveredCount = handlers.isEmpty ? count : nil
        let handlers = handlers
        self.handlers = []
        for handler in handlers { handler() }
    }
}
