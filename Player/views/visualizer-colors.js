// The visualizer is dark in light and dark mode, like the faces of instruments.

export const colors = {
  left: '#ffd21f', right: '#56c7f0', soft: 'rgb(255 255 255 / 0.14)', text: 'rgb(255 255 255 / 0.72)', face: '#f2ead2', faceInk: '#1a1d1b',
};
