// The look of the house whose stories these are, in place of Wayreel's: its name, its colours and its font.

const schemes = ['light', 'dark'];
const parts = ['color', 'text', 'edge', 'accent', 'mark', 'markText'];
const family = 'House';
let site;
let shown;
let font;

/** Sets the face of the list of stories: that of player.json, or nothing. */
export function setSiteFace(face) { site = face; }

/**
 * Shows a face `{name, colors: {light, dark}, font?, fontWeights?}` whose font is an address: that of a story, null for Wayreel's, and
 * nothing for that of the list of stories. The styles in tokens.css take the colours, which were made readable when the story was prepared.
 */
export function showFace(face = site) {
  if (face === shown) return;
  shown = face;
  const root = document.documentElement;
  for (const scheme of schemes) {
    for (const part of parts) {
      const value = face?.colors?.[scheme]?.[part];
      if (/^#[0-9a-f]{6}$/.test(value)) root.style.setProperty(`--${scheme}-${part}`, value);
      else root.style.removeProperty(`--${scheme}-${part}`);
    }
    const head = face?.colors?.[scheme]?.color;
    for (const meta of document.querySelectorAll(`meta[name="theme-color"][media*="${scheme}"]`)) {
      meta.dataset.own ??= meta.content;
      meta.content = head ?? meta.dataset.own;
    }
  }
  root.toggleAttribute('data-house-color', Boolean(face?.colors?.light?.color));
  root.toggleAttribute('data-house-accent', Boolean(face?.colors?.light?.accent));
  showFont(face);
}

function showFont(face) {
  if (font) document.fonts.delete(font);
  font = undefined;
  const { style } = document.documentElement;
  style.removeProperty('--house');
  if (!face?.font || !window.FontFace) return;
  font = new FontFace(family, `url("${encodeURI(face.font)}")`, { display: 'swap', weight: face.fontWeights ?? 'normal' });
  document.fonts.add(font);
  // The fonts behind it in tokens.css have what it lacks.
  style.setProperty('--house', `"${family}",`);
}

/** The name in titles. */
export const houseName = () => shown?.name || 'Wayreel';

/** The face of the list of stories; undefined for Wayreel's. */
export const siteFace = () => site;
