internal import WayreelCore
internal import WayreelTasks

/// Fits a plan into a size.
enum Budget {
    static func fit(
        _ plan: inout PreparePlan, state: BundleState, store: MediaStore, isolation: Isolation?, on pool: WorkPool,
        cancellation: Cancellation
    ) async throws -> BudgetReport? {
        nil
    }
}
