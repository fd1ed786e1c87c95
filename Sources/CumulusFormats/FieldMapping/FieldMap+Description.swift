// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FieldMap {
    /// Creates a map from a property list, XML or binary: a dictionary with `Items`, an array of dictionaries.
    ///
    /// An item has `Key`, and optionally `Path` (by default the key), `Optional` (a Boolean) and `Transformer`, the
    /// name of a transform: one that you pass, or `ISO8601DateTransformer`, `SecondsSince1970Transformer`,
    /// `URLTransformer`, `ObjectTransformer`, `ObjectListTransformer`; the last two read the item's own `Items`.
    ///
    /// - Parameters:
    ///   - data: The property list.
    ///   - transforms: The transforms by name.
    /// - Throws: `FieldProblem` of the kind `mapDescription` or `path`.
    public init(propertyList data: Data, transforms: [String: FieldTransform] = [:]) throws {
        let written: WrittenMap
        do {
            written = try PropertyListCoder().decode(WrittenMap.self, from: ByteChunk(data), of: nil)
        } catch {
            throw FieldProblem(.mapDescription, key: "", path: "", "the property list doesn't describe a map: \(error)")
        }
        self = try written.map(transforms)
    }

    /// Creates a map from JSON of the same shape as ``init(propertyList:transforms:)``.
    ///
    /// - Parameters:
    ///   - json: The map's description.
    ///   - transforms: The transforms by name.
    /// - Throws: `FieldProblem` of the kind `mapDescription` or `path`.
    public init(description json: JSON, transforms: [String: FieldTransform] = [:]) throws {
        let written: WrittenMap
        do {
            written = try json.decode(as: WrittenMap.self)
        } catch {
            throw FieldProblem(.mapDescription, key: "", path: "", "the JSON doesn't describe a map: \(error)")
        }
        self = try written.map(transforms)
    }
}

/// A map as written in a file.
private struct WrittenMap: Decodable {
    let items: [Item]

    struct Item: Decodable {
        let key: String
        let path: String?
        let transformer: String?
        let isOptional: Bool?
        let items: [Item]?

        enum CodingKeys: String, CodingKey {
            case key = "Key"
            case path = "Path"
            case transformer = "Transformer"
            case isOptional = "Optional"
            case items = "Items"
        }
    }

    enum CodingKeys: String, CodingKey {
        case items = "Items"
    }

    private static let known: [String: FieldTransform] = [
        "ISO8601DateTransformer": .iso8601Date, "SecondsSince1970Transformer": .secondsSince1970,
        "URLTransformer": .url,
    ]

    func map(_ transforms: [String: FieldTransform]) throws -> FieldMap {
        try WrittenMap.map(items, transforms)
    }

    private static func map(_ items: [Item], _ transforms: [String: FieldTransform]) throws -> FieldMap {
        FieldMap(
            try items.map { item in
                FieldMap.Item(
                    key: item.key,
                    path: try item.path.map { try FieldPath(parsing: $0) },
                    transform: try item.transformer.map { try transform($0, of: item, transforms) },
                    isOptional: item.isOptional ?? false
                )
            }
        )
    }

    private static func transform(
        _ name: String,
        of item: Item,
        _ transforms: [String: FieldTransform]
    ) throws -> FieldTransform {
        if let transform = transforms[name] ?? known[name] { return transform }
        switch (name, item.items) {
        case ("ObjectTransformer", let items?): return .object(try map(items, transforms))
        case ("ObjectListTransformer", let items?): return .list(try map(items, transforms))
        case ("ObjectTransformer", nil), ("ObjectListTransformer", nil):
            throw FieldProblem(.mapDescription, key: item.key, path: item.path ?? "", "\(name) requires its own Items")
        default:
            let shown = PeerText.quoted(name)
            throw FieldProblem(
                .mapDescription,
                key: item.key,
                path: item.path ?? "",
                "the transform \(shown) is unknown"
            )
        }
    }
}
