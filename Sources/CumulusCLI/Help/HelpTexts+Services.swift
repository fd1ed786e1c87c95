// SPDX-License-Identifier: Apache-2.0

extension HelpTexts {
    static let call = [
        HelpSection(title: "", paragraphs: ["cumulus call sends a request by its name in a service's description."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus call SERVICE ENDPOINT [ITEM ...] [options]", ""),
                ("cumulus services show SERVICE [ENDPOINT]", "shows the service's endpoints"),
            ]
        ),
        HelpSection(
            title: "SERVICE AND ENDPOINT",
            paragraphs: [
                "SERVICE is a name from cumulus services, or a file that you have trusted with cumulus services trust.",
                "name=text sets the parameter of that name, in the path, the query, a header or the body. name:=json, "
                    + "name=@FILE and name@FILE work as in other requests, and so do headers, name==text, @FILE and all "
                    + "options.",
            ]
        ),
    ]

    static let callExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus services import https://api.example.com/openapi.json --name shop", "add a service"),
            ("cumulus services show shop", "list its endpoints"),
            ("cumulus call shop get_order id=12", "get an order"),
            ("cumulus call shop create_order article=tea count=3 -a ada", "create one, as ada"),
        ],
        nameWidth: 20
    )

    static let services = [
        HelpSection(title: "", paragraphs: ["cumulus services stores descriptions of services for cumulus call."]),
        HelpSection(
            title: "USAGE",
            rows: ServicesCommand.allCases.map { ($0.usage, $0.help) },
            nameWidth: 37
        ),
        HelpSection(
            title: "FILES",
            paragraphs: [
                "Services are files in $XDG_CONFIG_HOME/cumulus/services or ~/.config/cumulus/services: NAME.json, "
                    + "NAME.yaml or NAME.plist, in the format of this command, OpenAPI 3.0 to 3.2, Swagger 2.0, or a "
                    + "Cycles profile."
            ]
        ),
    ]
}
