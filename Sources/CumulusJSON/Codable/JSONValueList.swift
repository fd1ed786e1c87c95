// SPDX-License-Identifier: Apache-2.0

/// The values of a container under construction; some may still be encoders.
struct JSONValueList {
    /// An encoder's position holds `null` until the end.
    private var values: [JSON] = []
    private var encoders: [(place: Int, encoder: JSONValueEncoder)] = []

    var count: Int { values.count }

    mutating func reserve(_ count: Int) { values.reserveCapacity(count) }

    @inline(__always)
    mutating func append(_ value: JSON) { values.append(value) }

    mutating func append(_ encoder: JSONValueEncoder) {
        encoders.append((values.count, encoder))
        values.append(.null)
    }

    mutating func replace(_ place: Int, with value: JSON) {
        encoders.removeAll { $0.place == place }
        values[place] = value
    }

    mutating func replace(_ place: Int, with encoder: JSONValueEncoder) {
        replace(place, with: .null)
        encoders.append((place, encoder))
    }

    func encoder(at place: Int) -> JSONValueEncoder? { encoders.last { $0.place == place }?.encoder }

    func finished() -> [JSON] {
        if encoders.isEmpty { return values }
        var finished = values
        for (place, encoder) in encoders { finished[place] = encoder.finished() }
        return finished
    }
}
