// SPDX-License-Identifier: Apache-2.0

extension HelpTexts {
    static let call = [
        HelpSection(title: "", paragraphs: ["cumulus call sends a request by the name that a service has for it."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus call SERVICE ENDPOINT [ITEM ...] [options]", ""),
                ("cumulus services show SERVICE [ENDPOINT]", "shows what there is to call"),
            ]
        ),
        HelpSection(
            title: "SERVICE AND ENDPOINT",
            paragraphs: [
                "SERVICE is a name from cumulus services, or a file that you have trusted with cumulus services trust.",
                "name=text gives a value to the parameter of that name, wherever it goes: into the path, the query, a "
                    + "header or the body. name:=json, name=@FILE and name@FILE work as in other requests, and so do "
                    + "headers, name==text, @FILE and all options.",
            ]
        ),
    ]

    static let callExamples = HelpSection(
        title: "EXAMPLES",
        rows: [
            ("cumulus services import https://api.example.com/openapi.json --name shop", "add a service"),
            ("cumulus services show shop", "see what there is to call"),
            ("cumulus call shop get_order id=12", "get an order"),
            ("cumulus call shop create_order article=tea count=3 -a ada", "make one, as ada"),
        ],
        nameWidth: 20
    )

    static let services = [
        HelpSection(title: "", paragraphs: ["cumulus services keeps descriptions of services, for cumulus call."]),
        HelpSection(
            title: "USAGE",
            rows: [
                ("cumulus services list", "the services that you have"),
                ("cumulus services show NAME [ENDPOINT]", "its endpoints, or one with its parameters"),
                ("cumulus services verify NAME|FILE", "what is wrong with a description, or left out of it"),
                ("cumulus services import FILE|URL", "adds a service from an OpenAPI document or a description"),
                ("cumulus services remove NAME", "removes a service that you have imported"),
                ("cumulus services trust FILE", "lets call use a file outside your own folder, as it is now"),
                ("cumulus services completion SHELL", "prints what completes names in bash, zsh or fish"),
            ],
            nameWidth: 37
        ),
        HelpSection(
            title: "FILES",
            paragraphs: [
                "Services are files in $XDG_CONFIG_HOME/cumulus/services or ~/.config/cumulus/services: NAME.json, "
                    + "NAME.yaml or NAME.plist, in the form of this command, of OpenAPI 3.0 to 3.2, of Swagger 2.0, or of "
                    + "a Cycles profile."
            ]
        ),
    ]
}
