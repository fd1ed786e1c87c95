// SPDX-License-Identifier: Apache-2.0

public import GRDB

/// A post: as the service sends it, and as the database keeps it.
public struct Post: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
    /// What the service calls it.
    public var id: Int
    /// Its title, which no two posts share.
    public var title: String

    /// Creates a post.
    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }

    /// Creates the table.
    public static func createTable(in database: Database) throws {
        try database.create(table: databaseTableName) { table in
            table.primaryKey("id", .integer)
            table.column("title", .text).notNull().unique()
        }
    }
}
