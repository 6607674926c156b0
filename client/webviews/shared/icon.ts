const SVG = 'http://www.w3.org/2000/svg';

/** Strokes on a grid of 16. Words or a label stand beside each icon, so it says nothing to a screen reader. */
const PATHS = {
  'chevron-down': 'M4 6.5l4 4l4-4',
  'arrow-up': 'M8 13V3.5M4 7.5l4-4l4 4',
  'arrow-down': 'M8 3v9.5M4 8.5l4 4l4-4',
  close: 'M4 4l8 8M12 4l-8 8',
} as const;

/** An icon of our buttons, 16 px, in the colour of the text around it. */
export function buildIcon(name: keyof typeof PATHS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'line-icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
