// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
package import CumulusPrimitives
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The responses stored in a folder, to be inspected or removed by a user.
///
/// It never creates the folder.
package struct CacheListing {
    /// A response in the folder.
    package struct Entry: Sendable {
        /// The request's method.
        package let method: String
        /// The request's URL, without the values of its query.
        package let url: String
        /// A code for its user and its QUERY that reveals neither.
        package let user: String
        package let status: HTTPResponse.Status
        package let fields: HTTPFields
        /// The number of bytes of its body.
        package let length: Int64
        /// The date when its head arrived, or that of the last response that confirmed it.
        package let responseTime: Date
        /// Its age in seconds.
        package let age: Int64
        package let state: State
    }

    /// The rules' result for a response now; all values in seconds.
    package enum State: Sendable, Hashable {
        /// It is served from the cache for this time.
        case fresh(Int64)
        /// It is served while a newer one is fetched; it has been stale for this time.
        case refreshed(Int64)
        /// It must be validated by the server; it has been stale for this time.
        case stale(Int64)
        /// It must be validated by the server for each request.
        case checked
    }

    private let folder: CacheFolder

    /// Opens the cache of a folder; `nil` if no request has stored a response in it.
    ///
    /// - Throws: `FileFailure` if it can't be read, or has another version.
    package init?(in folder: some Locator) throws(FileFailure) {
        guard let folder = try CacheFolder(existingIn: folder.locatorText) else { return nil }
        self.folder = folder
    }

    /// The stored responses, sorted by URL.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` for all.
    ///   - now: The date for which the responses are judged.
    /// - Returns: The responses that can be read.
    package func entries(of url: RequestURL? = nil, at now: Date) -> [Entry] {
        folders(url).flatMap { folder in
            FilePath.names(inDirectory: folder.text).compactMap { entry(FilePath(folder.text, $0), now) }
        }.sorted { ($0.url, $0.method, $0.user) < ($1.url, $1.method, $1.user) }
    }

    /// Removes the responses for a URL, or all.
    ///
    /// - Returns: The number of removed responses.
    package func remove(_ url: RequestURL?) -> Int {
        let count = entries(of: url, at: Date()).count
        for folder in folders(url) { DiskSweep.removeAll(in: folder) }
        return count
    }

    private func folders(_ url: RequestURL?) -> [FilePath] {
        url.map { [folder.folder(of: $0.description)] } ?? DiskSweep(folder).folders
    }

    private func entry(_ path: FilePath, _ now: Date) -> Entry? {
        guard let code = CacheFolder.code(inName: path.name),
            let bytes = (try? PrivateFile(path, longest: StoredHead.longest).read()) ?? nil,
            let head = StoredHead(bytes, of: code, keyedBy: folder.key), hasBody(head, in: path.directory)
        else { return nil }
        let response = head.response
        let resident = CacheTime.elapsed(from: response.responseTime, to: now)
        return Entry(
            method: head.method,
            url: head.url,
            user: String(path.name.prefix(8)),
            status: response.status,
            fields: response.fields,
            length: head.length,
            responseTime: response.responseTime,
            age: response.age(after: resident ?? 0),
            state: State(response, resident)
        )
    }

    private func hasBody(_ head: StoredHead, in folder: String) -> Bool {
        var facts = stat()
        return CacheFolder.isOwn(head.body) && lstat(FilePath(folder, head.body).text, &facts) == 0
            && Int64(facts.st_size) == BodyBlocks.fileLength(of: head.length)
    }
}

extension CacheListing.State {
    /// Judges a response for a request without cache directives.
    init(_ response: CachedResponse, _ resident: Int64?) {
        switch Reuse(response, request: CacheDirectives(), resident: resident, defaultLifetime: nil) {
        case .use(_, let ttl): self = .fresh(ttl)
        case .refresh(_, let ttl): self = .refreshed(-ttl)
        case .stale, .refused:
            guard let resident, !response.directives.noCache else {
                self = .checked
                return
            }
            self = .stale(response.age(after: resident) - response.lifetime(orElse: nil))
        }
    }
}
