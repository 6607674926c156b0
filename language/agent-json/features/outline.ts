import type { Exchange, Fold, FoldList, Landmark } from '../../feature-results.ts';
import { firstFolds, LandmarkList } from '../../feature-results.ts';
import { growing, wordAt } from '../../selection.ts';
import type { OutlineSymbol } from '../../support.ts';
import { findJsonSpot } from '../../json/json-spot.ts';
import { readJsonString, type JsonMember, type JsonValue } from '../../json/json-tree.ts';
import type { Span } from '../../../core/text/span.ts';
import type { AgentJsonDocument } from '../parse.ts';
import { listItems, type AgentJsonItem } from '../requests.ts';

/** Limits of the outline: members of an object, depth below a request, and characters shown of each value. */
const MAX_MEMBERS = 100;
const DEEPEST = 3;
const LONGEST_SHOWN = 80;

/** The requests and replies with their members. */
export function symbols(doc: AgentJsonDocument): readonly OutlineSymbol[] {
  return listItems(doc).flatMap(item => {
    if (item.kind === 'other') return [];
    const { value, title, directives } = item;
    const { start, end } = value;
    return [
      {
        name: item.kind === 'reply' ? 'reply' : (directives.name ?? title),
        detail: item.kind === 'reply' ? '' : (item.protocol?.short ?? ''),
        kind: item.kind === 'reply' ? 'reply' : 'call',
        span: { start, end },
        nameSpan: { start, end: start + 1 },
        children: listMembers(doc, value, 1),
      },
    ];
  });
}

function listMembers(doc: AgentJsonDocument, value: JsonValue, depth: number): readonly OutlineSymbol[] {
  if (depth > DEEPEST) return [];
  return value.members.slice(0, MAX_MEMBERS).flatMap(member => toSymbol(doc, member, depth));
}

function toSymbol(doc: AgentJsonDocument, member: JsonMember, depth: number): readonly OutlineSymbol[] {
  const { key, value, start, end } = member;
  if (!key) return [];
  const isNested = value?.kind === 'object' || value?.kind === 'array';
  const shown = value && !isNested ? Math.min(value.end, value.start + LONGEST_SHOWN) : 0;
  return [
    {
      name: readJsonString(doc.json, key).slice(0, LONGEST_SHOWN) || '""',
      detail: value && !isNested ? doc.json.slice(value.start, shown) : '',
      kind: 'field',
      span: { start, end },
      nameSpan: { start: key.start, end: key.end },
      children: value && isNested ? listMembers(doc, value, depth + 1) : [],
    },
  ];
}

/** Objects, arrays, block comments and runs of comment lines that span several lines. */
export function folds(doc: AgentJsonDocument, most: number): FoldList {
  const { text } = doc;
  const found: Fold[] = [];
  const add = ({ start, end }: Span, kind: Fold['kind']): void => {
    if (text.lineAt(start) < text.lineAt(end)) found.push({ span: { start, end }, kind });
  };
  for (const span of listCommentRuns(doc)) add(span, 'comment');
  const pending: JsonValue[] = doc.values.flatMap(({ root }) => root ?? []);
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value.kind !== 'object' && value.kind !== 'array') continue;
    add({ start: value.start, end: value.end - 1 }, 'region');
    for (const { value: inner } of value.members) if (inner) pending.push(inner);
  }
  found.sort((one, other) => one.span.start - other.span.start);
  return firstFolds(found, most);
}

function listCommentRuns({ comments, text }: AgentJsonDocument): readonly Span[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of comments) {
    const last = runs.at(-1);
    if (last && text.slice(last.end, start).trim() === '') last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}

/** The requests of a file for the workspace symbol search, under the name in `// @name`. */
export function landmarks(doc: AgentJsonDocument): readonly Landmark[] {
  const found = new LandmarkList();
  for (const { kind, value, directives, title } of listItems(doc)) {
    const { start, end } = value;
    if (kind === 'request')
      found.add({ name: directives.name ?? title, kind: 'request', container: '', span: { start, end } });
  }
  return found.all();
}

/** Each request with the replies that follow it. */
export function exchanges(doc: AgentJsonDocument): readonly Exchange[] {
  const found: (Exchange & { readonly replies: Span[] })[] = [];
  for (const item of listItems(doc)) {
    const { start, end } = item.value;
    if (item.kind === 'request') found.push(toExchange(item));
    else if (item.kind === 'reply') found.at(-1)?.replies.push({ start, end });
  }
  return found;
}

function toExchange({
  value,
  title,
  protocol,
  method,
  directives,
}: AgentJsonItem): Exchange & { replies: Span[] } {
  const { start, end } = value;
  const tool = protocol?.requests?.tool;
  return {
    kind: tool ? (tool.method === method ? 'call' : 'query') : 'task',
    name: title,
    session: '',
    agent: directives.agent ?? '',
    span: { start, end },
    nameSpan: { start, end: start + 1 },
    replies: [],
  };
}

/** The spans of an expanding selection: word, string, member, object, request, file. */
export function selectionPath(doc: AgentJsonDocument, offset: number): readonly Span[] {
  const all = { start: 0, end: doc.source.length };
  const word = wordAt(doc.source, offset);
  const top = doc.values.find(({ start, end }) => start <= offset && offset <= end);
  const spot = top && findJsonSpot({ root: top.root, fault: top.fault, openTooDeep: 0 }, doc.json, offset);
  const around = (spot?.around ?? []).toReversed().flatMap(span => [contentsOf(doc.json, span), span]);
  const inside = around.filter(({ start, end }) => start <= offset && offset <= end);
  return growing([...(word ? [word] : []), ...inside, all]);
}

/** The content between the quotation marks or brackets of a value. */
function contentsOf(json: string, { start, end }: Span): Span {
  const isEnclosed = end - start > 1 && /^["{[]$/.test(json.charAt(start));
  return isEnclosed ? { start: start + 1, end: end - 1 } : { start, end };
}
