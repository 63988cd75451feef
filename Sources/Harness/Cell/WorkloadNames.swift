import Workload

// Names that the object graph and the seam have as well. A module that holds a type of its own name
// cannot be named before a dot, so they are told apart here, where only one of them is in sight.

typealias DataRow = Row
typealias DataEntity = Entity
typealias DataFieldChange = FieldChange
