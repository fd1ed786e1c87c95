// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Resource {
    /// A child by a path in source code, literal or interpolated: `site["users/\(name)/repos"]`.
    ///
    /// For a string in a variable, use ``subscript(segment:fileID:line:)`` or ``subscript(path:fileID:line:)``.
    /// Leading, trailing and repeated slashes are dropped. See ``ResourcePath`` for what is refused.
    ///
    /// In debug builds, a setting that is written to a place that nobody keeps is reported with `fileID` and `line`.
    public subscript(
        path: ResourcePath,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource { child(path.parsed, at: SettingSource(fileID: fileID, line: line)) }

    /// A string in a variable may be a segment or a path: the label says which.
    @available(*, unavailable, message: "use [segment:] for one segment, or [path:] where / separates segments")
    public subscript(text: String) -> Resource { self[segment: text] }

    /// A child by number.
    public subscript(
        number: some BinaryInteger,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource {
        child(
            .success(ChildPath(path: String(number), endsWithSlash: false, query: Query())),
            at: SettingSource(fileID: fileID, line: line)
        )
    }

    /// A child by a value with a raw value, such as an enum's case: the raw value is one segment, escaped.
    public subscript<Value: RawRepresentable>(
        value: Value,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource where Value.RawValue: CustomStringConvertible {
        self[segment: value.rawValue, fileID: fileID, line: line]
    }

    /// A child by UUID, in lower case as RFC 9562 writes it.
    public subscript(
        id: UUID,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource { self[segment: id.uuidString.lowercased(), fileID: fileID, line: line] }

    /// A child by one segment with any text, all of which is escaped as data.
    ///
    /// Only an empty string, `.` and `..` are refused, since escaping can't protect them.
    public subscript(
        segment value: some CustomStringConvertible,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource {
        var parser = ChildPathParser()
        parser.appendValue(value.description)
        return child(parser.finish(), at: SettingSource(fileID: fileID, line: line))
    }

    /// A child by a string of several segments: `/` separates them; everything else, including `?`, is data.
    public subscript(
        path text: String,
        fileID fileID: StaticString = #fileID,
        line line: UInt = #line
    ) -> Resource {
        var parser = ChildPathParser()
        parser.appendPath(text)
        return child(parser.finish(), at: SettingSource(fileID: fileID, line: line))
    }

    /// The place that a link leads to: absolute, or relative to this resource's URL as RFC 3986 defines.
    ///
    /// This is the only way to another origin. Settings are inherited from this resource; if the link leads to another
    /// origin, authorizers, preflights, interceptors, query items and all but harmless header fields are not sent, and
    /// links followed from there don't get them back. A link's own query is not inherited.
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
            return Resource(place: Place(problem: .url(error)), parent: nil, base: self)
        }
    }

    /// The place that a checked link leads to.
    func follow(_ url: RequestURL) -> Resource {
        var layer = SettingsLayer()
        if let query = url.query {
            layer.write(Query(ofURL: query), for: QueryKey.self, in: LayerContext(origin: url.origin), source: nil)
        }
        // A link without its own settings passes on its base, so that a chain of pages stays short.
        let base = isUntouchedLink ? base ?? self : self
        return Resource(
            place: Place(url),
            parent: nil,
            base: base,
            layer: layer.isEmpty ? nil : layer,
            link: Link(crossesOrigins: link?.crossesOrigins == true || url.origin != place.origin)
        )
    }

    func child(_ path: Result<ChildPath, PathRefusal>, at source: SettingSource? = nil) -> Resource {
        var layer: SettingsLayer?
        if case .success(let child) = path, !child.query.isEmpty {
            var own = SettingsLayer()
            own.write(
                child.query,
                for: QueryKey.self,
                in: LayerContext(origin: place.origin),
                source: nil
            )
            layer = own
        }
        let child = Resource(place: place.appending(path), parent: self, base: self, layer: layer)
        #if DEBUG
        child.note(source)
        #endif
        return child
    }
}
