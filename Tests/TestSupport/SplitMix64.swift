package import Support

extension SplitMix64 {
  package mutating func chance(_ oneIn: Int) -> Bool { next(below: oneIn) == 0 }

  package mutating func pick<T>(_ choices: [T]) -> T { choices[next(below: choices.count)] }
}
