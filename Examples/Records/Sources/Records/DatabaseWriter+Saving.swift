// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import GRDB

extension DatabaseWriter {
    // snippet.saving
    /// A post-processor that saves records, one or a list, before the caller gets them.
    ///
    /// A list is saved as a whole or not at all. Other values are not changed. A database error fails the call.
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
    // snippet.end
}
