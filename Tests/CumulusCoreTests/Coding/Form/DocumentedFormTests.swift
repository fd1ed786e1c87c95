// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// The forms that Stripe and Rails document, made of values: as a query, as `.form`, and by ``FormCoder``.
@Suite struct DocumentedFormTests {
    /// A Checkout session: https://docs.stripe.com/api/checkout/sessions/create, with `expand` of
    /// https://docs.stripe.com/expand and metadata of https://docs.stripe.com/metadata.
    private struct Session: Encodable, Sendable {
        var success_url = "https://example.com/success"
        var line_items = [
            Line(price: "price_1MotwRLkdIwHu7ixYcPLm5uZ", quantity: 2), Line(price: "price_2", quantity: 1),
        ]
        var mode = "payment"
        var expand = ["customer", "payment_intent.customer"]
        var metadata = ["order_id": "6735"]

        struct Line: Encodable, Sendable {
            var price: String
            var quantity: Int
        }
    }

    private static let session =
        "success_url=https%3A%2F%2Fexample.com%2Fsuccess&line_items[0][price]=price_1MotwRLkdIwHu7ixYcPLm5uZ"
        + "&line_items[0][quantity]=2&line_items[1][price]=price_2&line_items[1][quantity]=1&mode=payment"
        + "&expand[]=customer&expand[]=payment_intent.customer&metadata[order_id]=6735"

    /// A person with nested attributes, and a client:
    /// https://guides.rubyonrails.org/form_helpers.html#building-complex-forms,
    /// https://guides.rubyonrails.org/action_controller_overview.html#hash-and-array-parameters.
    private struct Person: Encodable, Sendable {
        var person = Attributes()
        var ids = [1, 2, 3]

        struct Attributes: Encodable, Sendable {
            var name = "John Doe"
            var addresses_attributes = [
                ["kind": "Home", "street": "221b Baker Street"], ["kind": "Office", "street": "31 Spooner Street"],
            ]
        }
    }

    private static let person =
        "person[name]=John%20Doe&person[addresses_attributes][0][kind]=Home"
        + "&person[addresses_attributes][0][street]=221b%20Baker%20Street"
        + "&person[addresses_attributes][1][kind]=Office&person[addresses_attributes][1][street]=31%20Spooner%20Street"
        + "&ids[]=1&ids[]=2&ids[]=3"

    private let transport = StubTransport { _ in .text("") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    private func bracketed(_ text: String?) -> String? {
        text?.replacing("%5B", with: "[").replacing("%5D", with: "]")
    }

    /// The members of the form, in the order of the document whatever the order of a dictionary is.
    private func items(_ text: String?) -> [Substring] { (bracketed(text) ?? "").split(separator: "&").sorted() }

    @Test func stripesSessionIsWrittenAsDocumented() async throws {
        let lines = Session().line_items.map { Query([("price", $0.price), ("quantity", $0.quantity)]) }
        let query: Query = [
            "success_url": Session().success_url, "line_items": lines, "mode": "payment",
            "expand": ["customer", "payment_intent.customer"], "metadata": ["order_id": "6735"],
        ]
        #expect(bracketed(query.encoded()) == Self.session)
        try await site.post(.form(query)).requireSuccess()
        #expect(bracketed(transport.lastRequest?.text) == Self.session)
        try await site.post(.value(Session(), as: .form)).requireSuccess()
        #expect(bracketed(transport.lastRequest?.text) == Self.session)
        try await site.get(query: query).requireSuccess()
        #expect(bracketed(transport.lastRequest?.query) == Self.session)
    }

    @Test func railsNestedAttributesAreWrittenAsDocumented() async throws {
        let expected = items(Self.person)
        try await site.post(.value(Person(), as: .form)).requireSuccess()
        #expect(items(transport.lastRequest?.text) == expected)
        let addresses = Person.Attributes().addresses_attributes
        let person: Query = ["name": "John Doe", "addresses_attributes": addresses]
        let query: Query = ["person": person, "ids": [1, 2, 3]]
        #expect(bracketed(query.encoded()) == Self.person)
    }
}
