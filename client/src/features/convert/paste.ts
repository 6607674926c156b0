import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { EndOfLine, Range, Selection, window, workspace, WorkspaceEdit } from 'vscode';
import { readPasted } from '../../../../protocols/convert/paste/pasted.ts';
import type { MessageLanguage } from '../../../../core/catalog/protocols.ts';
import type { EditPlace } from '../../targets/edit-place.ts';
import type { Converter } from '../../conversion/conversion-source.ts';
import type { ConversionViews } from './conversion-views.ts';
import { tell } from './replace.ts';
import { countFindings, shortName } from '../../conversion/words.ts';
import { trimEndOf } from '../../../../core/text/trim.ts';

const NOTHING = 'No message was found on the clipboard, so nothing was pasted.';
const REFUSED = 'The document takes no edit now, so nothing was pasted.';

/**
 * Inserts the messages of a clipboard text as AICL or AICF on lines of their own; without a place, into a new
 * document. Returns an error sentence if nothing was pasted.
 */
export async function pasteMessages(
  { server, conversions }: { readonly server: Converter; readonly conversions: ConversionViews },
  clipboard: string,
  to: MessageLanguage,
  place: EditPlace | undefined,
): Promise<string | undefined> {
  const pasted = readPasted(clipboard, ALL_PROTOCOLS);
  if (pasted.kind === 'fault') return `${pasted.problem}.`;
  const { text, from } = pasted;
  const result = await server.convert({ source: { text, ...(from && { from }) }, to, layout: 'fitting' });
  if (!result || result.from.length === 0 || result.text.trim() === '') return NOTHING;
  const target = place ?? (await openNew(to));
  if (!(await insert(target, result.text))) return REFUSED;
  const remark = pasted.remarks.map(sentence => ` ${sentence}.`).join('');
  tell(`Pasted as ${shortName(to)}`, remark, countFindings(result), () =>
    conversions.showResult(target.document.uri, to, result),
  );
  return undefined;
}

async function openNew(language: MessageLanguage): Promise<EditPlace> {
  const document = await workspace.openTextDocument({ language });
  await window.showTextDocument(document);
  return { document, range: new Range(0, 0, 0, 0) };
}

/** Inserts on separate lines: adds line breaks if there is other text before or after. */
async function insert({ document, range }: EditPlace, result: string): Promise<boolean> {
  const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
  const lines = trimEndOf(result, '\r\n').replace(/\r?\n/g, lineEnd);
  const { start, end } = range;
  const isAfterText = document.lineAt(start.line).text.slice(0, start.character).trim() !== '';
  const isBeforeText = document.lineAt(end.line).text.slice(end.character).trim() !== '';
  const text = (isAfterText ? lineEnd : '') + lines + lineEnd.repeat(isBeforeText ? 1 : 0);
  const offset = document.offsetAt(start);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, range, text);
  if (!(await workspace.applyEdit(edit))) return false;
  const editor = window.visibleTextEditors.find(shown => shown.document === document);
  const after = document.positionAt(offset + text.length);
  if (editor) editor.selection = new Selection(after, after);
  return true;
}
