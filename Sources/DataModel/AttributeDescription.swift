/// Conditions on an attribute's value, checked on save unless the value is null. The errors are
/// those of Core Data's validation (1610 to 1680).
public struct AttributeValidation: Hashable, Sendable {
  /// The least and the greatest number or date, inclusive.
  public var minimum: Value?
  public var maximum: Value?
  /// The least and the greatest length of a string, inclusive, in UTF-16 units as in `NSString`.
  public var minimumLength: Int?
  public var maximumLength: Int?
  /// A regular expression that a whole string must match.
  public var pattern: String?

  public init(
    minimum: Value? = nil, maximum: Value? = nil, minimumLength: Int? = nil,
    maximumLength: Int? = nil, pattern: String? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
  }

  /// No condition.
  public static let none = AttributeValidation()
}

/// One attribute of an entity.
///
/// Example: `Snippets/migration.swift`.
public struct AttributeDescription: Hashable, Sendable {
  public let name: String
  public let type: AttributeType
  /// Whether null may be saved. Otherwise null fails validation.
  public let isOptional: Bool
  /// Whether the store keeps an index over this attribute.
  public package(set) var isIndexed: Bool
  /// Whether the value exists in contexts only. Every fetched object starts with the default.
  public package(set) var isTransient: Bool
  /// The value of a new object.
  public package(set) var defaultValue: Value
  public package(set) var validation: AttributeValidation
  /// Finds this attribute in an older model when migrating; its name if nil.
  public let renamingIdentifier: String?

  /// - Precondition: the default is null or of the attribute's type. Bounds are of that type, or
  ///   numbers for a number.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isIndexed: Bool = false,
    isTransient: Bool = false, defaultValue: Value = .null,
    validation: AttributeValidation = .none, renamingIdentifier: String? = nil
  ) {
    require(
      defaultValue.isNull || defaultValue.type == type,
      "the default of '\(name)' must be of type \(type.rawValue), not \(defaultValue)")
    for bound in [validation.minimum, validation.maximum].compactMap(\.self) {
      require(
        bound.type == type || type.isNumber && bound.type?.isNumber == true,
        "a bound of '\(name)' must be of type \(type.rawValue), not \(bound)")
    }
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.renamingIdentifier = renamingIdentifier
  }
}
