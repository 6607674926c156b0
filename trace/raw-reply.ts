import { countOf } from '../core/text/count.ts';
import { readBytes } from '../core/events/bytes.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../core/events/events.ts';
import { sizeOf } from '../core/events/marks.ts';
import { saidBy } from '../core/events/said.ts';
import { printBytes, type ShownLimits } from '../core/events/shown-bytes.ts';

const LIMITS: ShownLimits = { text: 16 * 2 ** 20, other: 2 ** 20 };

/**
 * What came from the agent for one call, as it was on the wire: of each reply its head with the headers, and below it its
 * bytes, as text where they are UTF-8, else as a hex dump; of compressed ones what they say. What is noted after the last byte stands below, behind `#`.
 * `events` are those of the call, in their order.
 */
export function printRawReply(events: readonly TraceEvent[], limits: ShownLimits = LIMITS): string {
  const parts: string[] = [];
  let pieces: WireEvent[] = [];
  let notes: string[] = [];
  const endBody = (): void => {
    if (pieces.length > 0) parts.push(printBody(pieces, limits) + sayPacked(pieces));
    pieces = [];
  };
  for (const event of events) {
    if (event.type === 'note') notes.push(`# ${event.text}`);
    if (!('direction' in event) || event.direction !== 'in') continue;
    notes = [];
    if (event.type === 'wire') {
      pieces.push(event);
      continue;
    }
    endBody();
    parts.push(printHead(event));
  }
  endBody();
  return [...parts, ...(notes.length > 0 ? [notes.join('\n')] : [])].reduce(joinApart, '');
}

function printHead({ line, headers }: HeadEvent): string {
  return [line, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\n');
}

function printBody(pieces: readonly WireEvent[], limits: ShownLimits): string {
  const { text, hidden } = printBytes(
    pieces.map(piece => readBytes(saidBy(piece))),
    limits,
  );
  return text + sayHidden(hidden);
}

function sayPacked(pieces: readonly WireEvent[]): string {
  if (!pieces.some(({ unpacked }) => unpacked)) return '';
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
  return `\n# It came compressed, in ${countOf(size, 'byte')}`;
}

function sayHidden(bytes: number): string {
  if (bytes === 0) return '';
  return `\n# ${bytes} more ${bytes === 1 ? 'byte is' : 'bytes are'} not shown`;
}

/** An empty line between two parts, whatever the first of them ends with. */
function joinApart(before: string, part: string): string {
  if (before === '') return part;
  const ends = /\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${ends}${part}`;
}
