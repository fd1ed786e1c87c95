// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// A transport that records exchanges in a file, or replays those in a file, in the format HAR 1.2.
///
/// ```swift
/// let site = Resource("https://api.example.com") {
///     $0.transport = .recording(to: "Recordings/posts.har", over: DefaultTransport.shared)
/// }
/// let posts = try await site["posts"].get(as: JSON.self)  // sent in the first run, replayed in all others
/// ```
///
/// Requests are matched by method and URL, and by other parts if the options specify them. Each recorded response is
/// used once, in the order in which the requests were recorded. Secrets are redacted before anything is written
/// (`SecretRedaction`), and matching ignores them. Bodies are recorded without their content codings; bodies of 256 KiB
/// or more are stored in a folder next to the file; its name is the file's name with `.bodies` appended. Failures,
/// interrupted bodies and cancelled calls are also recorded.
///
/// Each exchange is added to the file, in place, as soon as it has ended. If another program or recording writes to the
/// same file in the meantime, requests fail instead of losing exchanges.
///
/// Files from browsers, and from proxies such as Charles, can be replayed. If there is a problem with the file,
/// requests throw a `CumulusError` with the code `CumulusError.Code.fixture`, whose cause is a ``RecordingProblem``.
public final class RecordingTransport: Transport {
    /// The source of responses, and where they are recorded.
    private struct Plan {
        /// The recorded exchanges; `nil` if nothing is replayed.
        var index: RecordingIndex?
        /// `nil` if nothing is recorded.
        var recording: (file: RecordingFile, next: any Transport)?
    }

    /// The capabilities of the transport that sends the requests, or those of a transport that sends nothing.
    public let capabilities: TransportCapabilities
    private let plan: Result<Plan, RecordingProblem>
    private let folder: BodyFolder
    private let options: RecordingOptions
    private let file: String

    /// Creates a transport that records, or replays earlier recordings.
    ///
    /// - Parameters:
    ///   - file: The file: a path or a `file:` URL. Its folder is created if necessary.
    ///   - mode: The condition under which requests are sent and recorded.
    ///   - next: The transport that sends the requests.
    ///   - options: The requests that match, and the recorded content.
    public init(
        to file: some Locator,
        _ mode: RecordingOptions.Mode = .once,
        over next: any Transport,
        options: RecordingOptions = RecordingOptions()
    ) {
        let path = file.locatorText
        let isReplay = mode == .once && FilePath(path).exists
        plan = RecordingTransport.plan(path, mode, over: isReplay ? nil : next, options)
        capabilities = isReplay ? RecordingTransport.offline : RecordingTransport.capabilities(over: next)
        folder = BodyFolder(of: path)
        self.file = path
        self.options = options
    }

    /// Creates a transport that replays a file and sends nothing.
    ///
    /// - Parameters:
    ///   - file: The file: a path or a `file:` URL.
    ///   - options: The requests that match.
    public init(from file: some Locator, options: RecordingOptions = RecordingOptions()) {
        let path = file.locatorText
        plan = RecordingTransport.plan(path, .once, over: nil, options)
        capabilities = RecordingTransport.offline
        folder = BodyFolder(of: path)
        self.file = path
        self.options = options
    }

    private static func plan(
        _ path: String,
        _ mode: RecordingOptions.Mode,
        over next: (any Transport)?,
        _ options: RecordingOptions
    ) -> Result<Plan, RecordingProblem> {
        guard let next else {
            return read(path).map { Plan(index: RecordingIndex($0.exchanges, file: path, options)) }
        }
        let previous = FileState(at: path)
        guard mode == .new, previous != .missing else {
            let replaced = mode == .always ? nil : FileState.missing
            return .success(Plan(recording: (RecordingFile(path, replacing: replaced), next)))
        }
        return read(path).map { contents in
            let index = RecordingIndex(contents.exchanges, file: path, options)
            let file = RecordingFile(path, entries: contents.entries, replacing: previous)
            return Plan(index: index, recording: (file, next))
        }
    }

    private static func read(
        _ path: String
    ) -> Result<(exchanges: [RecordedExchange], entries: [JSON]), RecordingProblem> {
        do throws(RecordingProblem) {
            return .success(try HARReader(file: path).read())
        } catch {
            return .failure(error)
        }
    }

    private static let offline: TransportCapabilities = {
        var capabilities = TransportCapabilities()
        // It connects to nothing; addresses in URLs are checked before.
        capabilities.guardsAddresses = true
        capabilities.sendsTrailers = true
        capabilities.ignoresProxies = true
        return capabilities
    }()

    private static func capabilities(over next: any Transport) -> TransportCapabilities {
        var capabilities = next.capabilities
        // A request may wait for the disk, so the call needs a task of its own.
        capabilities.attachesExchanges = false
        return capabilities
    }

    private var next: (any Transport)? { (try? plan.get())?.recording?.next }

    /// Whether the calling thread belongs to the transport that sends the requests.
    public var isOnOwnThread: Bool { next?.isOnOwnThread ?? false }

    /// Returns the sending transport's client, over a different route if responses may come from the file.
    public func identity(at origin: Origin) -> TransportIdentity {
        let isReplay = (try? plan.get())?.index != nil
        let own = next?.identity(at: origin) ?? .anonymous
        return isReplay || next == nil ? own.over("recording") : own
    }

    /// Replays the response to a request, or sends and records it.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        do {
            let plan = try plan.get()
            var request = request
            if let index = plan.index {
                let replay = RecordingReplay(file: file, folder: folder, options: options)
                let key = try await replay.key(of: &request)
                if let exchange = index.take(key) { return try await replay.response(exchange, to: request) }
                guard plan.recording != nil else { throw index.problem(with: key) }
            }
            guard let (file, next) = plan.recording else { throw RecordingProblem(.unreadable, file, "it is not open") }
            return try await RecordedCall(request, to: file, in: folder, options).send(over: next)
        } catch let problem as RecordingProblem {
            throw problem.error
        }
    }

    /// Writes everything that has been recorded.
    ///
    /// If you don't call this method, the file is written at the end of each exchange, or soon after a cancelled exchange.
    ///
    /// - Throws: `CumulusError` if the file can't be written.
    public func save() async throws { try await (try? plan.get())?.recording?.file.save() }
}

extension Transport where Self == RecordingTransport {
    /// Creates a transport that records to a file, or replays an earlier recording; see ``RecordingTransport``.
    ///
    /// - Parameters:
    ///   - file: The file: a path or a `file:` URL.
    ///   - mode: The condition under which requests are sent and recorded.
    ///   - next: The transport that sends the requests.
    ///   - options: The requests that match, and the recorded content.
    /// - Returns: The transport.
    public static func recording(
        to file: some Locator,
        _ mode: RecordingOptions.Mode = .once,
        over next: any Transport,
        options: RecordingOptions = RecordingOptions()
    ) -> RecordingTransport { RecordingTransport(to: file, mode, over: next, options: options) }

    /// Creates a transport that replays a file and sends nothing; see ``RecordingTransport``.
    ///
    /// - Parameters:
    ///   - file: The file: a path or a `file:` URL.
    ///   - options: The requests that match.
    /// - Returns: The transport.
    public static func replaying(
        from file: some Locator,
        options: RecordingOptions = RecordingOptions()
    ) -> RecordingTransport { RecordingTransport(from: file, options: options) }
}
