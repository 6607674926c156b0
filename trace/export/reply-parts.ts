import type { Protocols } from '../../protocols/protocol.ts';
import { isSse } from '../../language/values/sse.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../fold/tree.ts';
import { STATUS_WORDS } from '../words.ts';
import { joinPayload } from './payload-text.ts';

/**
 * The parts of a reply that came in several messages or as events, whose text says less than they do: thoughts, calls of tools
 * with their outputs, chunks, progress. Undefined for a reply that is one message, which says itself.
 */
export function findReplyParts(
  { call, status }: CallNode,
  payload: readonly (HeadEvent | WireEvent)[],
  protocols: Protocols,
): ReplyParts | undefined {
  const reply = joinPayload(payload, 'in');
  if (!reply || !('text' in reply)) return undefined;
  const { parts: all, notes } = readParts(
    protocols.find(call.protocol),
    payload,
    status === 'open' ? 'open' : 'ended',
  );
  const parts = all.filter(({ kind }) => kind !== 'exchange');
  const isTelling = countParts(parts) > (isSse(reply.text) ? 0 : 1);
  return isTelling ? { parts, notes } : undefined;
}

/** Parts in all, those within others too. */
export function countParts(parts: readonly TracePart[]): number {
  return parts.reduce((count, { children }) => count + 1 + countParts(children), 0);
}

/** Parts as text, each below the one that it is in: `Tool call weather: {"city":"Oslo"}`. */
export function printReplyParts({ parts, notes }: ReplyParts): string {
  return `${printParts(parts, '')}${printNotes(notes, '')}`;
}

function printParts(parts: readonly TracePart[], indent: string): string {
  return parts
    .map(({ kind, title, status, text, notes, children }) => {
      const name = [PART_WORDS[kind], title].filter(Boolean).join(' ');
      const word = status === 'ok' ? '' : ` (${STATUS_WORDS[status]})`;
      const deeper = `${indent}  `;
      const said = text === undefined ? '' : `: ${text.trimEnd().replace(/\r?\n/g, `\n${deeper}`)}`;
      return `${indent}${name}${word}${said}\n${printNotes(notes, deeper)}${printParts(children, deeper)}`;
    })
    .join('');
}

function printNotes(notes: readonly string[], indent: string): string {
  return notes.map(note => `${indent}note: ${note}\n`).join('');
}
