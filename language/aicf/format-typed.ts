import type { TextEdit } from '../../core/text/edit.ts';
import { formatLine } from './format.ts';
import { readLineAt } from './lines.ts';
import type { AicfDocument } from './parse.ts';

/** Edits after Enter: the line that the cursor left is formatted. Other characters are data. */
export function formatTypedAicf(doc: AicfDocument, offset: number, character: string): readonly TextEdit[] {
  const number = doc.text.lineAt(offset);
  if (character !== '\n' || number === 0 || doc.dialect === 'context') return [];
  return formatLine(readLineAt(doc, number - 1));
}
