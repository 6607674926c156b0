import type { TextEdit } from '../../core/text/edit.ts';
import { formatLine } from './format.ts';
import { readLineAt, type AicfDocument } from './parse.ts';

/** After Enter, formats the line that the cursor left. Other characters are data and cause no edits. */
export function formatTypedAicf(doc: AicfDocument, offset: number, character: string): readonly TextEdit[] {
  const number = doc.text.lineAt(offset);
  if (character !== '\n' || number === 0 || doc.dialect === 'context') return [];
  return formatLine(readLineAt(doc, number - 1));
}
