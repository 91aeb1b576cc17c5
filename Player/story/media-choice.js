/**
 * Which of a bundle's files a screen shows. All addresses are absolute, same-origin, below the story's media folder; else undefined.
 * image(source, role): {src, srcset, width, height, candidates: [{url, width, height}]} | undefined; role 'image', 'preview' or 'poster'
 * video(source): {sources: [{url, type, width, height}] (HLS or MP4, best first), poster?: image, seconds} | undefined
 * audio(source): {url, type, seconds, levels?: url, plot?: url} | undefined
 */
export class MediaChoice {
  constructor(manifest, base) {}
  image(source, role = 'image') {}
  video(source) {}
  audio(source) {}
}
