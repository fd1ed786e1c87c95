// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension RequestURL {
    /// The query's names and values; empty if there are none.
    public var queryItems: Query { Query(parsing: query ?? "") }

    /// Returns the URL with a query merged over its own: items of the other query replace those of the same name.
    ///
    /// - Parameters:
    ///   - other: The names and values; `nil` for a name removes it.
    ///   - style: The style of arrays and nested values.
    /// - Returns: The URL.
    public func merging(_ other: Query, style: QueryStyle = QueryStyle()) -> RequestURL {
        let merged = (query.map { Query(ofURL: $0) } ?? Query()).merging(other)
        return RequestURL(origin: origin, path: path, query: merged.encoded(style))
    }

    /// Returns the URL with segments appended to its path: `/` separates them, and everything else is data, which is
    /// escaped.
    ///
    /// Slashes where the two paths meet become one. The query is kept.
    ///
    /// - Throws: ``PathRefusal`` for a path with `..`, `.`, a scheme, `#`, a backslash or a control character.
    public func appending(path text: String) throws -> RequestURL {
        var parser = ChildPathParser()
        parser.appendPath(text)
        let child = try parser.finish().get()
        guard !child.path.isEmpty else { return self }
        let base = path.ends(with: "/") ? path : "\(path)/"
        return RequestURL(origin: origin, path: base + child.path, query: query)
    }
}
