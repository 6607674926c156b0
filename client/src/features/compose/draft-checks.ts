import { Position, type TextDocument } from 'vscode';
import type { CompletionItem, Diagnostic } from 'vscode-languageclient';
import type { PackedTokens } from '../../../../language/tokens.ts';
import type { ComposerIssue, ComposerProposal } from '../../../../wire/composer-texts.ts';
import { writeSnippet } from './snippet.ts';

/** The maximum number of proposals in the narrow view. */
const MAX_PROPOSALS = 50;

const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'information', 4: 'hint' } as const;

/** A draft as a document. `head` is the offset at which the user's text begins. */
interface PlacedDraft {
  readonly document: TextDocument;
  readonly head: number;
}

/**
 * Converts diagnostics of the language server to positions in the user's text; those in the agent's line have
 * no position.
 */
export function listIssues({ document, head }: PlacedDraft, found: readonly Diagnostic[]): ComposerIssue[] {
  const headLines = document.positionAt(head).line;
  return found.map(({ range, severity = 1, message }): ComposerIssue => {
    const text = typeof message === 'string' ? message : message.value;
    const start = offsetAt(document, range.start) - head;
    const end = offsetAt(document, range.end) - head;
    if (start < 0) return { severity: SEVERITIES[severity], message: text };
    const line = range.start.line - headLines + 1;
    return { severity: SEVERITIES[severity], message: text, place: { line, start, end } };
  });
}

/** The count of numbers per token in the Language Server Protocol 3.17 ("Semantic Tokens"). */
const NUMBERS = 5;

/** Converts semantic tokens of the language server to positions in the user's text; the agent's line is left out. */
export function listTokens({ document, head }: PlacedDraft, data: readonly number[]): PackedTokens {
  const packed: number[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += NUMBERS) {
    const [lines = 0, characters = 0, length = 0, kind = 0] = data.slice(at, at + NUMBERS);
    line += lines;
    character = lines > 0 ? characters : character + characters;
    const start = offsetAt(document, { line, character }) - head;
    if (start >= 0) packed.push(start, start + length, kind);
  }
  return packed;
}

/** Selects the proposals of the language server that continue the text before the cursor, in their order. */
export function listProposals(
  draft: PlacedDraft,
  items: readonly CompletionItem[],
  cursor: number,
): ComposerProposal[] {
  const text = draft.document.getText().slice(draft.head);
  return items
    .toSorted((one, other) => compare(one.sortText ?? one.label, other.sortText ?? other.label))
    .flatMap(item => toProposal(draft, item, cursor, text))
    .slice(0, MAX_PROPOSALS);
}

function toProposal(
  { document, head }: PlacedDraft,
  { label, detail = '', filterText = label, textEdit, additionalTextEdits = [] }: CompletionItem,
  cursor: number,
  text: string,
): ComposerProposal[] {
  if (!textEdit || !('range' in textEdit) || additionalTextEdits.length > 0) return [];
  const start = offsetAt(document, textEdit.range.start) - head;
  const end = offsetAt(document, textEdit.range.end) - head;
  if (start < 0 || start > cursor || end < cursor) return [];
  const typed = text.slice(start, cursor).toLowerCase();
  const written = writeSnippet(textEdit.newText);
  const isGoingOn = [filterText, label, written.text].some(each => each.toLowerCase().startsWith(typed));
  if (!isGoingOn || text.slice(start, end) === written.text) return [];
  const select = { start: start + written.select.start, end: start + written.select.end };
  return [{ label, detail, start, end, text: written.text, select }];
}

function offsetAt(document: TextDocument, { line, character }: { line: number; character: number }): number {
  return document.offsetAt(new Position(line, character));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
