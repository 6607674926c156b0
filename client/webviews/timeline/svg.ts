const SVG = 'http://www.w3.org/2000/svg';

type SvgAttribute =
  'class' | 'd' | 'x' | 'y' | 'viewBox' | 'aria-hidden' | 'text-anchor' | 'width' | 'height';

/** Builds an element of a picture. Values are set as text, as `element` does it: nothing here makes markup of them. */
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

/** Sets an attribute where it differs. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}
