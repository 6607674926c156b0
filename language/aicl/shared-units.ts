import type { Issue } from '../../core/text/issue.ts';
import type { UnitContent } from './unit.ts';

/** Maximum length of shared units; longer ones hardly repeat. */
const LONGEST = 64;
const MAX_KNOWN = 1_024;

/**
 * Collects the units of a file. Equal short units share one object, because a hostile file may contain a
 * million of them.
 */
export class SharedUnits {
  readonly contents: UnitContent[] = [];
  readonly #known = new Map<string, UnitContent>();

  /** Adds the unit that starts at an offset of a text. */
  add(content: UnitContent, text: string, start: number): void {
    const { length } = content;
    this.contents.push(length > LONGEST ? content : this.#share(text.slice(start, start + length), content));
  }

  #share(source: string, content: UnitContent): UnitContent {
    const known = this.#known.get(source);
    if (known && isSame(known, content)) return known;
    if (this.#known.size < MAX_KNOWN) this.#known.set(source, content);
    return content;
  }
}

/** True for two units of the same text with the same reading, which may also depend on the text after the unit. */
function isSame(one: UnitContent, other: UnitContent): boolean {
  return (
    one.kind === other.kind &&
    one.readLength === other.readLength &&
    one.isAccepted === other.isAccepted &&
    one.issues.length === other.issues.length &&
    one.issues.every((issue, index) => isSameIssue(issue, other.issues[index]))
  );
}

function isSameIssue(one: Issue, other: Issue | undefined): boolean {
  return (
    one.code === other?.code &&
    one.message === other.message &&
    one.span.start === other.span.start &&
    one.span.end === other.span.end
  );
}
