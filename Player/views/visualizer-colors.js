// The screen of a radio is dark by day and by night, as the faces of instruments are.

export const colors = {
  left: '#ffd21f', right: '#56c7f0', soft: 'rgb(255 255 255 / 0.14)', text: 'rgb(255 255 255 / 0.72)', face: '#f2ead2', faceInk: '#1a1d1b',
};

/** The lowest level that is shown, in dBFS. */
export const lowest = -48;
