import { Position, Uri, window } from 'vscode';
import { LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import type { LinePosition } from '../../../core/text/line-index.ts';
import { isRecord } from '../../../core/guard.ts';
import { isLinePosition } from '../../../wire/places.ts';

/** A URI from an argument, as text or as an object of VS Code's; undefined for anything else. */
export function readUri(value: unknown): Uri | undefined {
  if (value instanceof Uri) return value;
  return typeof value === 'string' && value !== '' ? Uri.parse(value, true) : undefined;
}

/** A position from an argument, as an object of VS Code's or a plain one; undefined for anything else. */
export function readPosition(value: unknown): LinePosition | undefined {
  if (value instanceof Position) return { line: value.line, character: value.character };
  return isLinePosition(value) ? { line: value.line, character: value.character } : undefined;
}

/** A call's id from an argument: the id itself, or a row of the Traces view. Undefined for anything else. */
export function readCall(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) && typeof value['call'] === 'string' ? value['call'] : undefined;
}

interface CursorPlace {
  readonly uri: Uri;
  readonly position: LinePosition;
}

/** The place of the cursor in a document of ours, or undefined where the active editor shows something else. */
export function findCursor(): CursorPlace | undefined {
  const editor = window.activeTextEditor;
  return editor && readLanguage(editor.document.languageId) ? findActivePlace() : undefined;
}

/** The place of the cursor in any document; undefined where the active editor shows no text. */
export function findActivePlace(): CursorPlace | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri, position: { line, character } };
}

/** One of our languages by its id, or undefined. */
export function readLanguage(id: string): LanguageId | undefined {
  return LANGUAGES.find(row => row.id === id)?.id;
}

/** An agent's name from an argument: the name itself, or a row that is about an agent. Undefined for anything else. */
export function readAgent(value: unknown): string | undefined {
  return readName(isRecord(value) && 'agent' in value ? value['agent'] : value);
}

/** A tool's name from an argument: the name itself, or a row that is about a tool. Undefined for anything else. */
export function readTool(value: unknown): string | undefined {
  return readName(isRecord(value) && 'tool' in value ? value['tool'] : value);
}

function readName(value: unknown): string | undefined {
  const name: unknown = isRecord(value) ? value['name'] : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
