import { PROTOCOLS, type ProtocolRow } from '../../../../core/catalog/protocols.ts';

/** A text with requests in JSON, and the end of a file name that says their protocol; empty if nothing says it. */
export interface SelectedText {
  readonly text: string;
  readonly ending: string;
}

const ROWS: readonly ProtocolRow[] = PROTOCOLS;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;

/**
 * The text to send of a document in which `selected` is the selected text and `line` the line of the cursor, from 0: the
 * selection; without one in Markdown the fenced block at the cursor, in JSON lines the line, else the whole text.
 */
export function findSelectedText(
  language: string,
  lines: readonly string[],
  selected: string,
  line: number,
): SelectedText {
  if (language === 'markdown') {
    const block = findBlock(lines, line);
    const ending = endingOf(block?.info ?? '');
    return { text: selected.trim() === '' ? (block?.text ?? '') : withoutFences(selected), ending };
  }
  if (selected.trim() !== '') return { text: selected, ending: '' };
  return { text: language === 'jsonl' ? (lines[line] ?? '') : lines.join('\n'), ending: '' };
}

/** The fenced block around a line. */
function findBlock(
  lines: readonly string[],
  line: number,
): { readonly info: string; readonly text: string } | undefined {
  let open: { readonly mark: string; readonly info: string; readonly at: number } | undefined;
  for (const [at, text] of lines.entries()) {
    const [, mark = '', info = ''] = FENCE.exec(text) ?? [];
    if (mark === '') continue;
    if (!open) open = { mark, info, at };
    else if (mark.startsWith(open.mark) && info === '') {
      if (open.at <= line && line <= at)
        return { info: open.info, text: lines.slice(open.at + 1, at).join('\n') };
      open = undefined;
    }
    if (open && open.at > line) return undefined;
  }
  return undefined;
}

function withoutFences(text: string): string {
  return text
    .split('\n')
    .filter(line => !FENCE.test(line))
    .join('\n');
}

/** The end of file names of the protocol that the first word of a fenced block names. */
function endingOf(info: string): string {
  return ROWS.find(({ name }) => name === info.toLowerCase())?.requests?.files[0] ?? '';
}
