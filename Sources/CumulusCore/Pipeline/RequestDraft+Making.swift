// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension RequestDraft {
    /// Makes a draft from a call and a resource's settings, with the parts that the pipeline made in advance.
    init(
        _ call: CallRequest,
        _ settings: SettingsSnapshot,
        _ pipeline: RequestPipeline,
        wanted: (any Any.Type)? = nil,
        wantsValue: Bool = false,
        id: CallID? = nil,
        _ beginning: CallBeginning? = nil
    ) throws {
        let address = try call.resource.addressOrRefusal()
        let ready = pipeline.encoding.ready
        let path = address.path(ready.trailingSlash)
        let (query, headers) = (call.query, call.headers)
        self.init(
            Parts(
                id: beginning?.id ?? id ?? .next(),
                resource: call.resource,
                settings: settings,
                method: call.method,
                origin: address.origin,
                path: path,
                query: query.isEmpty ? ready.query : ready.query.merging(query),
                headers: headers.isEmpty ? ready.headers : ready.headers.merging(headers),
                payload: call.payload,
                key: call.key,
                beginning: beginning,
                wanted: wanted,
                wantsValue: wantsValue,
                namesContentType: !headers.isUnsaid(.contentType),
                readyTarget: query.isEmpty ? ready.queryString.map { "\(path)?\($0)" } ?? path : nil,
                readyFields: headers.isEmpty ? ready.fields : nil
            )
        )
    }
}
