import type { Protocols } from '../../protocols/protocol.ts';
import { isSse } from '../../core/text/event-stream.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../fold/tree.ts';
import { STATUS_WORDS } from '../words.ts';
import { joinPayload } from './payload-text.ts';

/**
 * The parts of a reply in several messages or events, which are more readable than its text: reasoning, tool
 * calls with their outputs, chunks, progress. Undefined for a reply that is one message.
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
  const isStreaming = countParts(parts) > (isSse(reply.text) ? 0 : 1);
  return isStreaming ? { parts, notes } : undefined;
}

/** The number of parts, with all descendants. */
export function countParts(parts: readonly TracePart[]): number {
  return parts.reduce((count, { children }) => count + 1 + countParts(children), 0);
}

/** Prints parts as text, each indented below its parent: `Tool call weather: {"city":"Oslo"}`. */
export function printReplyParts({ parts, notes }: ReplyParts): string {
  return `${printParts(parts, '')}${printNotes(notes, '')}`;
}

function printParts(parts: readonly TracePart[], indent: string): string {
  return parts
    .map(({ kind, title, status, text, notes, children }) => {
      const name = [PART_WORDS[kind], title].filter(Boolean).join(' ');
      const word = status === 'ok' ? '' : ` (${STATUS_WORDS[status]})`;
      const deeper = `${indent}  `;
      const message = text === undefined ? '' : `: ${text.trimEnd().replace(/\r?\n/g, `\n${deeper}`)}`;
      return `${indent}${name}${word}${message}\n${printNotes(notes, deeper)}${printParts(children, deeper)}`;
    })
    .join('');
}

function printNotes(notes: readonly string[], indent: string): string {
  return notes.map(note => `${indent}note: ${note}\n`).join('');
}
