import { Position, type TextDocument } from 'vscode';
import type { CompletionItem, Diagnostic } from 'vscode-languageclient';
import type { PackedTokens } from '../../../language/tokens.ts';
import type { ComposerIssue, ComposerProposal } from '../../../wire/composer-messages.ts';
import { writeSnippet } from './snippet.ts';

/** More of either is no help in a narrow view. */
const MOST_PROPOSALS = 50;

const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'information', 4: 'hint' } as const;

/** A draft as a document: what was written begins behind the head. */
interface PlacedDraft {
  readonly document: TextDocument;
  readonly head: number;
}

/** Findings of the language server with their places in what was written; those in the line of the agent have none. */
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

/** How many numbers the Language Server Protocol 3.17 ("Semantic Tokens") gives for a token. */
const NUMBERS = 5;

/** What the language server colours, with places in what was written; the line of the agent is not shown. */
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

/** Proposals of the language server that go on with what stands before the cursor, in their order. */
export function listProposals(
  draft: PlacedDraft,
  items: readonly CompletionItem[],
  cursor: number,
): ComposerProposal[] {
  const text = draft.document.getText().slice(draft.head);
  return items
    .toSorted((one, other) => compare(one.sortText ?? one.label, other.sortText ?? other.label))
    .flatMap(item => toProposal(draft, item, cursor, text))
    .slice(0, MOST_PROPOSALS);
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
