/** The base maps of a bundle: which tiles it has, and how they are loaded; and whether it has floor plans. */

/** The module that shows floor plans; undefined for a bundle without any. Without it maps are those of other chapters. */
export const plansOf = ({ manifest }) => manifest.floors?.length && import('../plans/plans.js').catch(error => console.warn(error));

/** A ground of a manifest: `{minZoom, maxZoom, bounds, attribution, tiles: {"z/x/y": path}}`; undefined unless it is sound. */
function soundGround(entry) {
  const { minZoom, maxZoom, attribution, tiles } = entry ?? {};
  const isSound = [minZoom, maxZoom].every(zoom => Number.isInteger(zoom) && zoom >= 0 && zoom <= 24) && minZoom <= maxZoom
    && typeof attribution === 'string' && attribution.trim() !== '' && tiles !== null && typeof tiles === 'object';
  return isSound ? entry : undefined;
}

/** Returns the ground of a chapter, or that of its story, as `{zooms, attribution, source}`; undefined without one. */
export function groundOf(media, chapter) {
  const { ground } = media.manifest;
  const own = soundGround(ground?.chapters?.[chapter]);
  const entry = own ?? soundGround(ground);
  if (!entry) return undefined;
  const { minZoom, maxZoom, attribution, tiles } = entry;
  const id = [media.id, media.version, ...own ? [chapter] : []].map(encodeURIComponent).join('/');
  return { zooms: { minZoom, maxZoom }, attribution, source: new TileSource(id, tiles, media) };
}

/**
 * What draws the ground takes its tiles from this: `load(zoom, column, row)` resolves to a tile's bytes, as they are stored, or to null where
 * there is none, and rejects if the host does not answer. `id` is the same for the same tiles.
 */
class TileSource {
  constructor(id, tiles, media) {
    Object.assign(this, { id, tiles, media });
  }

  async load(zoom, column, row) {
    const key = `${zoom}/${column}/${row}`;
    const address = Object.hasOwn(this.tiles, key) ? this.media.address(this.tiles[key]) : undefined;
    if (!address) return null;
    const response = await fetch(address);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.arrayBuffer();
  }
}
