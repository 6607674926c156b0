import { element } from '../shared/element.ts';

/** What a divider moves. Shares are of the whole that it divides, from 0 to 1. */
export interface Divided {
  share(): number;
  /** The pointer drags it to a place in the window. */
  move(clientX: number, clientY: number): void;
  /** A key moves it by so much. */
  step(by: number): void;
}

/** How far a key moves a divider. */
const STEP = 0.02;

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -STEP],
  ['ArrowUp', -STEP],
  ['ArrowRight', STEP],
  ['ArrowDown', STEP],
]);

/** A line between two parts that the pointer drags and the arrow keys move. */
export function buildDivider(label: string, divided: Divided): HTMLElement {
  const divider = element('div', {
    class: 'divider',
    role: 'separator',
    attributes: { tabindex: '0', 'aria-label': label, 'aria-orientation': 'vertical' },
  });
  const tell = (): void => {
    divider.ariaValueNow = String(Math.round(divided.share() * 100));
  };
  tell();
  let isHeld = false;
  divider.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    isHeld = true;
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener('pointermove', event => {
    if (!isHeld) return;
    divided.move(event.clientX, event.clientY);
    tell();
  });
  for (const end of ['pointerup', 'pointercancel'] as const)
    divider.addEventListener(end, () => (isHeld = false));
  divider.addEventListener('keydown', event => {
    const by = STEPS.get(event.key);
    if (by === undefined) return;
    divided.step(by);
    tell();
    event.preventDefault();
    event.stopPropagation();
  });
  return divider;
}
