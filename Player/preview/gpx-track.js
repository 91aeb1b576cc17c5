// Reads the points of a GPX file with their times.

/**
 * Returns [{latitude, longitude, altitude?, time (ms since 1970)}]; points without a time are a second apart. Throws if
 * the file is not GPX.
 */
export function gpxPoints(text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'gpx') throw new Error('no GPX');
  const nodes = [...document.getElementsByTagNameNS('*', 'trkpt'), ...document.getElementsByTagNameNS('*', 'rtept')];
  let time = Date.now() - 1000;
  return nodes.map(node => {
    const value = name => node.getElementsByTagNameNS('*', name)[0]?.textContent;
    const parsed = Date.parse(value('time') ?? '');
    time = Number.isFinite(parsed) ? parsed : time + 1000;
    const altitude = Number.parseFloat(value('ele'));
    return {
      latitude: Number(node.getAttribute('lat')), longitude: Number(node.getAttribute('lon')), time,
      ...(Number.isFinite(altitude) ? { altitude } : {}),
    };
  }).filter(point => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180);
}
