// SPDX-License-Identifier: Apache-2.0

extension TransportRepetitions {
    /// The repetitions that a failure reports.
    static func before(_ error: any Error) -> TransportRepetitions {
        let cause = (error as? CumulusError)?.cause ?? error
        return (cause as? TransportFailure)?.repetitions ?? TransportRepetitions()
    }
}
