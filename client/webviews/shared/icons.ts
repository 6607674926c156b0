import type { CallStatus } from '../../../core/events/events.ts';
import { h, type View } from './view.ts';

/** SVG paths on a grid of 16. */
const PATHS = {
  'chevron-down': 'M4 6.5l4 4l4-4',
  'arrow-up': 'M8 13V3.5M4 7.5l4-4l4 4',
  'arrow-down': 'M8 3v9.5M4 8.5l4 4l4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  attach: 'M5.2 8.6l4.3-4.3a1.9 1.9 0 0 1 2.7 2.7l-5.5 5.5a3.2 3.2 0 0 1-4.5-4.5L7 3.2',
  'chevron-left': 'M9.5 4l-4 4l4 4',
  'chevron-right': 'M6.5 4l4 4l-4 4',
  cycle: 'M12.9 6.5A5.2 5.2 0 1 0 13.2 8.6M13.2 3.2v3.4h-3.4',
  inferred: 'M3.5 2.5v2M3.5 6.5v2M3.5 10.5h2M7.5 10.5h2M11 8l2.5 2.5L11 13',
  depth: 'M2.5 3.5h4v3h3v3h4M11 7.2l2.5 2.3L11 11.8',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  note: 'M3 2.5h10v7.5l-3.5 3.5H3zM9.5 13.5V10H13M5.5 5.5h5M5.5 8h3',
  sides: 'M2 8s2.2-3.8 6-3.8S14 8 14 8s-2.2 3.8-6 3.8S2 8 2 8M8 6.4a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 1 0 0-3.2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.3 10.3l3.4 3.4',
  export: 'M8 2.5v7.5M4.8 7L8 10.2L11.2 7M3 13.2h10',
  copy: 'M5.5 5.5h7.5v8H5.5zM10.5 5.5V2.5H3v8h2.5',
  compare: 'M2.5 5.5h10M9.8 2.8l2.7 2.7l-2.7 2.7M13.5 10.5h-10M6.2 7.8l-2.7 2.7l2.7 2.7',
  replay: 'M3.6 5.2A5.2 5.2 0 1 1 2.8 8.6M3.2 2.6v3.2h3.2M6.8 6.2v4.6l3.6-2.3z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  text: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.8 8h4.4M5.8 11h4.4',
  fit: 'M2.5 4v8M13.5 4v8M5 8h6M6.8 6L5 8l1.8 2M9.2 6L11 8l-1.8 2',
  parts: 'M2.5 3.5h11M5.5 8h8M5.5 12.5h8M2.5 8h.1M2.5 12.5h.1',
} as const;

export type IconName = keyof typeof PATHS;

/** A 16-pixel icon in the colour of the text around it. It is hidden from screen readers: a label accompanies it. */
export function Icon({ name }: { name: IconName }): View {
  return drawIcon(PATHS[name]);
}

export function drawIcon(path: string, name = 'line-icon'): View {
  return h('svg', { viewBox: '0 0 16 16', class: name, 'aria-hidden': 'true' }, h('path', { d: path }));
}

const STATUS_PATHS = {
  open: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  ok: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5 8.2l2.1 2.1L11 6',
  error: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  cancelled: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M3.4 12.6l9.2-9.2',
  incomplete: 'M8 2L1.8 13.5h12.4zM8 6.2v3.6M8 11.3v.9',
} as const satisfies Record<CallStatus, string>;

/** The icon of a status, in the colour of its class `status-…`. */
export function StatusIcon({ status }: { status: CallStatus }): View {
  return drawIcon(STATUS_PATHS[status], `status-icon status-${status}`);
}
