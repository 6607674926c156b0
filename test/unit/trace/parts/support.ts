import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import type { TraceProtocol, WireEvent } from '../../../../core/events/events.ts';
import type { ReplyParts, TracePart } from '../../../../protocols/reply-parts/part.ts';
import { readParts } from '../../../../protocols/reply-parts/parts-reader.ts';

/** Pieces of a reply as they came, one each ten milliseconds from 100 on. */
export function piecesOf(pieces: readonly (string | Uint8Array)[]): readonly WireEvent[] {
  return pieces.map((piece, index) => ({
    type: 'wire',
    call: 'c',
    at: 100 + index * 10,
    direction: 'in',
    bytes: typeof piece === 'string' ? { text: piece } : { base64: Buffer.from(piece).toString('base64') },
  }));
}

/**
 * The parts of a reply, a line each: `id kind [title] status from-to xPIECES "text" {notes}`, those below moved in; what is said
 * of the reply as a whole is last.
 */
export function outline(
  protocol: TraceProtocol,
  pieces: readonly (string | Uint8Array)[],
  call: 'open' | 'ended' = 'ended',
): readonly string[] {
  return linesOf(readParts(ALL_PROTOCOLS.find(protocol), piecesOf(pieces), call));
}

/** The same of parts that were read. */
export function linesOf({ parts, notes }: ReplyParts): readonly string[] {
  return [...parts.flatMap(part => linesOfPart(part, '')), ...notes.map(note => `— ${note}`)];
}

function linesOfPart(part: TracePart, indent: string): readonly string[] {
  const { id, kind, title, status, at, until, pieces, text, notes, children } = part;
  const words = [
    `${indent}${id} ${kind}`,
    title === '' ? '' : `[${title}]`,
    status,
    `${at}-${until}`,
    `x${pieces}`,
    text === undefined ? '' : JSON.stringify(text),
    ...notes.map(note => `{${note}}`),
  ];
  return [words.filter(Boolean).join(' '), ...children.flatMap(child => linesOfPart(child, `${indent}  `))];
}

/** Parts without what a cut of the wire changes: their times and how many pieces a whole body came in. */
export function withoutTimes({ parts, notes }: ReplyParts): object {
  const strip = ({ at: _at, until: _until, ticks: _ticks, children, ...part }: TracePart): object => ({
    ...part,
    children: children.map(strip),
  });
  return { parts: parts.map(strip), notes };
}
