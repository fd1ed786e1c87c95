// SPDX-License-Identifier: Apache-2.0

/// What carries out the requests of a snapshot: kept here, made and known by the pipeline above.
final class CallStages: Sendable {
    let pipeline: any AnyObject & Sendable

    init(_ pipeline: any AnyObject & Sendable) { self.pipeline = pipeline }
}
