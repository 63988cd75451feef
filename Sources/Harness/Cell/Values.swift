import Foundation
import ObjectGraph
import Topologies
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

extension DataRow {
  init(_ values: ContiguousArray<Value>) {
    self = values.map(FieldValue.init)
  }

  var values: ContiguousArray<Value> { ContiguousArray(map(Value.init)) }
}

extension Change {
  init(_ change: RowChange) {
    switch change {
    case .insert(let row):
      self = .insert(row.values)
    case .update(let key, let fields):
      self = .update(
        key: Value(key),
        fields: fields.map { SeamFieldChange(index: $0.attribute, value: Value($0.value)) })
    case .delete(let key):
      self = .delete(key: Value(key))
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

extension GraphEntity {
  /// The entity of a scenario, with an index over its key.
  convenience init(_ entity: DataEntity) throws {
    try self.init(
      name: entity.name,
      attributes: entity.attributes.enumerated().map { index, attribute in
        AttributeDescription(
          attribute.name, AttributeType(attribute.kind), isOptional: attribute.isOptional,
          isIndexed: index == entity.keyIndex)
      })
  }
}
