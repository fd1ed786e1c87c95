// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension PreservedState {
    /// Creates a state from Cycles' property list, XML or binary: fields by name, and a list of values for each query
    /// item.
    ///
    /// - Throws: `PreservedStateProblem` for invalid bytes, or fields that can't be sent.
    public init(propertyList bytes: some Collection<UInt8>) throws(PreservedStateProblem) {
        let archive: Archive
        do {
            archive = try PropertyListCoder().decode(Archive.self, from: ByteChunk(Array(bytes)), of: nil)
        } catch {
            throw PreservedStateProblem("the preserved state is not a property list of headers and query parameters")
        }
        self.init(includesSecrets: true)
        // Dictionaries have no order.
        if let fields = archive.PreservedHTTPHeaders?.sorted(by: { $0.key < $1.key }) {
            var headers = Headers()
            for field in fields { headers.add(field.value, for: Headers.Name(field.key)) }
            do {
                _ = try headers.fields()
            } catch {
                throw PreservedStateProblem(error.description)
            }
            self.headers = headers
        }
        if let items = archive.PreservedHTTPQueryParameters?.sorted(by: { $0.key < $1.key }) {
            var query = Query()
            for (name, values) in items {
                for value in values { query.add(value, for: name) }
            }
            self.query = query
        }
    }
}

/// The property list, with Cycles' names.
private struct Archive: Decodable {
    var PreservedHTTPHeaders: [String: String]?
    var PreservedHTTPQueryParameters: [String: [String]]?
}
