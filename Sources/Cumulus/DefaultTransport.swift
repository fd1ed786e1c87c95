// SPDX-License-Identifier: Apache-2.0

// One import is enough: the core's and the messages' vocabulary come with it.
@_exported public import CumulusCore
@_exported public import HTTPTypes

#if os(Linux) && NIO
import CumulusNIO
#elseif !os(Linux) || URLSession
import CumulusURLSession
#else
#error("Cumulus needs a transport on Linux: enable the trait \"NIO\" or \"URLSession\" in the package's dependency")
#endif

/// The transport that resources use unless you pass a different one.
///
/// On Linux, it is `NIOTransport.shared`, or a `URLSessionTransport` if the package's trait `URLSession` is enabled and
/// `NIO` is not; on Apple's systems, it is a `URLSessionTransport`. It starts on first use, lasts as long as the
/// process, and doesn't need to be shut down: idle connections don't keep a program alive. A server that needs its own
/// limits, TLS configuration or an orderly shutdown creates a transport and passes it to `Resource.init(_:transport:)`.
public enum DefaultTransport {
    #if os(Linux) && NIO
    /// The process-wide transport.
    public static var shared: any Transport { NIOTransport.shared }
    #else
    /// The process-wide transport.
    public static let shared: any Transport = URLSessionTransport()
    #endif
}

extension Resource {
    /// Creates a root whose requests are sent by the process's default transport.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, as a string or as `URL`; if the URL is invalid, the resource's requests
    ///     throw.
    ///   - fileID: The file that `explain` names.
    ///   - line: The line that `explain` names.
    ///   - rules: Sets the root's rules, as `setRules` does.
    public init(
        _ url: some Locator,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ rules: (inout Rules) -> Void = { _ in }
    ) {
        self.init(url, transport: DefaultTransport.shared, fileID: fileID, line: line, rules)
    }
}
