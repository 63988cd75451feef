package import Support
package import Workload

extension StoreModel {
  /// - Throws: an error if the scenario's predicates do not suit its rows.
  package func check(_ tables: [TableRows], of scenario: Scenario) throws(InputError) {
    if scenario.user.searchesPerSecond.events(in: scenario.horizon) > 0 {
      try tables[0].requireWords(in: typedAttribute, of: scenario)
    }
  }
}
