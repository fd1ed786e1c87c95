// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// Header fields that go with each request, merged by name from the root to the request; the nearest wins.
    ///
    /// `nil` for a name masks the inherited field. Default: none of yours; `User-Agent`, `Accept-Encoding`
    /// (``decodesContent``), and `Accept` where you ask for a type, are filled in unless you set or mask them.
    public var headers: HeadersKey.Type { HeadersKey.self }

    /// Query items that go with each request, merged by name from the root to the request; the nearest wins.
    ///
    /// `nil` for a name masks the inherited item. Default: none.
    public var query: QueryKey.Type { QueryKey.self }

    /// How arrays and nested values are written in queries.
    ///
    /// Default: `k%5B%5D=1&k%5B%5D=2`. The nearest layer wins, field by field.
    public var queryStyle: QueryStyleKey.Type { QueryStyleKey.self }

    /// What becomes of a slash at the end of a path; see ``TrailingSlash``.
    ///
    /// Default: removed. The nearest layer wins.
    public var trailingSlash: TrailingSlashKey.Type { TrailingSlashKey.self }

    /// How many bytes of a response's body are taken into memory, decoded.
    ///
    /// A longer one fails with ``CumulusError/Code/bodyTooLarge``; `.max` turns the limit off.
    ///
    /// Default: 100 MB. The nearest layer wins.
    public var maxBodySize: MaxBodySizeKey.Type { MaxBodySizeKey.self }
}

/// The key of ``SettingKeys/headers``.
public enum HeadersKey: SettingKey {
    /// None.
    public static var defaultValue: Headers { Headers() }
    /// The nearer value of each name wins.
    public static func combine(inherited: Headers, own: Headers) -> Headers { inherited.merging(own) }
    /// Only the names that were changed are written.
    public static func write(_ value: Headers, onto own: Headers?, in layer: LayerContext) -> Headers {
        value.written(onto: own, in: layer)
    }
    /// The fields, secrets redacted.
    public static func describe(_ value: Headers) -> String {
        value.entries.map { entry in
            let values = entry.values?.map { Redaction.value($0, of: entry.name.text) }
            return "\(entry.name.text): \(values?.joined(separator: ", ") ?? "(masked)")"
        }.joined(separator: "; ")
    }
    /// The merged fields.
    public static func read(_ value: Headers, in layer: LayerContext) -> Headers { value.readFromLayer(layer) }
    /// Those that tell another origin nothing, such as `Accept`.
    public static func crossing(_ value: Headers) -> Headers? { value.keeping(Headers.harmlessNames) }

    /// They stand in the request.
    public static var affectsAnswer: Bool { false }
}

/// The key of ``SettingKeys/query``.
public enum QueryKey: SettingKey {
    /// None.
    public static var defaultValue: Query { Query() }
    /// The nearer value of each name wins.
    public static func combine(inherited: Query, own: Query) -> Query { inherited.merging(own) }
    /// Only the names that were changed are written.
    public static func write(_ value: Query, onto own: Query?, in layer: LayerContext) -> Query {
        value.written(onto: own, in: layer)
    }
    /// The merged items.
    public static func read(_ value: Query, in layer: LayerContext) -> Query { value.readFromLayer(layer) }
    /// The names; values may be tokens.
    public static func describe(_ value: Query) -> String {
        value.items.map { "\($0.name)=\($0.value == nil ? "(masked)" : "<redacted>")" }.joined(separator: "&")
    }

    /// It stands in the request.
    public static var affectsAnswer: Bool { false }
}

/// The key of ``SettingKeys/queryStyle``.
public enum QueryStyleKey: SettingKey {
    /// Brackets, escaped.
    public static var defaultValue: QueryStyle { QueryStyle() }

    /// Each field's nearer value.
    public static func combine(inherited: QueryStyle, own: QueryStyle) -> QueryStyle {
        QueryStyle.combine(inherited: inherited, own: own)
    }

    /// The fields that were changed, or all of a style that was made whole.
    public static func write(_ value: QueryStyle, onto own: QueryStyle?, in layer: LayerContext) -> QueryStyle {
        value.written(onto: own, in: layer)
    }

    /// All fields.
    public static func read(_ value: QueryStyle, in layer: LayerContext) -> QueryStyle { value.readFromLayer(layer) }

    /// The style in words.
    public static func describe(_ value: QueryStyle) -> String {
        "arrays by \(value.arrays)" + (value.sendsLiteralBrackets ? ", brackets as they are" : "")
    }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }

    /// It shows in the request.
    public static var affectsAnswer: Bool { false }
}

/// The key of ``SettingKeys/trailingSlash``.
public enum TrailingSlashKey: SettingKey {
    /// Removed.
    public static var defaultValue: TrailingSlash { .removed }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}

/// The key of ``SettingKeys/maxBodySize``.
public enum MaxBodySizeKey: SettingKey {
    /// 100 MB.
    public static var defaultValue: Int { 100_000_000 }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}
