@_exported public import WayreelCore
@_exported public import WayreelImage
