import type { CallStatus } from '../../../core/events/events.ts';
import { drawIcon } from './svg.ts';

/** SVG paths on a grid of 16, one per status. */
const PATHS = {
  open: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  ok: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5 8.2l2.1 2.1L11 6',
  error: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  cancelled: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M3.4 12.6l9.2-9.2',
  incomplete: 'M8 2L1.8 13.5h12.4zM8 6.2v3.6M8 11.3v.9',
} as const satisfies Record<CallStatus, string>;

/** The icon of a status, in the colour of its class `status-…`. */
export function buildStatusIcon(status: CallStatus): SVGElement {
  return drawIcon(PATHS[status], `status-icon status-${status}`);
}
