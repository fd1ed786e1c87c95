// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Resource.Settings {
    /// Header fields that are sent with each request, merged by name from the root to the request; the nearest wins.
    ///
    /// `nil` for a name masks the inherited field. Default: none. `User-Agent`, `Accept-Encoding` (``contentCodings``),
    /// and `Accept` if you request a type, are filled in unless you set or mask them.
    public var headers: Headers {
        get { self[key: HeadersKey.self] }
        set { self[key: HeadersKey.self] = newValue }
    }

    /// Query items that are sent with each request, merged by name from the root to the request; the nearest wins.
    ///
    /// `nil` for a name masks the inherited item. Default: none.
    public var query: Query {
        get { self[key: QueryKey.self] }
        set { self[key: QueryKey.self] = newValue }
    }

    /// The style of arrays and nested values in queries.
    ///
    /// Default: `k%5B%5D=1&k%5B%5D=2`. The nearest layer wins.
    public var queryStyle: QueryStyle {
        get { self[key: QueryStyleKey.self] }
        set { self[key: QueryStyleKey.self] = newValue }
    }

    /// How a slash at the end of a path is treated; see ``TrailingSlash``.
    ///
    /// Default: removed. The nearest layer wins.
    public var trailingSlash: TrailingSlash {
        get { self[key: TrailingSlashKey.self] }
        set { self[key: TrailingSlashKey.self] = newValue }
    }

    /// The size limit of a response's decoded body in memory, in bytes.
    ///
    /// A longer body fails with ``CumulusError/Code/bodyTooLarge``, and so does one that exceeds the limit by more than
    /// 1 MiB before it is decoded. A body that inflates to more than 12 MiB, and to more than 200 times the received
    /// bytes, fails with ``CumulusError/Code/contentCoding``. `.max` turns these limits off.
    ///
    /// Default: 100 MB. The nearest layer wins.
    public var maxBodySize: Int {
        get { self[key: MaxBodySizeKey.self] }
        set { self[key: MaxBodySizeKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/headers``.
enum HeadersKey: UncomparedSettingKey {
    /// None.
    static var defaultValue: Headers { Headers() }
    /// The nearer value of each name wins.
    static func combine(inherited: Headers, own: Headers) -> Headers { inherited.merging(own) }
    /// The fields, with secrets redacted.
    static func describe(_ value: Headers) -> String {
        value.entries.map { entry in
            let values = entry.values?.map { Redaction.value($0, of: entry.name.text) }
            return "\(entry.name.text): \(values?.joined(separator: ", ") ?? "(masked)")"
        }.joined(separator: "; ")
    }
}

/// The key of ``Resource/Settings/query``.
enum QueryKey: UncomparedSettingKey {
    /// None.
    static var defaultValue: Query { Query() }
    /// The nearer value of each name wins.
    static func combine(inherited: Query, own: Query) -> Query { inherited.merging(own) }
    /// The names; values may be tokens.
    static func describe(_ value: Query) -> String {
        value.items.map { "\($0.name)=\($0.value == nil ? "(masked)" : "<redacted>")" }.joined(separator: "&")
    }
}

/// The key of ``Resource/Settings/queryStyle``.
enum QueryStyleKey: HarmlessSettingKey, UncomparedSettingKey {
    /// Brackets, escaped.
    static var defaultValue: QueryStyle { QueryStyle() }

    /// The style in words.
    static func describe(_ value: QueryStyle) -> String {
        "arrays by \(value.arrays)" + (value.booleans == .literal ? "" : ", booleans as 1 and 0")
            + (value.sendsLiteralBrackets ? ", brackets as they are" : "")
    }
}

/// The key of ``Resource/Settings/trailingSlash``.
enum TrailingSlashKey: HarmlessSettingKey {
    /// Removed.
    static var defaultValue: TrailingSlash { .removed }
}

/// The key of ``Resource/Settings/maxBodySize``.
enum MaxBodySizeKey: HarmlessSettingKey {
    /// 100 MB.
    static var defaultValue: Int { 100_000_000 }
}

/// How a slash at the end of a child's path is treated.
public enum TrailingSlash: Sendable, Hashable {
    /// The slash is removed: `posts/` becomes `posts`.
    case removed
    /// The slash is kept if it was written.
    case kept
    /// Every path ends with a slash, as some frameworks require.
    case added
}
