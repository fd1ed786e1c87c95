// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Problem: Codable, Sendable {
    var title: String
}

func catching(post: Resource) async throws {
    // snippet.catch
    do {
        print(try await post.get(as: JSON.self))
    } catch let error as CumulusError {
        switch error.code {
        case .status: print("the server said \(error.statusCode ?? 0)")
        case .timeout: print("too slow while in \(error.phase?.rawValue ?? ""), limit \(error.limit ?? .zero)")
        case .connect, .lookup: print("is the server there?")
        default: print("\(error.stage): \(error)")
        }
    } catch is CancellationError {
        print("cancelled")
    }
    // snippet.end
}

func bodies(post: Resource) async throws {
    // snippet.body
    do {
        print(try await post.get(as: JSON.self))
    } catch let error as CumulusError where error.code == .status {
        let problem = try error.response?.decode(as: Problem.self)
        print(problem?.title ?? "the server said no more")
    }
    // snippet.end
}

func judging(post: Resource) async throws {
    // snippet.judge
    let answer = try await post.get()
    switch answer.status.code {
    case 200..<300: print(try answer.decode(as: JSON.self))
    case 304: print("what you have is still good")
    case 404: print("no such post")
    default: try answer.requireSuccess()
    }
    // snippet.end
}
