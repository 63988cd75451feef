import Queues
import Foundation

/// The store numbers in object IDs, unique within this process.
///
/// Coordinators of one file share a number, so that their IDs are equal. A copied file keeps its
/// UUID, so the resolved path is part of the key.
enum StoreNumber {
  private struct Key: Hashable {
    let path: String
    let uuid: String
  }

  private static let numbers = Lock<[Key: Int32]>([:])

  static func number(path: String, uuid: String) -> Int32 {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let key = Key(path: resolved, uuid: uuid)
    return numbers.withLock { numbers in
      if let number = numbers[key] { return number }
      let number = Int32(numbers.count + 1)
      numbers[key] = number
      return number
    }
  }
}
