// SPDX-License-Identifier: Apache-2.0

extension CommandRun {
    /// Refuses an output that can't be made, before anything is sent.
    func checkOutput(of plan: Plan) throws {
        if plan.isOffline || plan.isCurl { return }
        let style = plan.output
        if let path = style.headFile {
            do { try console.checkCreation(path) } catch { throw OutputProblem(path: path, reason: "\(error)") }
        }
        if let path = style.file {
            do {
                try console.checkCreation(path)
            } catch {
                throw OutputProblem(path: path, reason: "\(error)")
            }
        } else if style.filter != nil, !style.parts.contains(.responseBody) {
            throw UsageMistake("--filter needs the body, which is not printed", hint: "-p hb prints headers and body")
        }
    }
}
