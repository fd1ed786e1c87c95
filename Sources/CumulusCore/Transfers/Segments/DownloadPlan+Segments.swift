// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension DownloadPlan {
    /// The terms for fetching a file over several connections, when its first body is about to arrive.
    ///
    /// - Parameters:
    ///   - reception: The body.
    ///   - headers: Its head's fields.
    ///   - connections: The requested number of connections.
    ///   - settings: The settings that the call began with.
    /// - Returns: The terms, or `nil` if one stream is enough.
    func segments(
        _ reception: Reception,
        _ headers: HTTPFields,
        connections: Int?,
        _ settings: SettingsSnapshot
    ) -> SegmentedFetch.Terms? {
        guard ranges != .never, let length, remote.condition != nil, reception.isPart || base == 0 else { return nil }
        let terms = SegmentedFetch.Terms(
            connections: connections.map { max(1, $0) },
            most: max(1, settings.value(DownloadChunksKey.self).maxConcurrent),
            chunkSize: max(1, settings.value(DownloadChunksKey.self).size),
            base: base,
            remote: remote,
            isCovered: isCovered,
            isConditional: ranges == .conditional
        )
        // The gaps that an earlier download left are filled, if necessary over one connection after the other.
        if pieces.count > position { return terms }
        let units = headers[values: .acceptRanges].joined(separator: ",").lowercased()
        let most = terms.connections ?? terms.most
        let isWorthIt = most > 1 && (length - position) / 2 >= terms.smallestShare
        return isWorthIt && (reception.isPart || units.has("bytes")) ? terms : nil
    }
}
