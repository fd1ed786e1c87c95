// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The name that a `Content-Disposition` field proposes (RFC 6266, RFC 8187).
enum ContentDisposition {
    /// The name in `filename*` if it is valid, else in `filename`; `nil` if there is neither.
    ///
    /// The name is as received, so it isn't safe yet.
    static func fileName(_ value: [UInt8]) -> String? {
        let parameters = DispositionParameters.parsed(value)
        if let extended = parameters.first(where: { $0.name == "filename*" }),
            let name = ExtendedValue.text(extended.value, isStrict: false)
        {
            return name
        }
        return parameters.first { $0.name == "filename" }.map { FileName.text(of: $0.value) }
    }
}
