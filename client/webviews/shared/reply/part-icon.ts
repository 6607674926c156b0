import type { PartKind } from '../../../../protocols/reply-parts/part.ts';
import { drawIcon } from '../icons.ts';
import type { View } from '../view.ts';

/** SVG paths on a grid of 16, one per kind. */
const PATHS = {
  message: 'M2.5 3h11v7.5h-6l-3 2.5v-2.5h-2z',
  text: 'M3 4.5h10M3 8h10M3 11.5h6',
  reasoning: 'M8 2a4.2 4.2 0 0 0-2.4 7.6c.5.4.7.9.7 1.6h3.4c0-.7.2-1.2.7-1.6A4.2 4.2 0 0 0 8 2M6.6 13.6h2.8',
  tool: 'M10.2 2.6a3.4 3.4 0 0 0-3.5 4.6L2.6 11.3l2.1 2.1l4.1-4.1a3.4 3.4 0 0 0 4.6-3.5l-2 2l-2.2-.6l-.6-2.2z',
  output: 'M2.5 8h8M7.5 5l3 3l-3 3M13.5 3v10',
  approval: 'M8 1.8l5 1.9v4c0 3-2.1 5.3-5 6.5c-2.9-1.2-5-3.5-5-6.5v-4zM5.8 7.8l1.6 1.6l2.8-3',
  data: 'M6 2.5c-1.5 0-2 .6-2 1.8v1.9c0 1-.5 1.6-1.5 1.8c1 .2 1.5.8 1.5 1.8v1.9c0 1.2.5 1.8 2 1.8M10 2.5c1.5 0 2 .6 2 1.8v1.9c0 1 .5 1.6 1.5 1.8c-1 .2-1.5.8-1.5 1.8v1.9c0 1.2-.5 1.8-2 1.8',
  media: 'M2.5 3.5h11v9h-11zM2.5 10.5l3-3l3 3l1.8-1.8l3.2 3.2M10.5 6.1v.2',
  refusal: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M3.4 12.6l9.2-9.2',
  artifact: 'M8 1.8l5.5 3v6.4l-5.5 3l-5.5-3V4.8zM2.5 4.8l5.5 3l5.5-3M8 7.8v6.4',
  status: 'M4 14V2.5M4 3h8l-2 2.8l2 2.7H4',
  progress: 'M2.5 6h11v4h-11zM4.5 8h4',
  log: 'M2.5 3.5h11v9h-11zM4.8 6.2L6.6 8L4.8 9.8M8.2 9.8h3',
  notice: 'M4 11V7.2a4 4 0 0 1 8 0V11l1.2 1.2H2.8zM6.8 13.8h2.4',
  request: 'M13 12V9.5a3 3 0 0 0-3-3H3.5M6.5 3.5l-3 3l3 3',
  stream: 'M2 5.5c2-2 4 2 6 0s4-2 6 0M2 10.5c2-2 4 2 6 0s4-2 6 0',
  chunk: 'M5 5h6v6H5z',
  result: 'M3 8.5l3.2 3.2L13 4.8',
  error: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  exchange: 'M2.5 5.5h10M9.8 2.8l2.7 2.7l-2.7 2.7M13.5 10.5h-10M6.2 7.8l-2.7 2.7l2.7 2.7',
} as const satisfies Record<PartKind, string>;

/** The icon of a kind of part. */
export function PartIcon({ kind }: { kind: PartKind }): View {
  return drawIcon(PATHS[kind]);
}
