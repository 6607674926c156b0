import type { OutlineSymbol, SymbolKind } from '../../support.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { commandName, fieldText, isRequestLine, type AicfLine } from '../ast.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';
import { listContextSections } from '../sections.ts';
import { listDataMembers } from './json-symbols.ts';

/** Maximum number of characters shown of a field. */
const LONGEST_DETAIL = 80;
/** Maximum number of outline entries. */
const MAX_SYMBOLS = 10_000;

/** An outline entry that is still being extended with replies. */
interface OpenSymbol extends OutlineSymbol {
  span: { start: number; end: number };
  detail: string;
  readonly children: OpenSymbol[];
}

/**
 * A message of a block, or a run of `STREAM` lines with the `END` after them. Offsets are relative to the
 * block's start.
 */
interface Entry {
  readonly symbol: OutlineSymbol;
  /** The line number, relative to the block. */
  readonly line: number;
  readonly isRequest: boolean;
  end: number;
  /** The number of its `STREAM` lines. */
  chunks: number;
  hasEnd: boolean;
}

const ENTRIES = new BlockNotes<readonly Entry[]>();

/**
 * The outline: requests with their responses as children, results with the members of their data, streams as
 * one entry; for a context file its sections.
 */
export function symbols(doc: AicfDocument): readonly OutlineSymbol[] {
  return doc.dialect === 'context' ? listSections(doc) : new MessageOutline(doc).list();
}

/** Builds the outline from the entries of all blocks, up to the limit. */
class MessageOutline {
  readonly #doc: AicfDocument;
  readonly #roots: OpenSymbol[] = [];
  #count = 0;
  #request: OpenSymbol | undefined;
  #stream: { readonly symbol: OpenSymbol; chunks: number } | undefined;

  constructor(doc: AicfDocument) {
    this.#doc = doc;
  }

  list(): readonly OutlineSymbol[] {
    for (const block of this.#doc.blocks) {
      for (const entry of ENTRIES.of(block, () => readEntries(this.#doc, block))) {
        if (this.#goOn(entry, block.start + entry.end)) continue;
        if (this.#count >= MAX_SYMBOLS) {
          return [...this.#roots, restSymbol(this.#doc, block.firstLine + entry.line)];
        }
        this.#add(entry, block.start);
      }
    }
    return this.#roots;
  }

  /** Adds an entry to the open stream; false if there is none or the entry does not belong to a stream. */
  #goOn({ isRequest, chunks, hasEnd }: Entry, end: number): boolean {
    const stream = this.#stream;
    if (!stream || (chunks === 0 && !hasEnd)) return false;
    if (this.#request && !isRequest) this.#request.span.end = end;
    stream.chunks += chunks;
    stream.symbol.span.end = end;
    stream.symbol.detail = countChunks(stream.chunks);
    if (hasEnd) this.#stream = undefined;
    return true;
  }

  #add({ symbol: own, isRequest, end, chunks, hasEnd }: Entry, by: number): void {
    const symbol: OpenSymbol = {
      ...own,
      span: { start: own.span.start + by, end: end + by },
      nameSpan: shiftSpan(own.nameSpan, by),
      detail: chunks > 0 ? countChunks(chunks) : own.detail,
      children: own.children.map(member => moveMember(member, by)),
    };
    this.#count += 1 + symbol.children.length;
    this.#stream = chunks > 0 && !hasEnd ? { symbol, chunks } : undefined;
    if (isRequest) this.#request = symbol;
    else if (this.#request) this.#request.span.end = end + by;
    (isRequest || !this.#request ? this.#roots : this.#request.children).push(symbol);
  }
}

/** Moves a member of a result's data, which has no children. */
function moveMember(member: OutlineSymbol, by: number): OpenSymbol {
  const { span, nameSpan } = member;
  return { ...member, span: shiftSpan(span, by), nameSpan: shiftSpan(nameSpan, by), children: [] };
}

function countChunks(count: number): string {
  return `${count} ${count === 1 ? 'chunk' : 'chunks'}`;
}

/** The last entry of an outline that was cut at the limit. */
function restSymbol({ text }: AicfDocument, line: number): OutlineSymbol {
  const start = text.lineStart(line);
  return {
    name: `${text.lineCount - line} more lines are not listed`,
    detail: '',
    kind: 'section',
    span: { start, end: text.length },
    nameSpan: { start, end: start },
    children: [],
  };
}

function readEntries(doc: AicfDocument, block: Block): readonly Entry[] {
  const entries: Entry[] = [];
  let stream: Entry | undefined;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const line = readLineAt(doc, number);
    const { kind, command } = line.tree;
    if (kind !== 'command') continue;
    const end = line.start + line.tree.end - block.start;
    const [chunks, hasEnd] = [command === 'STREAM' ? 1 : 0, command === 'END'];
    if (stream && (chunks > 0 || hasEnd)) {
      stream.chunks += chunks;
      Object.assign(stream, { end, hasEnd });
      if (hasEnd) stream = undefined;
      continue;
    }
    const symbol = toSymbol({ ...line, start: line.start - block.start });
    const entry: Entry = {
      symbol,
      line: number - block.firstLine,
      isRequest: isRequestLine(line.tree),
      end,
      chunks,
      hasEnd,
    };
    entries.push(entry);
    stream = chunks > 0 ? entry : undefined;
  }
  return entries;
}

function toSymbol(line: PlacedLine): OutlineSymbol {
  const { text, tree, start } = line;
  const command = commandName(text, tree);
  const first = fieldText(text, tree, 0);
  const isCall = command === 'CALL' && first.trim() !== '';
  return {
    name: isCall ? first : command,
    detail: (isCall ? command : text.slice((tree.pipes[0] ?? tree.end) + 1, tree.end)).slice(
      0,
      LONGEST_DETAIL,
    ),
    kind: symbolKind(tree),
    span: shiftSpan({ start: tree.word.start, end: tree.end }, start),
    nameSpan: shiftSpan(tree.word, start),
    children: tree.command === 'OK' ? listDataMembers(line) : [],
  };
}

function symbolKind(tree: AicfLine): SymbolKind {
  if (tree.command === 'ERR') return 'error';
  return isRequestLine(tree) ? 'call' : 'reply';
}

function listSections(doc: AicfDocument): readonly OutlineSymbol[] {
  const found: OutlineSymbol[] = [];
  for (const { name, rest, span, nameSpan } of listContextSections(doc, MAX_SYMBOLS + 1)) {
    if (found.length === MAX_SYMBOLS) return [...found, restSymbol(doc, doc.text.lineAt(span.start))];
    const detail = rest.slice(0, LONGEST_DETAIL);
    found.push({ name: `@${name}`, detail, kind: 'section', span, nameSpan, children: [] });
  }
  return found;
}
