import type { TextEdit } from '../../core/text/edit.ts';

const MESSAGE =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query],[s:query]:[s:how many]]\n';

/**
 * What a person does in the middle of a text, each thing with what takes it back: a letter, an opening bracket, Enter,
 * the closing bracket of a text taken away, an opening bracket where it is wrong, a message pasted as a line of its own.
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
