import type { Span } from '../core/text/span.ts';
import { AIO_NAMES } from '../core/catalog/trace-names.ts';
import { isCallId } from './call-ids.ts';

/**
 * Kinds of names that occur repeatedly in files: a session, a stream of a session, a tool, one call of an AIO
 * trace.
 */
export type NameKind = 'session' | 'stream' | 'tool' | 'call';

/** A name, independent of the file in which it occurs. */
export interface Name {
  readonly kind: NameKind;
  /** Unescaped; for a stream, without the chunk number. */
  readonly name: string;
  /** The session of a stream, because two sessions may use the same stream name; empty for other kinds. */
  readonly scope: string;
}

/** An occurrence of a name in a text. */
export interface NameOccurrence extends Name {
  /** The span of the name as written, without brackets or field delimiters. */
  readonly span: Span;
  /**
   * `declares` for a tool on its `TOOL` line, `lists` for one on a `TOOLS` line, `uses` for everything else.
   */
  readonly role: 'declares' | 'lists' | 'uses';
}

/** True if two occurrences have the same name. */
export function isSameName(one: Name, other: Name): boolean {
  return one.kind === other.kind && one.name === other.name && one.scope === other.scope;
}

/**
 * Picks the occurrences that define a name from those of one file, in order. For a tool these are its
 * declarations, or else the lists that contain it. For a session it is the first message, for a stream the
 * first chunk, for a call the first occurrence. A tool that is only used is defined elsewhere.
 */
export function definitionsOf(occurrences: Iterable<NameOccurrence>): readonly NameOccurrence[] {
  const declared: NameOccurrence[] = [];
  const listed: NameOccurrence[] = [];
  for (const occurrence of occurrences) {
    if (occurrence.kind !== 'tool') return [occurrence];
    if (occurrence.role === 'declares') declared.push(occurrence);
    if (occurrence.role === 'lists') listed.push(occurrence);
  }
  return declared.length > 0 ? declared : listed;
}

/** The reason why a name cannot be used for this kind, with advice; undefined for a valid name. */
export function refuseName(kind: NameKind, name: string): string | undefined {
  if (name.trim() === '') return `A ${kind} without a name cannot be distinguished from others: write a name`;
  if (/[\r\n]/.test(name)) return `The name of a ${kind} must be on one line: leave the line end out`;
  if (kind === 'stream' && name.includes('/'))
    return "The name of a stream holds no '/': write the name alone, each chunk keeps its number";
  if (kind === 'call' && !isCallId(name))
    return `A call is named by its trace and its id: write it as in ${AIO_NAMES.example}`;
  return undefined;
}
