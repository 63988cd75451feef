// Whoever writes a topology sees values and descriptions with one import.
@_exported public import DataModel
