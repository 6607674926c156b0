import { element } from '../../shared/element.ts';
import { buildIconButton } from '../../shared/icon.ts';
import { ZOOM, type KeyAction } from './waterfall-keys.ts';

/** Builds the buttons that zoom the waterfall, with the same actions as the keys. */
export function buildZoomButtons(act: (action: KeyAction) => void): HTMLElement {
  return element(
    'div',
    { class: 'zoom' },
    buildIconButton('minus', 'Zoom out (−)', () => act({ kind: 'zoom', factor: ZOOM })),
    buildIconButton('plus', 'Zoom in (+)', () => act({ kind: 'zoom', factor: 1 / ZOOM })),
    buildIconButton('fit', 'Show all of the time (0)', () => act({ kind: 'all' })),
  );
}
