import { Position, Uri, window } from 'vscode';
import { LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import type { LinePosition } from '../../../core/text/source-text.ts';
import { isRecord } from '../../../core/guard.ts';
import { isLinePosition } from '../../../wire/places.ts';

/** Reads a URI from an argument, a string or a VS Code object; undefined for anything else. */
export function readUri(value: unknown): Uri | undefined {
  if (value instanceof Uri) return value;
  // Commands take the id of a call, which has no scheme, in the same place.
  return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(value) ? Uri.parse(value, true) : undefined;
}

/** Reads a position from an argument, a VS Code object or a plain one; undefined for anything else. */
export function readPosition(value: unknown): LinePosition | undefined {
  if (value instanceof Position) return { line: value.line, character: value.character };
  return isLinePosition(value) ? { line: value.line, character: value.character } : undefined;
}

/** Reads a call's id from an argument, the id or a row of the Traces view; undefined for anything else. */
export function readCall(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) && typeof value['call'] === 'string' ? value['call'] : undefined;
}

interface CursorPlace {
  readonly uri: Uri;
  readonly position: LinePosition;
}

/** The cursor position in an AICF or AICL document; undefined if another document is active. */
export function findCursor(): CursorPlace | undefined {
  const editor = window.activeTextEditor;
  return editor && readLanguage(editor.document.languageId) ? findActivePlace() : undefined;
}

/** The cursor position in any document; undefined if no text editor is active. */
export function findActivePlace(): CursorPlace | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri, position: { line, character } };
}

/** The language with an id; undefined if it is not AICF or AICL. */
export function readLanguage(id: string): LanguageId | undefined {
  return LANGUAGES.find(row => row.id === id)?.id;
}

/** Reads an agent's name from an argument, the name or a row about an agent; undefined for anything else. */
export function readAgent(value: unknown): string | undefined {
  return readName(isRecord(value) && 'agent' in value ? value['agent'] : value);
}

/** Reads a tool's name from an argument, the name or a row about a tool; undefined for anything else. */
export function readTool(value: unknown): string | undefined {
  return readName(isRecord(value) && 'tool' in value ? value['tool'] : value);
}

/** Reads a port from an argument `{ port }`; undefined for anything else. */
export function readPort(value: unknown): number | undefined {
  return isRecord(value) && typeof value['port'] === 'number' ? value['port'] : undefined;
}

function readName(value: unknown): string | undefined {
  const name: unknown = isRecord(value) ? value['name'] : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
