import Foundation
import Judging
import Measurement

/// The content of an environment file, with all fields that it has.
struct EnvironmentPart {
  let file: PageSide.File
  let role: Side?

  var html: HTML {
    tag("section", ["class": "environment"]) {
      tag("h3") {
        HTML.name(file.name)
        if let role { " (\(role.rawValue))" }
      }
      content
    }
  }

  private var content: HTML {
    guard let data = file.environment else {
      return tag("p", ["class": "note"]) {
        "No environment file lies beside it, so nothing is known of the machine."
      }
    }
    guard let document = try? JSONDecoder().decode([String: EnvironmentValue].self, from: data)
    else {
      return tag("p", ["class": "note"]) { "The environment file beside it cannot be read." }
    }
    return .joined([diagnoses(document["diagnoses"]), fields(document), scenarios(document)])
  }

  private func diagnoses(_ value: EnvironmentValue?) -> HTML {
    guard case .list(let items)? = value, !items.isEmpty else {
      return tag("p") { "It names nothing that makes the machine doubtful." }
    }
    return tag("div", ["class": "diagnoses"]) {
      tag("h4") { "What makes the machine doubtful" }
      tag("ul") {
        for item in items {
          tag("li") {
            if case .object(let fields) = item, let what = fields["what"] {
              Diagnosis(
                what.text, evidence: fields["evidence"]?.text ?? "",
                remedy: fields["remedy"]?.text ?? ""
              ).clause
            } else {
              item.text
            }
          }
        }
      }
    }
  }

  private func fields(_ document: [String: EnvironmentValue]) -> HTML {
    let shown = document.filter { !["diagnoses", "scenarios"].contains($0.key) }
    return table(shown, caption: "The machine and the program")
  }

  private func scenarios(_ document: [String: EnvironmentValue]) -> HTML {
    guard case .list(let scenarios)? = document["scenarios"] else { return .nothing }
    return .joined(
      scenarios.compactMap { scenario in
        guard case .object(let fields) = scenario else { return nil }
        let name = fields["name"]?.text ?? "a scenario"
        return tag("details") {
          tag("summary") { "Every parameter of \(PageText.brief(name))" }
          table(fields, caption: "Parameters of \(PageText.brief(name))")
        }
      })
  }

  private func table(_ fields: [String: EnvironmentValue], caption: String) -> HTML {
    let rows = EnvironmentValue.object(fields).leaves
    return tag("table", ["class": "facts"]) {
      tag("caption") { caption }
      tag("tbody") {
        for (name, value) in rows {
          tag("tr") {
            tag("th", ["scope": "row"]) { PageText.brief(name) }
            tag("td", ["class": "words"]) { value }
          }
        }
      }
    }
  }
}

/// JSON of any form.
enum EnvironmentValue: Decodable {
  case object([String: EnvironmentValue])
  case list([EnvironmentValue])
  case plain(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let fields = try? container.decode([String: EnvironmentValue].self) {
      self = .object(fields)
    } else if let items = try? container.decode([EnvironmentValue].self) {
      self = .list(items)
    } else if let flag = try? container.decode(Bool.self) {
      self = .plain(flag ? "true" : "false")
    } else if let number = try? container.decode(Double.self) {
      self = .plain(PageText.exact(number))
    } else {
      self = .plain((try? container.decode(String.self)) ?? "")
    }
  }

  /// Nil unless the text is a JSON object.
  init?(json: String) {
    let decoder = JSONDecoder()
    guard let value = try? decoder.decode(EnvironmentValue.self, from: Data(json.utf8)),
      case .object = value
    else { return nil }
    self = value
  }

  var text: String {
    switch self {
    case .plain(let text): text
    case .list(let items): items.map(\.text).joined(separator: ", ")
    case .object: leaves.map { "\($0.0): \($0.1)" }.joined(separator: "; ")
    }
  }

  /// Every value with its path of names, sorted.
  var leaves: [(String, String)] {
    guard case .object(let fields) = self else { return [("", text)] }
    return fields.sorted { $0.key < $1.key }.flatMap { name, value -> [(String, String)] in
      guard case .object = value else { return [(name, value.text)] }
      return value.leaves.map { ("\(name).\($0.0)", $0.1) }
    }
  }
}
