import { CONTEXT_SECTIONS, findContextSection } from '../../../core/catalog/aicf.ts';
import type { Completion } from '../../support.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { isDataForm, readSectionHeader } from '../context.ts';
import { lineSource } from '../line-source.ts';
import type { AicfDocument } from '../parse.ts';

/** Maximum number of lines searched in each direction for sections that the file defines itself. */
const MAX_LINES = 1_000;

/**
 * Section names after an `@` at the start of a line in a context file: the end of the section above, then the
 * known sections, then other sections of the file.
 */
export function completeSection(doc: AicfDocument, offset: number): readonly Completion[] {
  if (isDataForm(doc)) return [];
  const number = doc.text.lineAt(offset);
  const { start, text } = lineSource(doc, number);
  const at = Math.max(0, Math.min(offset - start, text.length));
  const before = at > 100 ? null : /^(\d{1,15}\|)?(@[A-Z0-9_]*)$/i.exec(text.slice(0, at));
  if (!before) return [];
  const from = before[1]?.length ?? 0;
  const rest = /^[A-Za-z0-9_]*/.exec(text.slice(at, at + 100))?.[0] ?? '';
  const span = shiftSpan({ start: from, end: at + rest.length }, start);
  const own = listOwn(doc, number);
  const [nearest] = own;
  const names = [
    ...(nearest?.isBefore ? [{ name: `${nearest.name}_END`, detail: `ends @${nearest.name}` }] : []),
    ...CONTEXT_SECTIONS.map(({ name }) => ({ name, detail: 'known section' })),
    ...own
      .filter(({ name }) => !findContextSection(name) && !name.endsWith('_END'))
      .map(({ name }) => ({ name, detail: 'section of this file' })),
  ];
  return names.map(({ name, detail }, rank) => ({
    label: `@${name}`,
    kind: 'field',
    detail,
    ...(findContextSection(name) ? { topic: `section ${name}` } : {}),
    span,
    newText: `@${name}`,
    isSnippet: false,
    rank,
  }));
}

/**
 * The distinct names of sections in the lines around a line: first those above, then those below, each
 * starting with the nearest.
 */
function listOwn(
  doc: AicfDocument,
  number: number,
): readonly { readonly name: string; readonly isBefore: boolean }[] {
  const found = new Map<string, boolean>();
  for (const step of [-1, 1]) {
    for (let distance = 1; distance <= MAX_LINES; distance++) {
      const next = number + step * distance;
      if (next < 0 || next >= doc.text.lineCount) break;
      if (doc.work) doc.work.count++;
      const { start, text } = lineSource(doc, next);
      const name = readSectionHeader(text, start)?.name;
      if (name !== undefined && !found.has(name)) found.set(name, step < 0);
    }
  }
  return [...found].map(([name, isBefore]) => ({ name, isBefore }));
}
