/** Milliseconds since 1970 of a text of RFC 3339; undefined for any other text. */
export function parseTime(text) {}
/** `2026-11-23T17:05:09Z`, with `.250` where there are milliseconds. */
export function timeText(milliseconds) {}
