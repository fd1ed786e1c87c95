// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Resource {
    /// A child by a path in source code, literal or interpolated: `site["users/\(name)/repos"]`.
    ///
    /// For a string in a variable, use ``subscript(segment:)`` or ``subscript(path:)``.
    /// Leading, trailing and repeated slashes are dropped. ``ResourcePath`` lists the paths that are refused.
    public subscript(path: ResourcePath) -> Resource { child(path.parsed) }

    /// A string in a variable may be a segment or a path: the label decides.
    @available(*, unavailable, message: "use [segment:] for one segment, or [path:] where / separates segments")
    public subscript(text: String) -> Resource { self[segment: text] }

    /// A child by number.
    public subscript(number: some BinaryInteger) -> Resource {
        child(.success(ChildPath(path: String(number), endsWithSlash: false, query: Query())))
    }

    /// A child by a raw value, such as that of an enum case, which is escaped as one segment.
    public subscript<Value: RawRepresentable>(
        value: Value
    ) -> Resource where Value.RawValue: CustomStringConvertible {
        self[segment: value.rawValue]
    }

    /// A child by UUID, in lower case as RFC 9562 writes it.
    public subscript(
        id: UUID
    ) -> Resource { self[segment: id.uuidString.lowercased()] }

    /// A child by one segment with any text, all of which is escaped as data.
    ///
    /// Only an empty string, `.` and `..` are refused, since escaping can't protect them.
    public subscript(
        segment value: some CustomStringConvertible
    ) -> Resource {
        var parser = ChildPathParser()
        parser.appendValue(value.description)
        return child(parser.finish())
    }

    /// A child by a string of several segments: `/` separates them; everything else, including `?`, is data.
    public subscript(
        path text: String
    ) -> Resource {
        var parser = ChildPathParser()
        parser.appendPath(text)
        return child(parser.finish())
    }

    /// Returns the place that a link leads to; the link may be absolute, or relative to this resource's URL (RFC 3986).
    ///
    /// Within the tree's origin, the place has the rules of its own path, beginning with the root's, and this
    /// resource's overrides. This is the only way to reach a different origin. There, the place has only the settings
    /// that may cross origins. Authorizers, preflights, interceptors, query items and all but harmless header fields
    /// don't apply, and links followed from there don't restore them. A link's own query is not inherited.
    public func follow(_ link: some Locator) -> Resource {
        guard case .success(let address) = place.address else { return self }
        return follow(link.locatorText, from: address.path(snapshot.value(TrailingSlashKey.self)))
    }

    /// The place that a link leads to, relative to an encoded path of this origin.
    func follow(_ link: String, from path: String) -> Resource {
        guard case .success(let address) = place.address else { return self }
        do {
            return try follow(RequestURL(origin: address.origin, path: path, query: nil).resolving(link))
        } catch {
            return Resource(node.refusing(.url(error)))
        }
    }

    /// The place that a checked link leads to.
    func follow(_ url: RequestURL) -> Resource { Resource(node.following(url)) }

    func child(_ path: Result<ChildPath, PathRefusal>) -> Resource { Resource(node.child(path)) }
}
