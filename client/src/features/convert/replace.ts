import { env, Range, workspace, type TextDocument } from 'vscode';
import { findConversion, type ConversionName } from '../../../../core/catalog/conversions.ts';
import { type Actions, showInStatusBar, showInformation, showWarning } from '../../window/messages.ts';
import {
  convertDocument,
  convertNow,
  isKnown,
  toRange,
  wholeOf,
} from '../../conversion/conversion-source.ts';
import type { ConversionViews } from './conversion-views.ts';
import { setLanguage } from '../../window/editor-language.ts';
import { FollowedRange } from '../../conversion/followed-range.ts';
import { languageOf } from '../../conversion/result-language.ts';
import { countFindings, shortName } from '../../conversion/words.ts';
import type { Asker } from '../../language-client/ask.ts';
import { trimEndOf } from '../../../../core/text/trim.ts';
import { replaceText } from '../../window/replace-text.ts';

const NONE = 'The message is no longer there, so nothing was converted.';
const REFUSED = 'The document takes no edit now, so nothing was replaced.';

/** The converter, and the views that show results. */
interface Workshop {
  readonly converter: Asker;
  readonly views: ConversionViews;
}

/** Replaces messages by their conversion in one edit. Returns an error sentence if nothing was replaced. */
export async function replaceMessages(
  { converter, views }: Workshop,
  document: TextDocument,
  range: Range | undefined,
  to: ConversionName,
): Promise<string | undefined> {
  // A message that was on a line of its own stays on one line.
  const layout = range && LINE_BY_LINE.has(document.languageId) ? 'compact' : 'fitting';
  const found = await convertWhileTyped(converter, document, range, { to, layout });
  if (!found) return NONE;
  const { result } = found;
  const place = range ? toRange(result.source) : wholeOf(document);
  const isAll = isRestBlank(document, place, findConversion(to)?.language ?? 'json');
  const hadRemarks = isAll && !range && isKnown(document) && (await hasRemarks(converter, document));
  const text = isAll && !range ? result.text : trimEndOf(result.text, '\r\n');
  const before = isAll ? { text: document.getText(), language: document.languageId } : undefined;
  if (!(await replaceText(document.uri, place, text))) return REFUSED;
  if (before) {
    await setLanguage(document, languageOf(to, text));
    views.languages.note(document, before, { text: document.getText(), language: document.languageId });
  }
  const remark = hadRemarks
    ? ' Lines that begin with # are not part of a message and were left out; Undo brings them back.'
    : '';
  showDone(`Replaced by ${shortName(to)}`, remark, countFindings(result), () =>
    views.showResult(document.uri, to, result),
  );
  return undefined;
}

/** Copies messages in another protocol to the clipboard. Returns an error sentence if there are none. */
export async function copyMessages(
  { converter, views }: Workshop,
  document: TextDocument,
  range: Range | undefined,
  to: ConversionName,
): Promise<string | undefined> {
  const found = await convertWhileTyped(converter, document, range, { to, layout: 'fitting' });
  if (!found) return NONE;
  const { result } = found;
  await env.clipboard.writeText(result.text);
  showDone(`Copied as ${shortName(to)}`, '', countFindings(result), () =>
    views.showResult(document.uri, to, result),
  );
  return undefined;
}

const LINE_BY_LINE: ReadonlySet<string> = new Set(['aicf', 'jsonl']);

const REMARK = /^[ \t]*#/;

/** The maximum number of lines beginning with # that are checked for being inside of a message. */
const MAX_LOOKS = 50;

/** True if the document has a comment line: one that begins with # and is not part of a message. */
async function hasRemarks(converter: Asker, document: TextDocument): Promise<boolean> {
  let looks = 0;
  for (let line = 0; line < document.lineCount; line++) {
    if (!REMARK.test(document.lineAt(line).text)) continue;
    // Messages of AICF have only one line.
    if (document.languageId === 'aicf' || ++looks > MAX_LOOKS) return true;
    const how = { to: 'json', layout: 'compact' } as const;
    const found = await convertDocument(converter, document, new Range(line, 0, line, 0), how);
    if (!found || found.result.source.start.line > line) return true;
  }
  return false;
}

async function convertWhileTyped(
  converter: Asker,
  document: TextDocument,
  range: Range | undefined,
  how: Parameters<typeof convertNow>[3],
): ReturnType<typeof convertNow> {
  const followed = range && new FollowedRange(document, range);
  const subscription = workspace.onDidChangeTextDocument(event => {
    if (event.document === document) followed?.follow(event);
  });
  try {
    return await convertNow(converter, document, () => followed?.in(document), how);
  } finally {
    subscription.dispose();
  }
}

/** True if the text outside of a range is blank, except for comment lines if the language has them. */
function isRestBlank(document: TextDocument, range: Range, language: string): boolean {
  const all = wholeOf(document);
  const keepsRemarks = isKnown(document) && language !== 'json';
  return [all.with({ end: range.start }), all.with({ start: range.end })]
    .flatMap(rest => document.getText(rest).split('\n'))
    .every(line => line.trim() === '' || (keepsRemarks && REMARK.test(line)));
}

/** Shows what was done. Losses are shown in a notification that stays until the user closes it. */
export function showDone(
  done: string,
  remark: string,
  findings: string | undefined,
  show: () => Promise<unknown>,
  more: Actions = new Map(),
): void {
  const sentence = findings === undefined ? `${done}.${remark}` : `${done}, with ${findings}.${remark}`;
  const actions: Actions = new Map([...more, ['Show', show]]);
  if (findings === undefined && remark === '') showInStatusBar(sentence, SHORTLY);
  else if (findings === undefined) showInformation(sentence, more);
  else if (findings.includes('loss')) showWarning(sentence, actions);
  else showInformation(sentence, actions);
}

/** Milliseconds. */
const SHORTLY = 5_000;
