import type { Span } from '../core/text/span.ts';

/** What files name and come back to: a session, a stream of a session, a tool, one call of an AIO trace. */
export type NameKind = 'session' | 'stream' | 'tool' | 'call';

/** A name, whatever file it stands in. */
export interface Name {
  readonly kind: NameKind;
  /** Unescaped; of a stream without the number of the chunk. */
  readonly name: string;
  /** The session of a stream: two sessions may each have a stream of one name. Else empty. */
  readonly scope: string;
}

/** A place where a name stands. */
export interface NameOccurrence extends Name {
  /** Of the name as it is written: inside the brackets or the field. */
  readonly span: Span;
  /** `declares` for a tool on its `TOOL` line, `lists` for one on a `TOOLS` line. The other names are only used. */
  readonly role: 'declares' | 'lists' | 'uses';
}

/** True where two occurrences are of one name. */
export function isSameName(one: Name, other: Name): boolean {
  return one.kind === other.kind && one.name === other.name && one.scope === other.scope;
}

/**
 * The occurrences that define a name among those of one file, in their order: of a tool the lines that declare it, else
 * the lists that name it; of a session its first message, of a stream its first chunk, of a call the first place that
 * names it. A tool that is only used is defined elsewhere.
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
