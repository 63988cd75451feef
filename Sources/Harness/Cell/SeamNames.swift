import ObjectGraph
import Topologies

// As `WorkloadNames`, for the other side.

typealias GraphEntity = Entity
typealias SeamFieldChange = FieldChange
typealias SeamLookup = Lookup
