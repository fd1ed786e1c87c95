// SPDX-License-Identifier: Apache-2.0

/// The stages that perform a snapshot's requests: stored here, made and known by the pipeline above.
final class CallStages: Sendable {
    let pipeline: any AnyObject & Sendable

    init(_ pipeline: any AnyObject & Sendable) { self.pipeline = pipeline }
}
