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
        case .status: print("the server responded with \(error.statusCode ?? 0)")
        case .timeout: print("too slow while in \(error.phase?.rawValue ?? ""), limit \(error.limit ?? .zero)")
        case .connect, .lookup: print("is the server there?")
        default: print("\(error.stage): \(error)")
        }
    } catch is CancellationError {
        print("cancelled")
    }
    // snippet.end
}

func telling(post: Resource) async throws {
    // snippet.kinds
    do {
        print(try await post.get(as: JSON.self))
    } catch let error as CumulusError {
        switch error.kind {
        case .unreachable, .connection, .timeout: print("Check your connection, and try again.")
        case .server: print("The service refused: \(error.localizedDescription)")
        default: print(error.localizedDescription)
        }
    }
    // snippet.end
}

func bodies(post: Resource) async throws {
    // snippet.body
    do {
        print(try await post.get(as: JSON.self))
    } catch let error as CumulusError where error.code == .status {
        let problem = try error.response?.decode(as: Problem.self)
        print(problem?.title ?? "the server gave no details")
    }
    // snippet.end
}

func problems(post: Resource) async throws {
    // snippet.problem
    do {
        try await post.delete(as: Void.self)
    } catch let error as CumulusError {
        guard let problem = error.problem else { throw error }
        print(problem.title ?? problem.type, problem.detail ?? "", problem["balance"].int ?? 0)
    }
    // snippet.end
}

// snippet.own-error
struct ShopError: Error, Decodable, Sendable {
    var reason: String
    var retryAfter: Int?
}
// snippet.end

func serviceErrors(shop: Resource) async throws {
    // snippet.decoders
    shop.setRules { $0.errorDecoders = [.jsonMember("error", "error_code"), .decoding(ShopError.self)] }
    // snippet.end

    // snippet.service
    do {
        try await shop["orders"].post(["item": 7]).requireSuccess()
    } catch let error as CumulusError where error.code == .service {
        if let refusal = error.serviceError(as: ShopError.self) { print(refusal.reason) }
        if let own = error.serviceError() { print(own.code ?? "", own.message ?? "", own.body) }
    }
    // snippet.end

    // snippet.decoder
    let soldOut = ErrorDecoder { response in
        response.status == .conflict ? ShopError(reason: "sold out", retryAfter: nil) : nil
    }
    let orders = shop["orders"]
    orders.setRules { $0.errorDecoders.append(soldOut) }
    // snippet.end
}

func statuses(post: Resource) async throws {
    // snippet.statuses
    post.setRules { $0.acceptableStatuses = .successful.union([.notFound]) }
    let maybe = try await post.get(as: JSON.self)  // also the body of a 404
    // snippet.end
    _ = maybe
}

func judging(post: Resource) async throws {
    // snippet.judge
    let response = try await post.get()
    switch response.status.code {
    case 200..<300: print(try response.decode(as: JSON.self))
    case 304: print("what you have is still valid")
    case 404: print("no such post")
    default: try response.requireSuccess()
    }
    // snippet.end
}
