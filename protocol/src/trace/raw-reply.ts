import { countCutCharacter } from '../text/utf8.ts';
import { countOf } from '../text/count.ts';
import { decodeUtf8, readBytes } from './bytes.ts';
import type { HeadEvent, TraceEvent, WireEvent } from './events.ts';
import { printHex } from './hex.ts';
import { sizeOf } from './marks.ts';
import { saidBy } from './said.ts';

/** How much is shown, in bytes: of what is text, and of what is not, which takes five times the room. */
export interface RawLimits {
  readonly text: number;
  readonly other: number;
}

const LIMITS: RawLimits = { text: 16 * 2 ** 20, other: 2 ** 20 };

/**
 * What came from the agent for one call, as it was on the wire: of each reply its head with the headers, and below it its
 * bytes, as text where they are UTF-8, else as a hex dump; of compressed ones what they say. What is noted after the last byte stands below, behind `#`.
 * `events` are those of the call, in their order.
 */
export function printRawReply(events: readonly TraceEvent[], limits: RawLimits = LIMITS): string {
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

function printBody(pieces: readonly WireEvent[], limits: RawLimits): string {
  const { bytes, total } = joinUpTo(pieces, limits.text);
  const whole = bytes.subarray(0, bytes.length - countCutCharacter(bytes));
  const text = decodeUtf8(whole);
  if (text !== undefined) return text + sayHidden(total - whole.length);
  const shown = bytes.subarray(0, limits.other);
  return printHex(shown) + sayHidden(total - shown.length);
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

function joinUpTo(
  pieces: readonly WireEvent[],
  most: number,
): { readonly bytes: Uint8Array; readonly total: number } {
  const parts = pieces.map(piece => readBytes(saidBy(piece)));
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.min(total, most));
  let at = 0;
  for (const part of parts) {
    const fitting = part.subarray(0, bytes.length - at);
    bytes.set(fitting, at);
    at += fitting.length;
  }
  return { bytes, total };
}

/** An empty line between two parts, whatever the first of them ends with. */
function joinApart(before: string, part: string): string {
  if (before === '') return part;
  const ends = /\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${ends}${part}`;
}
