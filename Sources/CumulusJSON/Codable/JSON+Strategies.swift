// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
    /// How values without a JSON form are decoded into your types.
    ///
    /// Defaults and meanings are those of Foundation's `JSONDecoder`.
    public struct DecodingStrategies: Sendable {
        /// How dates are read.
        public enum Dates: Sendable {
            /// As `Date` decodes itself: seconds since 2001.
            case deferredToDate
            /// A string in ISO 8601, with a time zone and whole seconds.
            case iso8601
            /// A number of seconds since 1970.
            case secondsSince1970
            /// A number of milliseconds since 1970.
            case millisecondsSince1970
            /// As your closure reads them.
            case custom(@Sendable (any Decoder) throws -> Date)
        }

        /// How keys are found.
        public enum Keys: Sendable {
            /// As your type names them.
            case useDefaultKeys
            /// `first_name` in the text is `firstName` in your type; leading and trailing underscores stay.
            case convertFromSnakeCase
            /// As your closure names them; its argument is the path that ends with the key of the text.
            case custom(@Sendable ([any CodingKey]) -> any CodingKey)
        }

        /// How binary data is read.
        public enum BinaryData: Sendable {
            /// A string in Base64.
            case base64
            /// As `Data` decodes itself: an array of bytes.
            case deferredToData
            /// As your closure reads it.
            case custom(@Sendable (any Decoder) throws -> Data)
        }

        /// How infinities and NaN are read.
        public enum NonConformingFloats: Sendable {
            /// They are refused.
            case refuse
            /// From these strings.
            case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How dates are read; as `Date` decodes itself by default.
        public var dates = Dates.deferredToDate
        /// How keys are found; unchanged by default.
        public var keys = Keys.useDefaultKeys
        /// How binary data is read; as Base64 by default.
        public var data = BinaryData.base64
        /// How infinities and NaN are read; refused by default.
        public var nonConformingFloats = NonConformingFloats.refuse
        /// Additional information for your types' decoding.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Makes the defaults.
        public init() {}
    }

    /// How values without a JSON form are encoded from your types.
    ///
    /// Defaults and meanings are those of Foundation's `JSONEncoder`.
    public struct EncodingStrategies: Sendable {
        /// How dates are written.
        public enum Dates: Sendable {
            /// As `Date` encodes itself: seconds since 2001.
            case deferredToDate
            /// A string in ISO 8601, in UTC and whole seconds.
            case iso8601
            /// A number of seconds since 1970.
            case secondsSince1970
            /// A number of milliseconds since 1970.
            case millisecondsSince1970
            /// As your closure writes them.
            case custom(@Sendable (Date, any Encoder) throws -> Void)
        }

        /// How keys are written.
        public enum Keys: Sendable {
            /// As your type names them.
            case useDefaultKeys
            /// `firstName` in your type is `first_name` in the text.
            case convertToSnakeCase
            /// As your closure names them; its argument is the path that ends with the key of your type.
            case custom(@Sendable ([any CodingKey]) -> any CodingKey)
        }

        /// How binary data is written.
        public enum BinaryData: Sendable {
            /// A string in Base64.
            case base64
            /// As `Data` encodes itself: an array of bytes.
            case deferredToData
            /// As your closure writes it.
            case custom(@Sendable (Data, any Encoder) throws -> Void)
        }

        /// How infinities and NaN are written.
        public enum NonConformingFloats: Sendable {
            /// They are refused.
            case refuse
            /// As these strings.
            case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How dates are written; as `Date` encodes itself by default.
        public var dates = Dates.deferredToDate
        /// How keys are written; unchanged by default.
        public var keys = Keys.useDefaultKeys
        /// How binary data is written; as Base64 by default.
        public var data = BinaryData.base64
        /// How infinities and NaN are written; refused by default.
        public var nonConformingFloats = NonConformingFloats.refuse
        /// Additional information for your types' encoding.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Makes the defaults.
        public init() {}
    }
}
