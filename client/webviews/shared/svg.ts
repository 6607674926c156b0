const SVG = 'http://www.w3.org/2000/svg';

type SvgAttribute =
  | 'class'
  | 'd'
  | 'x'
  | 'y'
  | 'viewBox'
  | 'aria-hidden'
  | 'text-anchor'
  | 'width'
  | 'height';

/** Builds an SVG element. Values are set as text, never as markup. */
export function svgElement<Tag extends 'svg' | 'g' | 'path' | 'text' | 'title'>(
  tag: Tag,
  attributes: Partial<Readonly<Record<SvgAttribute, string>>>,
  ...children: readonly Node[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Draws a 16-pixel icon from one path, in the colour of the text around it. It is hidden from screen readers,
 * because a label always accompanies it.
 */
export function drawIcon(strokes: string, name = 'line-icon'): SVGElement {
  const path = svgElement('path', { d: strokes });
  return svgElement('svg', { viewBox: '0 0 16 16', class: name, 'aria-hidden': 'true' }, path);
}
