// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import GRDB

extension DatabaseWriter {
    /// A post-processor that saves records, one or a list, and hands them on to the caller.
    ///
    ///     site["posts"].postProcessors.append(database.saving(Post.self))
    ///
    /// It runs off the caller's actor, on the database's own queue. A list is saved as a whole or not at all. Values of other
    /// types pass. What the database throws fails the call, with `postProcessing`.
    public func saving<Record: PersistableRecord & Sendable>(_ type: Record.Type) -> PostProcessor {
        { value, _ in
            let records: [Record]
            switch value {
            case let record as Record: records = [record]
            case let list as [Record]: records = list
            default: return value
            }
            try await self.write { database in for record in records { try record.save(database) } }
            return value
        }
    }
}
