internal import WayreelCore
internal import WayreelImage

extension FileHead {
    /// Returns whether the image at `path` is decoded by calls that cannot be interrupted. False for pipes and missing
    /// files. `choosesPage` is true if the task selects a page other than the primary one.
    static func isUninterruptibleImage(_ path: String, choosesPage: Bool) -> Bool {
        withFirstBytes(of: path) { ImageProbe.isUninterruptible(beginningWith: $0, choosesPage: choosesPage) }
            ?? isPipe(path)
    }

    /// Returns whether the primary image at `path` is decoded by calls that cannot be interrupted.
    static func isUninterruptibleImage(_ path: String) -> Bool {
        isUninterruptibleImage(path, choosesPage: false)
    }
}
