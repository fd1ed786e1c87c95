// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPRun
import HTTPTypes

/// The whole pipeline, as programs use it.
struct PipelineClient: Client {
    let resource: Resource

    func run(_ workload: Workload) async throws -> Int {
        switch workload.kind {
        case .get, .latency, .paced: return try await resource.get().bytes.count
        case .fresh: return try await resource.get(headers: ["Connection": "close"]).bytes.count
        case .discard:
            var count = 0
            for try await chunk in try await resource.call(.get).stream() { count += chunk.count }
            return count
        case .save:
            var count = 0
            let file = try OutputFile(workload.file ?? "/dev/null")
            for try await chunk in try await resource.call(.get).stream() {
                count += chunk.count
                try chunk.withUnsafeBytes { try file.write($0) }
            }
            return count
        case .upload:
            let body = try fileBody(workload.file)
            try await resource.put(.body(.file(body))).requireSuccess()
            return Int(body.length)
        }
    }
}
