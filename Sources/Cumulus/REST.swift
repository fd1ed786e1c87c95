// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// One-off calls to any URL: `try await REST["https://api.example.com/health"].get()`.
///
/// `REST[url]` is a resource like any other, in a tree that all one-off calls of the program share.
public enum REST {
    /// Where all URLs inherit from.
    private static let root = Resource(nowhere: "`REST` itself has no URL", transport: DefaultTransport.shared)

    /// The resource at a URL.
    ///
    /// A resource at an origin (`REST["https://api.example.com"]`) has the rules for all calls to that origin.
    public static subscript(_ url: some Locator) -> Resource { Resource(url.locatorText, over: root) }

    /// Changes the rules of all one-off calls, to any URL.
    ///
    /// A limit applies to all of these calls together. Credentials that are set here are not bound to a server, so they
    /// are never sent. Set credentials on an origin instead.
    public static func setRules(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Rules) -> Void
    ) {
        root.setRules(fileID: fileID, line: line, edit)
    }

    /// All one-off calls that are running, oldest first.
    public static var runningCalls: [ListedCall] { root.runningCalls }

    /// Cancels all one-off calls that are running: their callers receive `CancellationError`.
    ///
    /// - Returns: The number of cancelled calls.
    @discardableResult
    public static func cancelAll() -> Int { root.cancelAll() }
}
