// A topology gets values and descriptions with one import.
@_exported public import DataModel
