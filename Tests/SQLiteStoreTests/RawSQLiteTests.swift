import Baseline
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct RawSQLiteTests {
  @Test(arguments: Lookup.allCases)
  func `the file ends as the coordinator would leave it`(lookup: Lookup) throws {
    let store = try TestStore(.pool, rows: 20)
    try store.coordinator.close()
    let copy = store.folder.file("copy.sqlite")
    try StoreFile.copy(store.url, to: copy)

    let core = try store.secondCoordinator()
    var first = store.insertion(store.fixture.row(21))
    first.updates = store.renaming(3, to: "three").updates + store.renaming(4, to: "four").updates
    first.deletes = store.deletion(5).deletes
    _ = try core.save(first)
    var second = store.insertion(store.fixture.row(22), store.fixture.row(23))
    second.updates = store.renaming(3, to: "III", version: 2).updates
    _ = try core.save(second)
    try core.close()

    let raw = try RawSQLite(
      StoreConfiguration(url: copy, mode: .pool), model: store.fixture.model,
      rows: [.init(store.entity, keyIndex: Fixture.key)], lookup: lookup)
    let elapsed = try raw.run([
      [
        .insert(store.fixture.row(21)),
        .update(key: .int64(3), fields: [.init(index: Fixture.name, value: .string("three"))]),
        .update(
          key: .int64(4),
          fields: [
            .init(index: Fixture.size, value: .double(1)),
            .init(index: Fixture.name, value: .string("four")),
          ]),
        .delete(key: .int64(5)),
      ],
      [
        .insert(store.fixture.row(22)), .insert(store.fixture.row(23)),
        .update(key: .int64(3), fields: [.init(index: Fixture.name, value: .string("III"))]),
      ],
    ])
    #expect(elapsed > .zero)
    #expect(try PlainReader(copy).rows(of: store.entity) == store.plainRows())
    let again = try SQLiteCoordinator(
      StoreConfiguration(url: copy, mode: .pool), model: store.fixture.model)
    #expect(try again.save(store.insertion(store.fixture.row(24))).map(\.primaryKey) == [24])
  }

  @Test func `a missing row is an error and its batch is not written`() throws {
    let store = try TestStore(.pool, rows: 2)
    let raw = try RawSQLite(
      store.configuration, model: store.fixture.model,
      rows: [.init(store.entity, keyIndex: Fixture.key)], lookup: .perBatch)
    #expect(throws: StoreError.noSuchRow(entity: "City", key: "9")) {
      try raw.run([[.delete(key: .int64(1))], [.delete(key: .int64(2)), .delete(key: .int64(9))]])
    }
    #expect(try store.plainRows().map(\.key) == [2])
  }

  @Test func `a batch may look up more keys than SQLite binds to a statement`() throws {
    let store = try TestStore(.pool, rows: 2)
    try store.coordinator.close()
    let raw = try RawSQLite(
      store.configuration, model: store.fixture.model,
      rows: [.init(store.entity, keyIndex: Fixture.key)], lookup: .perBatch)
    let found = [FieldChange(index: Fixture.name, value: .string("found"))]
    // SQLite of Debian binds 250,000 values. The rows are looked up first and last.
    var batch = (3...260_000).map { Change.update(key: .int64($0), fields: []) }
    batch.insert(.update(key: .int64(1), fields: found), at: 0)
    batch.append(.update(key: .int64(2), fields: found))
    _ = try raw.run([batch])
    let names = try store.plainRows().map { $0.values[Fixture.name] }
    #expect(names == [.string("found"), .string("found")])
  }

  @Test func `writing without objects counts every row that a deletion deletes`() throws {
    let store = try TestStore(.pool, rows: 10)
    try store.coordinator.close()
    let plain = try PlainStore(
      store.configuration, model: store.fixture.model,
      rows: [
        RowEntity(
          store.entity, keyIndex: Fixture.key, deletion: .compare(Fixture.key, .less, .int64(4)))
      ], lookup: .perBatch)
    let (_, deleting) = try watched {
      try plain.apply([.deleteWhere(), .delete(key: .int64(5)), .deleteWhere()])
    }
    #expect(deleting.counts[.rowsWritten] == 4)
    try plain.close()
  }

  @Test func `a part that its owner also denies goes with the owner, as in a context`() throws {
    let number = AttributeDescription("number", .int64)
    let owner = try Entity(
      name: "Owner", attributes: [number],
      relationships: [
        .toMany("parts", "Part", inverse: "owner", deleteRule: .cascade),
        .toMany("kept", "Part", inverse: "keeper", deleteRule: .deny),
      ])
    let part = try Entity(
      name: "Part", attributes: [number],
      relationships: [
        .toOne("owner", "Owner", inverse: "parts"),
        .toOne("keeper", "Owner", inverse: "kept"),
      ])
    let model = try Model([owner, part])
    let folder = try TemporaryFolder()
    let file = folder.file("parts.sqlite")
    let of = Value.object(ManagedObjectID(store: 0, entityIndex: 0, primaryKey: 1))
    try StoreFile.createTemplate(
      at: file, model: model, rows: [(owner, [[.int64(1)]]), (part, [[.int64(2), of, of]])])
    let plain = try PlainStore(
      StoreConfiguration(url: file, mode: .pool), model: model,
      rows: [RowEntity(owner, keyIndex: 0)], lookup: .perBatch)
    let deletion = Change.delete(key: .int64(1))
    try plain.apply([deletion])
    #expect(try plain.count(FetchRequest(part)) == 0)
    try plain.close()
  }
}
