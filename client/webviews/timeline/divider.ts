import { element } from '../shared/element.ts';

/** Callbacks of a divider. Shares go from 0 to 1 of the divided size. */
export interface Divided {
  share(): number;
  /** The pointer dragged the divider to a position in the window. */
  move(clientX: number, clientY: number): void;
  /** A key moves the divider by a share. */
  step(by: number): void;
}

/** The share by which a key moves a divider. */
const STEP = 0.02;

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -STEP],
  ['ArrowUp', -STEP],
  ['ArrowRight', STEP],
  ['ArrowDown', STEP],
]);

/** Builds a separator between two parts, which can be dragged or moved with the arrow keys. */
export function buildDivider(label: string, divided: Divided): HTMLElement {
  const divider = element('div', {
    class: 'divider',
    role: 'separator',
    attributes: { tabindex: '0', 'aria-label': label, 'aria-orientation': 'vertical' },
  });
  const report = (): void => {
    divider.ariaValueNow = String(Math.round(divided.share() * 100));
  };
  report();
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
    report();
  });
  for (const end of ['pointerup', 'pointercancel'] as const)
    divider.addEventListener(end, () => (isHeld = false));
  divider.addEventListener('keydown', event => {
    const by = STEPS.get(event.key);
    if (by === undefined) return;
    divided.step(by);
    report();
    event.preventDefault();
    event.stopPropagation();
  });
  return divider;
}
