import type { TextEdit } from '../../core/text/edit.ts';

const MESSAGE =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query],[s:query]:[s:how many]]\n';

/**
 * Edits of a user in the middle of a text, each followed by its reversal: a letter, an opening bracket, a line break, a
 * deleted closing bracket of a text, an opening bracket at a wrong place, a message pasted on its own line.
 */
export function listKeys(text: string, word: string): readonly TextEdit[] {
  const at = text.indexOf(word) + 3;
  const close = text.indexOf(']', at);
  const line = text.lastIndexOf('\n', at) + 1;
  return [
    ...typeAndUndo(at, 'x'),
    ...typeAndUndo(at, '['),
    ...typeAndUndo(at, '\n'),
    { span: { start: close, end: close + 1 }, newText: '' },
    { span: { start: close, end: close }, newText: ']' },
    ...typeAndUndo(close + 1, '['),
    ...typeAndUndo(line, MESSAGE),
  ];
}

function typeAndUndo(at: number, newText: string): readonly TextEdit[] {
  return [
    { span: { start: at, end: at }, newText },
    { span: { start: at, end: at + newText.length }, newText: '' },
  ];
}
