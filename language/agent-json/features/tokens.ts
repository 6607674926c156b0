import { findVariables } from '../../variables.ts';
import { scanJson, type JsonToken } from '../../json/json-scanner.ts';
import { addContainerLine, TokenBuilder, type PackedTokens } from '../../tokens.ts';
import type { Span } from '../../../core/text/span.ts';
import type { AgentJsonDocument } from '../parse.ts';

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[^\r\n])/g;

/** The semantic tokens in a span. The grammar colours the rest. */
export function tokens(doc: AgentJsonDocument, span: Span): PackedTokens {
  const found = new TokenBuilder(span);
  const top = doc.values.findLast(({ start }) => start <= span.start);
  const from = top?.start ?? 0;
  const comments = doc.comments.filter(({ end, start }) => end >= from && start < span.end);
  const lines = new Set(doc.lines.map(({ start }) => start));
  let next = 0;
  let last: JsonToken | undefined;
  const addComments = (before: number): void => {
    for (let comment = comments[next]; comment && comment.start < before; comment = comments[++next]) {
      const { start, end } = comment;
      if (lines.has(start)) addContainerLine(found, doc.source.slice(start, end), start);
      else found.add(start, end, 'comment');
    }
  };
  for (const token of scanJson(doc.json.slice(from, Math.max(from, span.end + LOOK_AHEAD)))) {
    if (last) {
      addComments(last.start + from);
      addToken(found, doc.json, last, from, token.kind === ':' ? 'property' : 'string');
    }
    last = token;
  }
  addComments(span.end);
  return found.packed;
}

/** Reads this many characters behind a span, to find the colon behind a name. */
const LOOK_AHEAD = 1_000;

function addToken(
  found: TokenBuilder,
  json: string,
  { kind, start, end, fault }: JsonToken,
  base: number,
  textKind: TextKind,
): void {
  const [from, to] = [start + base, end + base];
  if (kind === 'string') addString(found, json, { start: from, end: to }, textKind);
  else if (!fault && kind === 'number') found.add(from, to, 'number');
  else if (!fault && kind === 'word') found.add(from, to, 'enumMember');
}

type TextKind = 'property' | 'string';

function addString(found: TokenBuilder, json: string, { start, end }: Span, kind: TextKind): void {
  const source = json.slice(start, end);
  const variables = kind === 'property' ? [] : findVariables(source);
  const escapes = [...source.matchAll(ESCAPE)].map(({ index, 0: escape }) => ({
    start: index,
    end: index + escape.length,
  }));
  const marks = [
    ...variables.map(each => ({ ...each, kind: 'variable' as const })),
    ...escapes.map(each => ({ ...each, kind: 'regexp' as const })),
  ].sort((one, other) => one.start - other.start);
  let at = start;
  for (const mark of marks) {
    if (mark.start + start < at) continue;
    found.add(at, mark.start + start, kind);
    found.add(mark.start + start, mark.end + start, mark.kind);
    at = mark.end + start;
  }
  found.add(at, end, kind);
}
