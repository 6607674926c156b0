import { countOf } from '../core/text/count.ts';
import { readBytes, printBytes, type ShownLimits } from '../core/events/bytes.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../core/events/events.ts';
import { sizeOf, payloadOf } from '../core/events/payload.ts';

const LIMITS: ShownLimits = { text: 16 * 2 ** 20, other: 2 ** 20 };

/**
 * Prints the agent's reply to a call as it was on the wire: the head of each reply with its headers, then its
 * bytes, as text if they are UTF-8, else as a hex dump. Compressed bytes are printed unpacked. Notes after
 * the last byte follow as lines with `#`. `events` are those of the call, in their order.
 */
export function printRawReply(events: readonly TraceEvent[], limits: ShownLimits = LIMITS): string {
  const parts: string[] = [];
  let pieces: WireEvent[] = [];
  let notes: string[] = [];
  const endBody = (): void => {
    if (pieces.length > 0) parts.push(printBody(pieces, limits) + describePacked(pieces));
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
    pieces.map(piece => readBytes(payloadOf(piece))),
    limits,
  );
  return text + describeHidden(hidden);
}

function describePacked(pieces: readonly WireEvent[]): string {
  if (!pieces.some(({ unpacked }) => unpacked)) return '';
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
  return `\n# Compressed on the wire: ${countOf(size, 'byte')}`;
}

function describeHidden(bytes: number): string {
  if (bytes === 0) return '';
  return `\n# ${bytes} more ${bytes === 1 ? 'byte is' : 'bytes are'} not shown`;
}

/** Joins two parts with exactly one empty line between them. */
function joinApart(before: string, part: string): string {
  if (before === '') return part;
  const ends = /\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${ends}${part}`;
}
