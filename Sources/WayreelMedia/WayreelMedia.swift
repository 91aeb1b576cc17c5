@_exported public import WayreelCore
@_exported public import WayreelDocument
@_exported public import WayreelImage
@_exported public import WayreelLevels
@_exported public import WayreelStory
@_exported public import WayreelStoryMedia
@_exported public import WayreelTasks
@_exported public import WayreelVideo
