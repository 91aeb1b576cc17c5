// The channels of a strip chart, and the lanes that they are drawn in.

import { SignalRing } from './signal-ring.js';

/** Samples of all channels in memory: 12.1 bytes each. */
const memorySamples = 6_000_000;
const fewestSamples = 1 << 14;
const mostSamples = 1 << 20;

/** Returns channels as a chart has them, see `setChannels`, with the samples of those that were there. */
export function keptChannels(channels, before) {
  const known = new Map(before.map(channel => [channel.key, channel]));
  const capacity = Math.min(mostSamples, Math.max(fewestSamples, memorySamples / Math.max(channels.length, 1)));
  const found = channels.map((channel, place) => {
    const key = `${channel.of ?? ''} ${channel.name} ${channel.filter ?? ''}`;
    const old = known.get(key);
    return {
      ...channel, key, index: channel.index ?? place, ring: old?.ring ?? new SignalRing(capacity), drawn: 0, color: place,
      isFiltered: channel.of !== undefined && channel.of !== null, isHidden: old?.isHidden ?? channel.isHidden ?? false,
    };
  });
  for (const channel of found) if (channel.isFiltered) channel.color = found.find(({ index }) => index === channel.of)?.color ?? channel.color;
  return found;
}

/** Puts the channels into lanes: one for each, and filtered ones with what they are filtered from, which is behind them then. */
export function arrangedLanes(channels, before) {
  const ranges = new Map(before.map(({ key, range }) => [key, range]));
  const groups = new Map();
  for (const channel of channels.filter(({ isHidden }) => !isHidden)) {
    const source = channel.isFiltered ? channel.of : channel.index;
    groups.set(source, [...groups.get(source) ?? [], channel]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([key, members]) => {
    const [{ name, label, unit, range, color }] = members;
    for (const channel of members) channel.isBehind = !channel.isFiltered && members.length > 1;
    return { key, name, label, unit: unit ?? '', color, channels: members, fixed: range, range: ranges.get(key), isLogarithmic: false };
  });
}

/** Returns the seconds without a sample after which the line of a channel is interrupted. */
export function gapOf({ ring, rate, isFiltered }) {
  // Filters may give fewer samples than they get, such as the peaks alone.
  const measured = rate && !isFiltered ? undefined : ring.usualInterval();
  const usual = Math.max(rate ? 1 / rate : 0, measured ?? 0) || 1;
  return Math.max(usual * 5, 0.02);
}

/** Half a turn by the unit of an angle, and the names of angles without a unit, as plots and filters know them (Smoothing.swift). */
const halfTurns = { '°': 180, deg: 180, rad: Math.PI };
const angles = /(^|\.)(degrees|heading|course|bearing|azimuth|yaw|longitude)$/;
/** Filters whose results are differences of angles, which do not begin again. */
const differences = /:(highpass|bandpass|detrend|derivative)=/;

/** Returns the step from one sample to the next over which no line is drawn: half a turn of an angle; Infinity for others. */
export function halfTurnOf({ name, unit, filter }) {
  if (differences.test(filter)) return Infinity;
  return (unit ? halfTurns[unit] : angles.test(name) && 180) || Infinity;
}
