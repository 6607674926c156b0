import type { OutlineSymbol, SymbolKind } from '../../language/support.ts';
import { shiftSpan } from '../../text/span.ts';
import { commandName, fieldText, isRequestLine, type AicfLine } from '../ast.ts';
import { listContextSections } from '../context.ts';
import { listLines, type PlacedLine } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/** The outline shows this much of a field. */
const LONGEST_DETAIL = 80;

/** A symbol whose replies and end are still being read. */
interface OpenSymbol extends OutlineSymbol {
  span: { start: number; end: number };
  detail: string;
  readonly children: OpenSymbol[];
}

/** The outline: requests with the responses below them, streams as one entry; of a context file its sections. */
export function symbols(doc: AicfDocument): readonly OutlineSymbol[] {
  return doc.dialect === 'context' ? listSections(doc) : listMessages(doc);
}

function listMessages(doc: AicfDocument): readonly OutlineSymbol[] {
  const roots: OpenSymbol[] = [];
  let request: OpenSymbol | undefined;
  let stream: { readonly symbol: OpenSymbol; chunks: number } | undefined;
  for (const line of listLines(doc)) {
    const { command, kind } = line.tree;
    if (kind !== 'command') continue;
    const end = line.start + line.tree.end;
    if (request && !isRequestLine(line.tree)) request.span.end = end;
    if (stream && (command === 'STREAM' || command === 'END')) {
      if (command === 'STREAM') stream.chunks++;
      stream.symbol.span.end = end;
      stream.symbol.detail = `${stream.chunks} ${stream.chunks === 1 ? 'chunk' : 'chunks'}`;
      if (command === 'END') stream = undefined;
      continue;
    }
    const symbol = toSymbol(line);
    stream = command === 'STREAM' ? { symbol, chunks: 1 } : undefined;
    if (stream) symbol.detail = '1 chunk';
    if (isRequestLine(line.tree)) request = symbol;
    (isRequestLine(line.tree) || !request ? roots : request.children).push(symbol);
  }
  return roots;
}

function toSymbol({ text, tree, start }: PlacedLine): OpenSymbol {
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
    children: [],
  };
}

function symbolKind(tree: AicfLine): SymbolKind {
  if (tree.command === 'ERR') return 'error';
  return isRequestLine(tree) ? 'call' : 'reply';
}

function listSections(doc: AicfDocument): readonly OutlineSymbol[] {
  return listContextSections(doc).map(({ name, rest, span, nameSpan }) => ({
    name: `@${name}`,
    detail: rest.slice(0, LONGEST_DETAIL),
    kind: 'section',
    span,
    nameSpan,
    children: [],
  }));
}
