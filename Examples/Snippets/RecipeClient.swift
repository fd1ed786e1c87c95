// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.client
/// A client library for one service: its users see no paths, no headers and no tokens.
struct Weather: Sendable {
    struct Forecast: Codable, Sendable, Equatable {
        var city: String
        var celsius: Double
    }

    /// The service's message when it refuses a request.
    struct Refusal: Error, Decodable, Sendable {
        var reason: String
    }

    /// The resource of all calls, with its own settings: two clients of one resource never share a key.
    let api: Resource

    /// Creates a client on the caller's resource: with their transport, or with a stub in a test.
    init(api: Resource, key: Secret<String>) {
        self.api = api.with {
            $0.client = ClientIdentity(name: "weather-swift", version: "1.0")
            $0.authorizers.append(.apiKey(key, header: "X-API-Key"))
            $0.errorDecoders = [.decoding(Refusal.self)]
            $0.retry = RetryPolicy(limit: 3)
        }
    }

    /// Today's forecast; the city's name may be any text, and can't leave its segment.
    func forecast(for city: String) async throws -> Forecast {
        try await api["cities/\(city)/forecast"].get(as: Forecast.self)
    }

    /// The forecasts of all cities, page by page.
    func forecasts() -> Pages<Forecast> { api["forecasts"].pages(of: Forecast.self) }
}
// snippet.end

// snippet.use
func coldest(_ key: Secret<String>, at url: String) async throws -> String? {
    let weather = Weather(api: Resource(url), key: key)
    var coldest: Weather.Forecast?
    for try await forecast in weather.forecasts() where forecast.celsius < coldest?.celsius ?? .infinity {
        coldest = forecast
    }
    return coldest?.city
}
// snippet.end
