// Reads the points of a GPX file with their times and what the receiver measured.

/** The measurements by the local name of their element, in a point or its extensions, as Swift's reader knows them (GPXReader.swift). */
const measurements = {
  ele: 'altitude', speed: 'speed', course: 'course', bearing: 'course', heading: 'heading', accuracy: 'accuracy', hacc: 'accuracy', hAcc: 'accuracy',
  horizontalAccuracy: 'accuracy', hdop: 'hdop',
};
/** The accuracy in metres (95 %) for each unit of horizontal dilution of precision. */
const metresPerDilution = 5;

/**
 * Returns [{latitude, longitude, altitude?, accuracy? (m), speed? (m/s), course? (degrees), time (ms since 1970)}]. If at least half of the points have a time, those
 * without are left out, as Swift's reader does; else they are a second apart. Throws if the file is not GPX.
 */
export function gpxPoints(text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'gpx') throw new Error('no GPX');
  const nodes = [...document.getElementsByTagNameNS('*', 'trkpt'), ...document.getElementsByTagNameNS('*', 'rtept')];
  const value = (node, name) => node.getElementsByTagNameNS('*', name)[0]?.textContent;
  // OsmAnd writes the accuracy in metres as the dilution.
  const perDilution = document.documentElement.getAttribute('creator')?.startsWith('OsmAnd') ? 1 : metresPerDilution;
  const timeOf = node => Date.parse(value(node, 'time') ?? '');
  const timed = nodes.filter(node => Number.isFinite(timeOf(node)));
  let time = Date.now() - 1000;
  return (timed.length * 2 >= nodes.length ? timed : nodes).map(node => {
    const parsed = timeOf(node);
    time = Number.isFinite(parsed) ? parsed : time + 1000;
    return { latitude: Number(node.getAttribute('lat')), longitude: Number(node.getAttribute('lon')), time, ...measured(node, perDilution) };
  }).filter(point => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180);
}

function measured(node, perDilution) {
  const found = {};
  for (const { localName, textContent } of node.getElementsByTagName('*')) {
    const [name, number] = [measurements[localName], Number.parseFloat(textContent)];
    if (name && Number.isFinite(number) && Math.abs(number) <= 1e6) found[name] = number;
  }
  const { altitude, speed, accuracy, hdop, course, heading } = found;
  const direction = [course, heading].find(degrees => degrees >= 0 && degrees <= 360);
  const metres = accuracy > 0 ? accuracy : hdop > 0 ? hdop * perDilution : undefined;
  return {
    ...(altitude !== undefined && { altitude }), ...(speed >= 0 && { speed }), ...(metres && { accuracy: metres }),
    ...(direction !== undefined && { course: direction % 360 }),
  };
}
