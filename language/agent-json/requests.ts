import { findProtocol, PROTOCOLS, type MemberPath, type ProtocolRow } from '../../core/catalog/protocols.ts';
import type { Span } from '../../core/text/span.ts';
import { readDirective, type Directives } from '../directives.ts';
import { describeFault } from '../json/json-faults.ts';
import { scanJson, type JsonFault } from '../json/json-scanner.ts';
import { readJson, readJsonString, type JsonMember, type JsonValue } from '../json/json-tree.ts';
import type { SendableRequest } from '../support.ts';
import type { AgentJsonDocument, TopValue } from './parse.ts';

const ROWS: readonly ProtocolRow[] = PROTOCOLS;

/** An object that is a request or a reply, or another value in the place of one. */
export interface AgentJsonItem {
  readonly value: JsonValue;
  readonly directives: Directives;
  /** Why the value is no valid JSON; undefined if it is. */
  readonly fault: JsonFault | undefined;
  readonly kind: 'request' | 'reply' | 'other';
  /** The protocol whose request it is; undefined if neither the file's name nor the request shows that. */
  readonly protocol: ProtocolRow | undefined;
  /** The `method` of a JSON-RPC request. */
  readonly method: string | undefined;
  readonly title: string;
  /** The batch that the request is sent in; undefined for one that is sent alone. */
  readonly batch?: Batch | undefined;
}

/** An array whose requests are sent together. */
export interface Batch {
  readonly value: JsonValue;
  readonly directives: Directives;
  readonly fault: JsonFault | undefined;
}

const ITEMS = new WeakMap<readonly TopValue[], readonly AgentJsonItem[]>();

/** The values of a file in order: an array holds several. Read once per document; linear in the text. */
export function listItems(doc: AgentJsonDocument): readonly AgentJsonItem[] {
  const known = ITEMS.get(doc.values);
  if (known) return known;
  const items = readItems(doc);
  ITEMS.set(doc.values, items);
  return items;
}

function readItems(doc: AgentJsonDocument): readonly AgentJsonItem[] {
  const directives = new DirectiveReader(doc);
  const found: AgentJsonItem[] = [];
  for (const { root, fault } of doc.values) {
    if (!root) continue;
    const above = directives.before(root.start);
    if (root.kind !== 'array') {
      found.push(readItem(doc, root, above, fault));
      directives.skipTo(root.end);
      continue;
    }
    // Names above an array are those of no single request.
    const { name: _, batch: isBatch, ...common } = above;
    const batch = isBatch === undefined ? undefined : { value: root, directives: above, fault };
    for (const { value } of root.members) {
      if (!value) continue;
      const own = { ...common, ...directives.before(value.start) };
      found.push({ ...readItem(doc, value, own, fault && faultOf(doc, value)), batch });
      directives.skipTo(value.end);
    }
    directives.skipTo(root.end);
  }
  return found;
}

/** Reads the directives of a file from its start to its end. */
class DirectiveReader {
  readonly #lines: AgentJsonDocument['lines'];
  readonly #default: string | undefined;
  #next = 0;

  constructor({ lines, values }: AgentJsonDocument) {
    this.#lines = lines;
    const first = values[0]?.start ?? Infinity;
    this.#default = lines
      .filter(({ start }) => start < first)
      .map(({ text }) => readDirective(text))
      .findLast(directive => directive?.name === 'default')?.value;
  }

  /** The directives between the last value and this offset. Of a repeated one the lower one applies. */
  before(offset: number): Directives {
    const found: Record<string, string> = {};
    for (let line = this.#lines[this.#next]; line && line.start < offset; line = this.#lines[++this.#next]) {
      const directive = readDirective(line.text);
      if (directive && directive.name !== 'default') found[directive.name] = directive.value;
    }
    const agent = found['agent'] ?? this.#default;
    return agent === undefined ? found : { ...found, agent };
  }

