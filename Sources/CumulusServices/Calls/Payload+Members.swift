// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension Payload {
    /// A value's members as the fields of a form: texts, a field for each element of a list, and JSON.
    static func multipart(of value: some Encodable & Sendable) -> Payload {
        .making { coders in
            guard let members = try JSON(encoding: value, strategies: coders.json.encoding).object else {
                throw CodingProblem("a form needs names and values, which \(type(of: value)) doesn't have")
            }
            var form = MultipartForm()
            for (name, member) in members where !member.isNull {
                let parameter = EndpointParameter(name, in: .body, style: .fields)
                for field in try parameter.parts(of: .value(member)) { form.append(field.part, name: field.name) }
            }
            return .multipart(form)
        }
    }
}
