// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Resource {
    /// The resource's URL with its query; `nil` if its URL or path was refused.
    public var url: URL? { urlString.flatMap { URL(string: $0) } }

    /// The resource's URL with its query, as text; `nil` if its URL or path was refused.
    public var urlString: String? { try? requestURL().description }

    /// The encoded query that is sent with each request; `nil` for none.
    public var queryString: String? {
        let settings = snapshot
        return settings.value(QueryKey.self).encoded(settings.value(QueryStyleKey.self))
    }

    /// The path below the parent, or, for a root, the path of its URL.
    public var relativePath: String? {
        guard let path = try? place.address.get().path else { return nil }
        guard let above = try? parent?.place.address.get().path, path.begins(with: above) else { return path }
        return String(Substring(path.utf8.dropFirst(above.utf8.count)).dropping("/"))
    }

    /// Returns the URL of a request on this resource, including its whole query.
    ///
    /// - Parameter query: Items of the request, merged over those of the resource.
    /// - Returns: The URL; its query may contain secrets.
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidURL`` or ``CumulusError/Code/invalidPath``.
    public func requestURL(query: Query = [:]) throws -> RequestURL {
        let address = try addressOrRefusal()
        let settings = snapshot
        let whole = settings.value(QueryKey.self).merging(query)
        return RequestURL(
            origin: address.origin,
            path: address.path(settings.value(TrailingSlashKey.self)),
            query: whole.encoded(settings.value(QueryStyleKey.self))
        )
    }

    func addressOrRefusal() throws -> Place.Address {
        do {
            return try place.address.get()
        } catch .url(let malformation) {
            throw CumulusError(.invalidURL, stage: .addressing, malformation.description, cause: malformation)
        } catch .path(let refusal) {
            throw CumulusError(.invalidPath, stage: .addressing, refusal.description, cause: refusal)
        }
    }
}

extension Resource: Redacted {
    /// The URL with query values redacted, or the reason why the resource has no URL.
    public var description: String {
        do {
            return try requestURL().redacted
        } catch let error as CumulusError {
            return "<\(error.message)>"
        } catch {
            return "<\(error)>"
        }
    }
}
