// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONEncoder {
    convenience init(_ strategies: JSON.EncodingStrategies) {
        self.init()
        outputFormatting = .withoutEscapingSlashes
        switch strategies.dates {
        case .deferredToDate: dateEncodingStrategy = .deferredToDate
        case .iso8601: dateEncodingStrategy = .iso8601
        case .secondsSince1970: dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: dateEncodingStrategy = .millisecondsSince1970
        case .custom(let encode): dateEncodingStrategy = .custom(encode)
        }
        switch strategies.keys {
        case .useDefaultKeys: keyEncodingStrategy = .useDefaultKeys
        case .convertToSnakeCase: keyEncodingStrategy = .convertToSnakeCase
        case .custom(let convert): keyEncodingStrategy = .custom(convert)
        }
        switch strategies.data {
        case .base64: dataEncodingStrategy = .base64
        case .deferredToData: dataEncodingStrategy = .deferredToData
        case .custom(let encode): dataEncodingStrategy = .custom(encode)
        }
        if case .convertToString(let positive, let negative, let nan) = strategies.nonConformingFloats {
            nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: positive,
                negativeInfinity: negative,
                nan: nan
            )
        }
        userInfo = strategies.userInfo
    }
}
