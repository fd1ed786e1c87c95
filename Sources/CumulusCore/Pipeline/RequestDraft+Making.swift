// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension RequestDraft {
    /// Makes a draft from a call's arguments and a resource's settings, with the parts that the pipeline made in
    /// advance.
    init(
        method: HTTPRequest.Method,
        resource: Resource,
        settings: SettingsSnapshot,
        pipeline: RequestPipeline? = nil,
        query: Query,
        headers: Headers,
        payload: Payload,
        wanted: (any Any.Type)?,
        wantsValue: Bool = false
    ) throws {
        let address = try resource.addressOrRefusal()
        let pipeline = pipeline ?? settings.pipeline
        let ready = pipeline.encoding.ready
        let path = address.path(ready.trailingSlash)
        self.init(
            Parts(
                id: pipeline.tracking.reservation?.take() ?? .next(),
                resource: resource,
                settings: settings,
                method: method,
                origin: address.origin,
                path: path,
                query: query.isEmpty ? ready.query : ready.query.merging(query),
                headers: headers.isEmpty ? ready.headers : ready.headers.merging(headers),
                payload: payload,
                wanted: wanted,
                wantsValue: wantsValue,
                namesContentType: !headers.isUnsaid(.contentType),
                readyTarget: query.isEmpty ? ready.queryString.map { "\(path)?\($0)" } ?? path : nil,
                readyFields: headers.isEmpty ? ready.fields : nil
            )
        )
    }
}
