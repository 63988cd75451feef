import Foundation
import ObjectGraph
import Workload

// The workload knows rows of a data set, the object graph knows rows of a store; neither knows the
// other. Here, and nowhere else, one becomes the other.

extension Value {
  init(_ field: FieldValue) {
    switch field {
    case .null: self = .null
    case .int64(let value): self = .int64(value)
    case .double(let value): self = .double(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let value): self = .data(value)
    }
  }
}

extension FieldValue {
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int64(let value): self = .int64(value)
    case .double(let value): self = .double(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
    case .data(let value): self = .data(value)
    case .object: preconditionFailure("a scenario's rows hold attributes only")
    }
  }
}

extension AttributeType {
  init(_ kind: AttributeKind) {
    switch kind {
    case .int64: self = .int64
    case .double: self = .double
    case .bool: self = .bool
    case .string: self = .string
    case .date: self = .date
    case .data: self = .data
    }
  }
}
