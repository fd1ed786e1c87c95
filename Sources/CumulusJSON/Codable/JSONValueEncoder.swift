// SPDX-License-Identifier: Apache-2.0

/// An `Encoder` that builds one value; each knows its parent, and so its coding path.
final class JSONValueEncoder: Encoder {
    private enum Form {
        case nothing, value, array, object
    }

    let session: JSONEncodingSession
    private let key: JSONPathStep
    private let parent: JSONValueEncoder?
    // Without checks of exclusive access: nothing else runs while one of these is read or written.
    @exclusivity(unchecked) private var form = Form.nothing
    @exclusivity(unchecked) private var value = JSON.null
    @exclusivity(unchecked) private var elements = JSONValueList()
    @exclusivity(unchecked) private var members = JSONObjectBuilder()

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

    var isEmpty: Bool { form == .nothing }

    func set(_ value: JSON) {
        form = .value
        self.value = value
    }

    /// The value; an unused encoder returns an empty object, as Foundation's does.
    func finished() -> JSON {
        switch form {
        case .nothing: .object(JSON.Object())
        case .value: value
        case .array: .array(elements.finished())
        case .object: .object(members.finished(in: session))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncodingContainer(startingObjectOf: self, convertsKeys: session.convertsKeys))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        precondition(form == .nothing || form == .array, "A value can't be both an array and something else.")
        form = .array
        return JSONUnkeyedEncodingContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: The object that this encoder builds

    func startObject() {
        precondition(form == .nothing || form == .object, "A value can't be both an object and something else.")
        form = .object
    }

    @inline(__always)
    func setMember(_ value: JSON, for key: String) { members.set(value, for: key, in: session) }

    func setMember(_ encoder: JSONValueEncoder, for key: String) { members.set(encoder, for: key, in: session) }

    /// The encoder that a key already has.
    func memberEncoder(for key: String) -> JSONValueEncoder? { members.encoder(for: key, in: session) }

    // MARK: The array that this encoder builds

    var elementCount: Int { elements.count }

    @inline(__always)
    func append(_ value: JSON) { elements.append(value) }

    func append(_ encoder: JSONValueEncoder) { elements.append(encoder) }

    /// An encoder for a child value.
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

/// The state shared by all encoders of one encoding: the strategies, and the key sequences of the objects so far.
final class JSONEncodingSession {
    let strategies: JSON.EncodingStrategies
    let convertsKeys: Bool
    // Without checks of exclusive access: nothing else runs while the tree is read or written.
    @exclusivity(unchecked) var shapes = JSONShapeTree()
    private var convertedKeys: [String: String] = [:]

    init(_ strategies: JSON.EncodingStrategies) {
        self.strategies = strategies
        if case .useDefaultKeys = strategies.keys { convertsKeys = false } else { convertsKeys = true }
    }

    func converted(_ key: any CodingKey, at path: @autoclosure () -> [any CodingKey]) -> String {
        if case .custom(let convert) = strategies.keys { return convert(path() + [key]).stringValue }
        let key = key.stringValue
        // A dictionary doesn't distinguish canonically equivalent keys, of which at most one is ASCII.
        guard key.hasOnlyASCII else { return JSONSnakeCase.snakeCase(key) }
        if let known = convertedKeys[key] { return known }
        let converted = JSONSnakeCase.snakeCase(key)
        convertedKeys[key] = converted
        return converted
    }
}
