// Reads the points of a GPX file with their times.

/**
 * Returns [{latitude, longitude, altitude?, time (ms since 1970)}]. If at least half of the points have a time, those
 * without are left out, as Swift's reader does; else they are a second apart. Throws if the file is not GPX.
 */
export function gpxPoints(text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'gpx') throw new Error('no GPX');
  const nodes = [...document.getElementsByTagNameNS('*', 'trkpt'), ...document.getElementsByTagNameNS('*', 'rtept')];
  const value = (node, name) => node.getElementsByTagNameNS('*', name)[0]?.textContent;
  const timeOf = node => Date.parse(value(node, 'time') ?? '');
  const timed = nodes.filter(node => Number.isFinite(timeOf(node)));
  let time = Date.now() - 1000;
  return (timed.length * 2 >= nodes.length ? timed : nodes).map(node => {
    const parsed = timeOf(node);
    time = Number.isFinite(parsed) ? parsed : time + 1000;
    const altitude = Number.parseFloat(value(node, 'ele'));
    return {
      latitude: Number(node.getAttribute('lat')), longitude: Number(node.getAttribute('lon')), time,
      ...(Number.isFinite(altitude) ? { altitude } : {}),
    };
  }).filter(point => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180);
}
