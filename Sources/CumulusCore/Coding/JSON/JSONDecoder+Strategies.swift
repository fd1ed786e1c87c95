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
        case .deferredToDate: dateDecodingStrategy = .deferredToDate
        case .iso8601: dateDecodingStrategy = .iso8601
        case .secondsSince1970: dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: dateDecodingStrategy = .millisecondsSince1970
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
}
