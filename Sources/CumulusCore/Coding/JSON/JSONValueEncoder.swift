// SPDX-License-Identifier: Apache-2.0

/// An `Encoder` that builds one value; each knows the one around it, which makes up the coding path.
final class JSONValueEncoder: Encoder {
    private enum Content {
        case nothing
        case value(JSON)
        case array([JSONObjectBuilder.Slot])
        case object(JSONObjectBuilder)
    }

    let session: JSONEncodingSession
    private let key: JSONPathStep
    private let parent: JSONValueEncoder?
    private var content = Content.nothing

    init(key: JSONPathStep, parent: JSONValueEncoder?, session: JSONEncodingSession) {
        self.key = key
        self.parent = parent
        self.session = session
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: JSONValueEncoder? = self
        while let current = encoder {
            if let key = current.key.key { path.append(key) }
            encoder = current.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { session.strategies.userInfo }

    var isEmpty: Bool {
        if case .nothing = content { true } else { false }
    }

    func set(_ value: JSON) { content = .value(value) }

    /// The value; an encoder that wasn't used gives an empty object, as Foundation's does.
    func finished() -> JSON {
        switch content {
        case .nothing: .object(JSON.Object())
        case .value(let value): value
        case .array(let slots): .array(slots.map { $0.finished() })
        case .object(let object): .object(object.finished())
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            JSONKeyedEncodingContainer(object(keyedBy: type), encoder: self, convertsKeys: session.convertsKeys)
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch content {
        case .nothing: content = .array([])
        case .array: break
        default: preconditionFailure("A value can't be encoded as an array and as something else.")
        }
        return JSONUnkeyedEncodingContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The object that this encoder builds.
    func object(keyedBy type: any CodingKey.Type) -> JSONObjectBuilder {
        switch content {
        case .nothing:
            let object = JSONObjectBuilder(session: session, keyType: type)
            content = .object(object)
            return object
        case .object(let object):
            return object
        default:
            preconditionFailure("A value can't be encoded as an object and as something else.")
        }
    }

    /// The number of elements of the array that this encoder builds.
    var elementCount: Int {
        if case .array(let slots) = content { slots.count } else { 0 }
    }

    /// Adds an element to the array that this encoder builds.
    func append(_ slot: JSONObjectBuilder.Slot) {
        guard case .array(var slots) = content else { return }
        // Lets the array grow in place: nothing else refers to it meanwhile.
        content = .nothing
        slots.append(slot)
        content = .array(slots)
    }

    /// An encoder for a value inside this one.
    func child(at step: JSONPathStep) -> JSONValueEncoder {
        JSONValueEncoder(key: step, parent: self, session: session)
    }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { set(try float(value, at: .none)) }
    func encode(_ value: Float) throws { set(try float(value, at: .none)) }
    func encode(_ value: Int) { set(.number(JSON.Number(value))) }
    func encode(_ value: Int8) { set(.number(JSON.Number(value))) }
    func encode(_ value: Int16) { set(.number(JSON.Number(value))) }
    func encode(_ value: Int32) { set(.number(JSON.Number(value))) }
    func encode(_ value: Int64) { set(.number(JSON.Number(value))) }
    func encode(_ value: Int128) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt8) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt16) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt32) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt64) { set(.number(JSON.Number(value))) }
    func encode(_ value: UInt128) { set(.number(JSON.Number(value))) }
    func encode<T: Encodable>(_ value: T) throws { set(try wrap(value, at: .none)) }
}
