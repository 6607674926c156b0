import { PROTOCOLS, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import { isRecord, isString } from '../../../../core/guard.ts';
import { parseJson } from '../../../../core/text/json.ts';
import type { ProtocolMessages, Protocols } from '../../../../protocols/protocol.ts';

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
    const block = listBlocks(lines).find(({ start, end }) => start <= line && line <= end);
    const ending = endingOf(block?.info ?? '');
    return { text: selected.trim() === '' ? (block?.text ?? '') : withoutFences(selected), ending };
  }
  if (selected.trim() !== '') return { text: selected, ending: '' };
  return { text: language === 'jsonl' ? (lines[line] ?? '') : lines.join('\n'), ending: '' };
}

/** Limits of what is searched for requests, because it is searched after each change. */
const MAX_LINES = 5_000;
const LONGEST_TEXT = 100_000;
const MAX_FOUND = 100;

/**
 * The lines of a document at which a request in JSON can be sent: in Markdown fenced blocks that name a protocol or an
 * agent, in JSON lines and JSON what only requests of one protocol look like.
 */
export function listRequestLines(
  language: string,
  lines: readonly string[],
  protocols: Protocols<ProtocolMessages>,
): readonly number[] {
  const read = lines.slice(0, MAX_LINES);
  if (language === 'markdown') {
    const blocks = listBlocks(read).filter(
      ({ info, text }) =>
        endingOf(info) !== '' || (/^(?:jsonc?|jsonl|)$/i.test(info) && DIRECTIVE.test(text)),
    );
    return blocks.map(({ start }) => start).slice(0, MAX_FOUND);
  }
  if (language === 'jsonl')
    return read.flatMap((text, at) => (isRequest(text, protocols) ? [at] : [])).slice(0, MAX_FOUND);
  const text = lines.join('\n');
  const isOne = DIRECTIVE.test(text.slice(0, LONGEST_TEXT)) || isRequest(text, protocols);
  return isOne ? [0] : [];
}

const DIRECTIVE = /^[ \t]*\/\/ ?@(?:agent|default)[ \t]/m;

/** True for JSON-RPC with a method of one protocol, and for an `input` with `model` or `stream`. */
function isRequest(text: string, { list }: Protocols<ProtocolMessages>): boolean {
  if (text.length > LONGEST_TEXT || !/"(?:jsonrpc|input)"/.test(text)) return false;
  const value = parseJson(text);
  if (!isRecord(value)) return false;
  const { method } = value;
  if (!isString(method)) return 'input' in value && ('model' in value || 'stream' in value);
  const own = list.filter(
    ({ facts, requestSchema }) =>
      Object.hasOwn(requestSchema?.methods ?? {}, method) || facts.requests?.methods?.test(method),
  );
  return 'jsonrpc' in value && own.length === 1;
}

/** A fenced block of Markdown; the lines of its fences are `start` and `end`. */
interface Block {
  readonly info: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function listBlocks(lines: readonly string[]): readonly Block[] {
  const found: Block[] = [];
  let open: { readonly mark: string; readonly info: string; readonly at: number } | undefined;
  for (const [at, text] of lines.entries()) {
    const [, mark = '', info = ''] = FENCE.exec(text) ?? [];
    if (mark === '') continue;
    if (!open) open = { mark, info, at };
    else if (mark.startsWith(open.mark) && info === '') {
      const inner = lines.slice(open.at + 1, at).join('\n');
      found.push({ info: open.info, text: inner, start: open.at, end: at });
      open = undefined;
    }
  }
  return found;
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
