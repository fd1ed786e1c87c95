// SPDX-License-Identifier: Apache-2.0

/// An object under construction; as long as its keys come as foreseen, it shares their shape.
final class JSONObjectBuilder {
    /// A place in a container: a finished value, or an encoder that may still be used.
    enum Slot {
        case value(JSON)
        case encoder(JSONValueEncoder)

        func finished() -> JSON {
            switch self {
            case .value(let value): value
            case .encoder(let encoder): encoder.finished()
            }
        }
    }

    private let session: JSONEncodingSession
    private let keyType: any CodingKey.Type
    private let foreseen: JSONShape
    /// The keys, once they differ from those foreseen.
    private var own: JSONShape?
    private var slots: [Slot] = []

    init(session: JSONEncodingSession, keyType: any CodingKey.Type) {
        self.session = session
        self.keyType = keyType
        foreseen = session.foreseenShape(for: keyType)
        slots.reserveCapacity(min(foreseen.keys.count, 64))
    }

    func set(_ slot: Slot, for key: String) {
        if own == nil, slots.count < foreseen.keys.count, foreseen.keys[slots.count].hasSameBytes(as: key) {
            slots.append(slot)
        } else if let position = position(of: key) {
            slots[position] = slot
        } else {
            if own == nil {
                own = JSONShape(uniqueKeys: Array(foreseen.keys.prefix(slots.count)))
            } else if !isKnownUniquelyReferenced(&own) {
                own = own?.copy()
            }
            own?.append(key)
            slots.append(slot)
        }
    }

    /// The encoder that a key already has.
    func encoder(for key: String) -> JSONValueEncoder? {
        guard let position = position(of: key), case .encoder(let encoder) = slots[position] else { return nil }
        return encoder
    }

    private func position(of key: String) -> Int? {
        guard let position = (own ?? foreseen).position(of: key), position < slots.count else { return nil }
        return position
    }

    func finished() -> JSON.Object {
        let values = slots.map { $0.finished() }
        if own == nil, values.count == foreseen.keys.count { return JSON.Object(shape: foreseen, values: values) }
        let shape = own ?? JSONShape(uniqueKeys: Array(foreseen.keys.prefix(values.count)))
        session.remember(shape, for: keyType)
        return JSON.Object(shape: shape, values: values)
    }
}
