internal import LocateMe
internal import LocateMeModel

/// Why there is no heading.
enum Diagnosis {
    /// The error that a command without a heading ends with: the service's worst finding, or `fallback`.
    static func error(
        _ findings: [Finding], fallback: String, hint: String = "'headingctl sensors' shows what was found."
    ) -> CommandError {
        guard let finding = findings.first(where: { $0.severity == .error }) ?? findings.first else {
            return CommandError(.noData, fallback, remedy: hint)
        }
        let remedy = [sentence(finding.remedy), hint].filter { !$0.isEmpty }.joined(separator: " ")
        return CommandError(.noData, "\(fallback): \(finding.text)", remedy: remedy)
    }

    /// Asks the service for its findings, then calls `body`; without an answer with none.
    static func ask(_ service: ServiceConnection, _ body: @escaping ([Finding]) -> Void) {
        service.client.diagnose { result in
            if case .success(let findings) = result { body(findings) } else { body([]) }
        }
    }

    /// With a capital and a full stop.
    static func sentence(_ text: String) -> String {
        guard let first = text.first else { return "" }
        let body = first.uppercased() + text.dropFirst()
        return body.hasSuffix(".") ? body : body + "."
    }
}
