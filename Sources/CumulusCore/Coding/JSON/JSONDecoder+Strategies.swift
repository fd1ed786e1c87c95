// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONDecoder {
    convenience init(_ strategies: JSON.DecodingStrategies) {
        self.init()
        switch strategies.dates {
        case .deferredToDate:
            dateDecodingStrategy = .custom { try JSONDecoder.date($0, Date.init(timeIntervalSinceReferenceDate:)) }
        case .iso8601: dateDecodingStrategy = .iso8601
        case .secondsSince1970:
            dateDecodingStrategy = .custom { try JSONDecoder.date($0, Date.init(timeIntervalSince1970:)) }
        case .millisecondsSince1970:
            dateDecodingStrategy = .custom { decoder in
                try JSONDecoder.date(decoder) { Date(timeIntervalSince1970: $0 / 1000) }
            }
        case .custom(let decode): dateDecodingStrategy = .custom(decode)
        }
        switch strategies.keys {
        case .useDefaultKeys: keyDecodingStrategy = .useDefaultKeys
        case .convertFromSnakeCase: keyDecodingStrategy = .convertFromSnakeCase
        case .custom(let convert): keyDecodingStrategy = .custom(convert)
        }
        switch strategies.data {
        case .base64: dataDecodingStrategy = .base64
        case .deferredToData: dataDecodingStrategy = .deferredToData
        case .custom(let decode): dataDecodingStrategy = .custom(decode)
        }
        if case .convertFromString(let positive, let negative, let nan) = strategies.nonConformingFloats {
            nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: positive,
                negativeInfinity: negative,
                nan: nan
            )
        }
        userInfo = strategies.userInfo
    }

    /// Reads dates like Foundation, but refuses NaN: printing such a date traps.
    private static func date(_ decoder: any Decoder, _ make: (Double) -> Date) throws -> Date {
        let seconds = try decoder.singleValueContainer().decode(Double.self)
        guard seconds.isFinite else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is not a date.")
            throw DecodingError.dataCorrupted(context)
        }
        return make(seconds)
    }
}
