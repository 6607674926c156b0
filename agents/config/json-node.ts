import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Span } from '../../core/text/span.ts';
import type { ConfigIssue } from './agent-config.ts';

/** A JSON value with its position in the text. */
export interface JsonNode {
  readonly span: Span;
  readonly value: string | number | boolean | null | readonly JsonNode[] | ReadonlyMap<string, JsonMember>;
}

/** A member of an object; of members with the same name the last one counts. */
export interface JsonMember {
  readonly keySpan: Span;
  readonly node: JsonNode;
}

/** True for a list. */
export function isList(node: JsonNode): node is JsonNode & { readonly value: readonly JsonNode[] } {
  return Array.isArray(node.value);
}

/** The members of an object; none for anything else. */
export function membersOf(node: JsonNode | undefined): ReadonlyMap<string, JsonMember> {
  return node?.value instanceof Map ? node.value : new Map<string, JsonMember>();
}

/** The maximum depth of values; deeper ones are not read, to avoid a stack overflow. */
const MAX_DEPTH = 100;

/** The maximum number of characters of a file that are parsed; in UTF-8 they have less than `MAX_CONFIG_BYTES`. */
const MAX_LENGTH = 1_000_000;

/** Reads JSON with comments and trailing commas. Never throws. */
export function parseJsonc(text: string): {
  readonly node: JsonNode | undefined;
  readonly issues: readonly ConfigIssue[];
  /** False for a text that is too long or nested too deeply; the issue says which. */
  readonly isParsed: boolean;
} {
  const fault = findFault(text);
  if (fault !== undefined)
    return { node: undefined, issues: [{ span: { start: 0, end: 1 }, message: fault }], isParsed: false };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const issues = errors.map(error => ({
    span: { start: error.offset, end: error.offset + error.length },
    message: `This is not valid JSON here: ${spellOut(printParseErrorCode(error.error))}`,
  }));
  return { node: tree && toNode(tree), issues, isParsed: true };
}

/** Why a text is not read at all. */
function findFault(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `The file holds more than ${MAX_LENGTH} characters; remove some`;
  if (measureDepth(text) > MAX_DEPTH)
    return `Values nest deeper than ${MAX_DEPTH} levels; remove the inner ones`;
  return undefined;
}

/** The depth that the parser would reach: a bracket stays open until the one that closes it, whatever is between. */
export function measureDepth(text: string): number {
  const open: string[] = [];
  let deepest = 0;
  const scanner = createScanner(text, true);
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    // A token that begins with a bracket is that bracket.
    const first = text.charAt(scanner.getTokenOffset());
    if (first === '[' || first === '{') deepest = Math.max(deepest, open.push(first === '[' ? ']' : '}'));
    else if (first !== '' && first === open.at(-1)) open.pop();
  }
  return deepest;
}

function toNode(node: Node): JsonNode {
  const span = { start: node.offset, end: node.offset + node.length };
  if (node.type === 'array') return { span, value: (node.children ?? []).map(toNode) };
  if (node.type !== 'object') return { span, value: toScalar(node.value) };
  const members = new Map<string, JsonMember>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const keySpan = { start: key.offset, end: key.offset + key.length };
    members.set(String(key.value), { keySpan, node: toNode(value) });
  }
  return { span, value: members };
}

function toScalar(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Writes `PropertyNameExpected` as `property name expected`. */
function spellOut(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`).toLowerCase();
}
