import { joinPath } from '../../core/message/report.ts';
import { findEntry, textIn, type DictValue, type Entry, type Value } from '../../core/values/value.ts';
import { WHOLE_ITEM } from '../content/canonical.ts';
import { readParts } from '../content/part.ts';
import { shortOf } from '../message/dropped.ts';
import { isSameField, isSameValue } from '../message/same-value.ts';
import type { Conversion } from '../message/shape.ts';
import { isSamePart, reportAbout, reportPart } from './check-parts.ts';

/** The report, and the protocols for their names. */
type ReportContext = Pick<Conversion, 'report' | 'protocols'>;

/**
 * Reports what a reader finds changed in each item of a conversation; false, and nothing is reported, if it finds
 * another number of items.
 */
export function reportItems(
  items: Value,
  back: Value | undefined,
  title: string,
  context: ReportContext,
): boolean {
  if (items.kind !== 'list' || back?.kind !== 'list' || items.items.length !== back.items.length)
    return false;
  for (const [index, item] of items.items.entries()) {
    const found = back.items[index];
    const path = joinPath('items', index);
    if (item.kind !== 'dict' || found?.kind !== 'dict') {
      if (!isSameField(item, found)) reportOther(path, item, title, context);
    } else {
      new ItemCheck(item, found, path, title, context).run();
      const isSilent = context.report.lossAt(path) === undefined;
      if (isSilent && !isSameValue(item, found)) reportOther(path, item, title, context);
    }
  }
  return true;
}

function reportOther(path: string, value: Value, title: string, { report }: ReportContext): void {
  report.lose('moved', path, `${title} has another value in the place of this item`, value);
}

/** Compares one item with what is read in its place. */
class ItemCheck {
  readonly #item: DictValue;
  readonly #found: DictValue;
  readonly #path: string;
  readonly #title: string;
  readonly #context: ReportContext;
  /** True if the writer reported something about the item. */
  readonly #isReported: boolean;

  constructor(item: DictValue, found: DictValue, path: string, title: string, context: ReportContext) {
    this.#item = item;
    this.#found = found;
    this.#path = path;
    this.#title = title;
    this.#context = context;
    this.#isReported = context.report.lossAt(path) !== undefined;
  }

  run(): void {
    for (const entry of this.#item.entries) {
      const back = findEntry(this.#found, entry.key);
      if (isSameField(entry.value, back)) continue;
      if (entry.key === 'rest') this.#reportRest(entry.value, back);
      else if (entry.key !== 'content' || !this.#reportContent(entry.value, back))
        this.#reportMember(entry, back);
    }
  }

  #reportMember({ key, value }: Entry, back: Value | undefined): void {
    const { report } = this.#context;
    const type = textIn(findEntry(this.#item, 'type')) ?? 'message';
    const path = joinPath(this.#path, key);
    if (!back)
      report.lose('dropped', path, `${this.#title} has no place for \`${key}\` of the type ${type}`, value);
    else if (!this.#isReported)
      report.lose(
        'moved',
        path,
        `${this.#title} has another value for \`${key}\` of the type ${type}`,
        value,
      );
  }

  /** Compares the parts of a message; false for a content of another form. */
  #reportContent(content: Value, back: Value | undefined): boolean {
    const [parts, found] = [readParts(content), readParts(back)];
    if (!parts || !found) return false;
    for (const [index, part] of parts.entries()) {
      const path = joinPath(joinPath(this.#path, 'content'), index);
      const other = found[index];
      if (other && this.#isReported) reportAbout(part, other, path, this.#title, this.#context);
      else if (!this.#isReported && !(other && isSamePart(part, other)))
        reportPart(part, other, path, this.#title, this.#context);
    }
    return true;
  }

  /** Reports members that only one protocol has, without the marks of its form. */
  #reportRest(rest: Value, back: Value | undefined): void {
    const { report, protocols } = this.#context;
    for (const { key, value } of rest.kind === 'dict' ? rest.entries : []) {
      if (isSameField(value, findEntry(back, key)) || value.kind !== 'dict') continue;
      const names = value.entries.map(entry => entry.key);
      const isWhole = names.includes(WHOLE_ITEM);
      const stated = isWhole ? '' : names.filter(name => !name.startsWith('$')).join(', ');
      if (!isWhole && stated === '') continue;
      const words = isWhole ? 'the content of an item' : 'fields';
      const reported = `${this.#title} has no place for ${words} that only ${shortOf(protocols, key)} has`;
      report.lose('dropped', this.#path, isWhole ? reported : `${reported}: ${stated}`, value);
    }
  }
}
