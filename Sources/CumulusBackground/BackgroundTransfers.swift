// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Downloads and uploads of files that continue while the app is suspended, and after it has ended.
///
/// Create one for each identifier when the app is launched, and keep it until the end of the process. It finds the
/// transfers of earlier processes from private records, and reports their results.
///
/// ```swift
/// let transfers = try BackgroundTransfers(identifier: "com.example.atlas.maps")
/// try await transfers.download(site["maps/europe.zip"], to: folder.appending(path: "europe.zip"))
/// for await event in transfers.events { show(event) }
/// ```
///
/// A transfer's request is encoded and authorized once, when it starts. After that, only the system acts, so a
/// resource's interceptors, retries, redirect policy, rate limits, time limits and validators don't apply, and neither
/// does its transport with its TLS settings and pinned keys. The system repeats interrupted transfers itself, and
/// follows redirects with all header fields (``BackgroundTransferOptions/allowsCredentialsOnRedirects``).
///
/// Linux has no background sessions, so ``init(identifier:records:configure:)`` throws there.
public final class BackgroundTransfers: Sendable {
    /// The identifier of the session.
    public let identifier: String
    private let table: TransferTable
    private let session: URLSession
    private let launches: BackgroundLaunches

    /// Creates the session with an identifier, or attaches to the session of an earlier process.
    ///
    /// - Parameters:
    ///   - identifier: The session's identifier, unique among the app and its extensions, and not used with any other
    ///     `URLSession`.
    ///   - records: The folder of the records, created when it is needed, for this user only. Default:
    ///     `Cumulus/background` in the folder for application support. The app and each extension have separate records
    ///     in it.
    ///   - configure: Changes the configuration, once: `isDiscretionary`, `allowsCellularAccess`,
    ///     `sharedContainerIdentifier`. Its cookies, cache, credentials and additional header fields have no effect.
    /// - Throws: `CumulusError`: `CumulusError.Code.unsupported` on Linux; `CumulusError.Code.fileInUse` if this
    ///   process already has transfers with the identifier; `CumulusError.Code.disk` if the folder can't be created.
    public convenience init(
        identifier: String,
        records: (any Locator)? = nil,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) throws {
        #if canImport(Darwin)
        guard Self.identifiers.withLock({ $0.insert(identifier).inserted }) else {
            let message = "this process already has background transfers with the identifier \"\(identifier)\""
            throw CumulusError(.fileInUse, stage: .preflight, message)
        }
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configure(configuration)
        do {
            try self.init(identifier, records?.locatorText, configuration)
        } catch {
            _ = Self.identifiers.withLock { $0.remove(identifier) }
            throw error
        }
        #else
        let message = "there are no background sessions on this platform; use a download with resume or an upload"
        throw CumulusError(.unsupported, stage: .preflight, message)
        #endif
    }

    /// The identifiers in use, of which a second session would have undefined behavior.
    private static let identifiers = Mutex<Set<String>>([])

    /// Creates a session with a configuration, which is changed.
    init(_ identifier: String, _ records: String?, _ configuration: URLSessionConfiguration) throws {
        self.identifier = identifier
        // The records are read before the system reports anything.
        table = TransferTable(try TransferRecords(identifier: identifier, in: records))
        launches = BackgroundLaunches()
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        // They could be credentials that no check has seen.
        configuration.httpAdditionalHeaders = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let delegate = BackgroundSessionDelegate(table, launches)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        // On the delegate's queue, so that no callback comes in between.
        session.getAllTasks { [table] tasks in queue.addOperation { table.attach(tasks) } }
    }

    /// The events of all transfers, including those that ended before this process.
    public var events: BackgroundEvents { BackgroundEvents(queue: table.events) }

    /// The transfers that have no result yet, in no particular order.
    public var running: [BackgroundTransfer] { table.running }

    /// Downloads a resource to a file.
    ///
    /// The destination is written in one step after a complete response with status 2xx that has the expected digest.
    /// Otherwise the received file is removed, and the destination stays as it was. The body of a response with any
    /// other status is part of the error, up to 1 MiB.
    ///
    /// - Parameters:
    ///   - resource: The resource, which is requested with GET.
    ///   - file: The file's path or its `file:` URL; its directory must exist.
    ///   - options: The treatment of an existing file, the checksum, and the use of credentials.
    /// - Returns: The transfer, which the system has started.
    /// - Throws: `CumulusError`: `CumulusError.Code.refused` for a request with credentials, or without https except to
    ///   this machine; `CumulusError.Code.unsupported` for a request that the system can't send on its own;
    ///   `CumulusError.Code.fileExists`; `CumulusError.Code.disk` if the directory does not exist, or the record can't
    ///   be written; and the errors of encoding and authorization.
    @discardableResult
    public func download(
        _ resource: Resource,
        to file: some Locator,
        options: BackgroundTransferOptions = .init()
    ) async throws -> BackgroundTransfer {
        let path = FilePath(file.locatorText).absolute ?? file.locatorText
        return try await start(resource.call(.get), to: path, options)
    }

    /// Uploads a file to a resource.
    ///
    /// The file must stay as it is until the transfer ends. A response with a status other than 2xx is an error. A
    /// redirect to a different origin is also an error, because the system may have sent the file there.
    ///
    /// - Parameters:
    ///   - file: The file's path or its `file:` URL.
    ///   - resource: The resource.
    ///   - method: The method. Default: PUT.
    ///   - options: The options; only ``BackgroundTransferOptions/allowsCredentialsOnRedirects`` has an effect.
    /// - Returns: The transfer, which the system has started.
    /// - Throws: `CumulusError`, as for ``download(_:to:options:)``; `CumulusError.Code.encoding` for a file that is
    ///   missing, can't be read, or has changed its size in the meantime.
    @discardableResult
    public func upload(
        _ file: some Locator,
        to resource: Resource,
        method: HTTPRequest.Method = .put,
        options: BackgroundTransferOptions = .init()
    ) async throws -> BackgroundTransfer {
        try await start(resource.call(method, .file(file)), to: nil, options)
    }

    /// Cancels a transfer, whose result is then `CancellationError`.
    ///
    /// It has no effect after the transfer's end, or while the file is moved to the destination.
    public func cancel(_ transfer: BackgroundTransfer) { table.cancel(transfer.id) }

    /// Calls the system's completion handler after the events for which the system launched or resumed the app.
    ///
    /// Call it in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. If a loop reads ``events``, the
    /// handler is called when the loop has handled them.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the session, as the system passes it.
    ///   - completionHandler: The system's completion handler.
    /// - Returns: Whether `identifier` is that of this session; if not, the handler is not called.
    @discardableResult
    @MainActor public func handleEvents(
        forBackgroundSession identifier: String,
        completionHandler: @escaping () -> Void
    ) -> Bool {
        guard identifier == self.identifier else { return false }
        launches.add(completionHandler)
        return true
    }

    private func start(
        _ call: Call<Response>,
        to destination: String?,
        _ options: BackgroundTransferOptions
    ) async throws -> BackgroundTransfer {
        let rule = try ExistingFileRule(options.existing)
        let allowsCredentials = options.allowsCredentialsOnRedirects
        let request = try await TransferRequest(call, destination: destination, allowsCredentials: allowsCredentials)
        if let destination { try FileDelivery.check(destination, rule, request: request.encoded) }
        try Task.checkCancellation()
        if destination == nil { try request.checkFile() }
        return try await table.start(request, options) { [session] in
            destination == nil
                ? session.uploadTask(with: request.urlRequest, fromFile: URL(fileURLWithPath: request.file))
                : session.downloadTask(with: request.urlRequest)
        }
    }
}
