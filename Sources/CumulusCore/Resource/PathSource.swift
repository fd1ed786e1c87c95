// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// How the path of a resource, or the part below its parent's, was written.
enum PathSource: Sendable {
    /// As a literal in source code.
    case literal
    /// As a URI template with this text.
    case template(String)
    /// With values, or as data.
    case values

    init(_ path: Result<ChildPath, PathRefusal>) {
        self = if case .success(let child) = path, child.isLiteral { .literal } else { .values }
    }
}

extension EncodedRequest {
    /// The pattern of the URL's path, such as `/users/{id}`: it has few distinct values, as metrics and span names
    /// require.
    ///
    /// It is known if each part of the path below the root is a literal in source code or the path of a URI template.
    /// The endpoints of services also have templates. A root with a path needs at least one template below it. It is
    /// `nil` if values were interpolated, for a link, after a redirect to a different path, and for a request made
    /// without a call.
    public var urlTemplate: String? {
        guard let node, let address = try? node.place.address.get(), address.origin == origin,
            target.before("?").utf8.elementsEqual(address.path(node.snapshot.value(TrailingSlashKey.self)).utf8)
        else { return nil }
        return node.urlTemplate
    }
}

extension ResourceNode {
    /// The pattern of its path; `nil` if a part of the path is data.
    fileprivate var urlTemplate: String? {
        var parts: [Substring] = []
        var hasTemplate = false
        var node = self
        while let parent = node.parent {
            switch node.source {
            case .values: return nil
            case .literal:
                guard let own = try? node.place.address.get().path, let above = try? parent.place.address.get().path
                else { return nil }
                parts.append(Substring(own.utf8.dropFirst(above.utf8.count)))
            case .template(let text):
                hasTemplate = true
                parts.append(text.pathOfTemplate)
            }
            node = parent
        }
        guard !node.isLink, let root = try? node.place.address.get().path else { return nil }
        // The path of a root may be data: a program may have a root for each of many URLs.
        guard hasTemplate || !parts.isEmpty && root == "/" else { return nil }
        parts.append(root[...])
        let segments = parts.reversed().flatMap { $0.parts(at: "/") }.filter { !$0.isEmpty }
        return "/" + segments.joined(separator: "/")
    }
}

extension String {
    /// The text of a template before its query: `users/{id}` of `users/{id}{?page}`.
    fileprivate var pathOfTemplate: Substring {
        let path = before("?", "#")
        return path.ends(with: "{") ? Substring(path.utf8.dropLast()) : path
    }
}
