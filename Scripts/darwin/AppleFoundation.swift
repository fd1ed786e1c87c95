// SPDX-License-Identifier: Apache-2.0

// Stands in for what Apple's Foundation has and Linux's lacks, or declares otherwise.

public import Dispatch
public import Foundation
public import FoundationNetworking
public import Security

/// The methods of `URLSessionTaskDelegate` that Linux's lacks: optional on Apple's systems, so a misspelt one is never
/// called. `checks` requires those that we implement.
public protocol AppleTaskDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    )
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
}

/// The methods of `URLSessionDelegate` and `URLSessionTaskDelegate` for background sessions, which are optional, too.
public protocol AppleBackgroundDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

extension URLSessionTaskTransactionMetrics {
    // A string on Linux.
    public var remotePort: Int? { nil }
    public var localPort: Int? { nil }
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool { get { true } set {} }
    public var assumesHTTP3Capable: Bool { get { false } set {} }
    public var allowsConstrainedNetworkAccess: Bool { get { true } set {} }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}

extension URLSessionConfiguration {
    // Unavailable on Linux.
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .ephemeral }
    public var waitsForConnectivity: Bool { get { false } set {} }
}

public final class CFWriteStream {
    public init(_ stream: OutputStream) {}
}

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream, _ queue: DispatchQueue?) {}

extension Stream {
    public class func getBoundStreams(
        withBufferSize size: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
}
