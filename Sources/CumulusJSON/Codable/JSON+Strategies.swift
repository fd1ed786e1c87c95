// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
    /// The strategies for decoding values that JSON can't represent directly.
    ///
    /// Defaults and meanings are those of Foundation's `JSONDecoder`.
    public struct DecodingStrategies: Sendable {
        /// The strategy for reading dates.
        public enum Dates: Sendable {
            /// The way `Date` decodes itself: seconds since 2001.
            case deferredToDate
            /// A string in ISO 8601, with a time zone; a fraction of a second is optional.
            case iso8601
            /// A number of seconds since 1970.
            case secondsSince1970
            /// A number of milliseconds since 1970.
            case millisecondsSince1970
            /// Read by your closure.
            case custom(@Sendable (any Decoder) throws -> Date)
        }

        /// The strategy for finding keys.
        public enum Keys: Sendable {
            /// Named as in your type.
            case useDefaultKeys
            /// `first_name` in the text becomes `firstName` in your type; leading and trailing underscores stay.
            case convertFromSnakeCase
            /// Named by your closure, whose argument is the path that ends with the key of the text.
            case custom(@Sendable ([any CodingKey]) -> any CodingKey)
        }

        /// The strategy for reading binary data.
        public enum BinaryData: Sendable {
            /// A string in Base64.
            case base64
            /// The way `Data` decodes itself: an array of bytes.
            case deferredToData
            /// Read by your closure.
            case custom(@Sendable (any Decoder) throws -> Data)
        }

        /// The strategy for reading infinities and NaN.
        public enum NonConformingFloats: Sendable {
            /// Throws an error for these values.
            case refuse
            /// Reads these values from the associated strings.
            case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// The strategy for reading dates; by default, that of `Date` itself.
        public var dates = Dates.deferredToDate
        /// The strategy for finding keys; unchanged by default.
        public var keys = Keys.useDefaultKeys
        /// The strategy for reading binary data; Base64 by default.
        public var data = BinaryData.base64
        /// The strategy for reading infinities and NaN; refused by default.
        public var nonConformingFloats = NonConformingFloats.refuse
        /// Additional information for your types' decoding.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Creates the default strategies.
        public init() {}
    }

    /// The strategies for encoding values that JSON can't represent directly.
    ///
    /// Defaults and meanings are those of Foundation's `JSONEncoder`.
    public struct EncodingStrategies: Sendable {
        /// The strategy for writing dates.
        public enum Dates: Sendable {
            /// The way `Date` encodes itself: seconds since 2001.
            case deferredToDate
            /// A string in ISO 8601, in UTC; with milliseconds unless they are 0.
            case iso8601
            /// A number of seconds since 1970.
            case secondsSince1970
            /// A number of milliseconds since 1970.
            case millisecondsSince1970
            /// Written by your closure.
            case custom(@Sendable (Date, any Encoder) throws -> Void)
        }

        /// The strategy for writing keys.
        public enum Keys: Sendable {
            /// Named as in your type.
            case useDefaultKeys
            /// `firstName` in your type becomes `first_name` in the text.
            case convertToSnakeCase
            /// As your closure names them; its argument is the path that ends with the key of your type.
            case custom(@Sendable ([any CodingKey]) -> any CodingKey)
        }

        /// The strategy for writing binary data.
        public enum BinaryData: Sendable {
            /// A string in Base64.
            case base64
            /// The way `Data` encodes itself: an array of bytes.
            case deferredToData
            /// Written by your closure.
            case custom(@Sendable (Data, any Encoder) throws -> Void)
        }

        /// The strategy for writing infinities and NaN.
        public enum NonConformingFloats: Sendable {
            /// Throws an error for these values.
            case refuse
            /// Writes these values as the associated strings.
            case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// The strategy for writing dates; by default, that of `Date` itself.
        public var dates = Dates.deferredToDate
        /// The strategy for writing keys; unchanged by default.
        public var keys = Keys.useDefaultKeys
        /// The strategy for writing binary data; Base64 by default.
        public var data = BinaryData.base64
        /// The strategy for writing infinities and NaN; refused by default.
        public var nonConformingFloats = NonConformingFloats.refuse
        /// Additional information for your types' encoding.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Creates the default strategies.
        public init() {}
    }
}