  skipTo(offset: number): void {
    while ((this.#lines[this.#next]?.start ?? Infinity) < offset) this.#next++;
  }
}

/** The fault of one value of an array that has a fault somewhere. */
function faultOf({ json }: AgentJsonDocument, { start, end }: JsonValue): JsonFault | undefined {
  const { fault } = readJson(json.slice(start, end));
  if (!fault) return undefined;
  const { kind, span } = fault;
  return { kind, span: { start: span.start + start, end: span.end + start } };
}

function readItem(
  doc: AgentJsonDocument,
  value: JsonValue,
  directives: Directives,
  fault: JsonFault | undefined,
): AgentJsonItem {
  const method = textAt(doc, value, ['method']);
  const protocol = protocolOf(doc, method);
  const isReply = method === undefined && looksLikeReply(doc, value, protocol);
  const kind = value.kind !== 'object' ? 'other' : isReply ? 'reply' : 'request';
  return { value, directives, fault, kind, protocol, method, title: titleOf(doc, value, method, protocol) };
}

function looksLikeReply(
  doc: AgentJsonDocument,
  value: JsonValue,
  protocol: ProtocolRow | undefined,
): boolean {
  if (protocol && !protocol.requests?.isRpc) return textAt(doc, value, ['object']) === 'response';
  return ['result', 'error'].some(name => memberAt(doc, value, [name]));
}

/** The protocol of a request: by the file's name, else by a method that only one protocol has. */
function protocolOf(
  { settings, schemas }: AgentJsonDocument,
  method: string | undefined,
): ProtocolRow | undefined {
  if (settings.protocol !== undefined) return findProtocol(settings.protocol);
  if (method === undefined) return undefined;
  const own = ROWS.filter(row => isMethodOf(row, method, schemas.get(row.name)?.methods));
  return own.length === 1 ? own[0] : undefined;
}

/** True for a method that a protocol is known to have. */
export function isMethodOf(
  { requests }: ProtocolRow,
  method: string,
  methods: ReadonlyMap<string, unknown> | undefined,
): boolean {
  return (
    methods?.has(method) === true ||
    requests?.methods?.test(method) === true ||
    requests?.tool?.method === method
  );
}

function titleOf(
  doc: AgentJsonDocument,
  value: JsonValue,
  method: string | undefined,
  protocol: ProtocolRow | undefined,
): string {
  const tool = protocol?.requests?.tool;
  const name = tool && tool.method === method ? textAt(doc, value, tool.name) : undefined;
  return (name ?? method ?? 'request').slice(0, LONGEST_TITLE);
}

const LONGEST_TITLE = 200;

/** The member at a path of names. Of two members with one name the first one. */
export function memberAt(
  { json }: AgentJsonDocument,
  value: JsonValue,
  path: MemberPath,
): JsonMember | undefined {
  let at: JsonValue | undefined = value;
  let found: JsonMember | undefined;
  for (const step of path) {
    found = at?.members.find(({ key }) => key && readJsonString(json, key) === step);
    at = found?.value;
  }
  return found;
}

/** The text at a path of names; undefined for another value. */
export function textAt(doc: AgentJsonDocument, value: JsonValue, path: MemberPath): string | undefined {
  const found = memberAt(doc, value, path)?.value;
  return found?.kind === 'string' ? readJsonString(doc.json, found) : undefined;
}

/** The messages of a file in order: items, and batches in place of their items. */
function* listMessages(doc: AgentJsonDocument): Generator<AgentJsonItem> {
  let last: Batch | undefined;
  for (const item of listItems(doc)) {
    const { batch } = item;
    if (!batch) yield item;
    else if (batch !== last) yield { ...item, ...batch, kind: 'request', title: titleOfBatch(batch) };
    last = batch;
  }
}

/** The requests of a file in order, at most `max`. */
export function requests(doc: AgentJsonDocument, max = Infinity): readonly SendableRequest[] {
  const found: SendableRequest[] = [];
  for (const item of listMessages(doc)) {
    if (found.length >= max) break;
    if (item.kind === 'request') found.push(toRequest(doc, item));
  }
  return found;
}

function titleOfBatch({ value }: Batch): string {
  return `batch of ${value.members.length}`;
}

/** Why a batch is not sent: a line inside of it that could concern one of its requests only. */
function findInner({ lines }: AgentJsonDocument, { start, end }: Span): string | undefined {
  const inside = lines.find(line => line.start > start && line.start < end && readDirective(line.text));
  return (
    inside &&
    `The line '${inside.text.trim()}' is inside a batch, which is sent as a whole; move it above the array`
  );
}

function toRequest(
  doc: AgentJsonDocument,
  { value, directives, fault, title, protocol, batch }: AgentJsonItem,
): SendableRequest {
  const { start, end } = value;
  return {
    span: { start, end },
    title,
    directives,
    payloads: [],
    wireText: fault ? doc.json.slice(start, end) : minify(doc.json.slice(start, end)),
    refusal: fault
      ? `It is not valid JSON: ${describeFault(doc.json, fault)}`
      : batch && findInner(doc, value),
    ...(protocol && { protocol: protocol.name }),
  };
}

/** Removes the white space between tokens; everything else remains as it is written. */
export function minify(json: string): string {
  const parts: string[] = [];
  for (const { start, end } of scanJson(json)) parts.push(json.slice(start, end));
  return parts.join('');
}

/** The item at an offset, including the lines with its directives. */
export function itemAt(doc: AgentJsonDocument, offset: number): AgentJsonItem | undefined {
  return listItems(doc).find(({ value }) => value.start <= offset && offset <= value.end);
}

/** The spans of all requests and replies that touch a span, or whose directives do. */
export function* messages(doc: AgentJsonDocument, within: Span): Generator<Span> {
  let line = 0;
  for (const { value, kind } of listMessages(doc)) {
    const { start, end } = value;
    const first = Math.min(doc.lines[line]?.start ?? start, start);
    if (first > within.end) return;
    if (kind !== 'other' && end >= within.start) yield { start, end };
    while ((doc.lines[line]?.start ?? Infinity) < end) line++;
  }
}
