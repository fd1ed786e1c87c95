// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension RequestDraft {
    /// A draft of a call's arguments over a resource's settings, what can be made ahead taken from the pipeline.
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
            id: pipeline.tracking.reservation?.take() ?? .next(),
            method: method,
            resource: resource,
            settings: settings,
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
    }
}
