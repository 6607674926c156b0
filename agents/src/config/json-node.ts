import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Span } from '../../../protocol/src/text/span.ts';
import type { ConfigIssue } from './agent-config.ts';

/** A JSON value with its place in the text. */
export interface JsonNode {
  readonly span: Span;
  readonly value: string | number | boolean | null | readonly JsonNode[] | ReadonlyMap<string, JsonMember>;
}

/** A member of an object; of members with the same name the last one counts. */
export interface JsonMember {
  readonly keySpan: Span;
  readonly node: JsonNode;
}

/** How deep values may nest; deeper ones are not read, so that nothing overflows. */
const MAX_DEPTH = 100;

/** Reads JSON with comments and trailing commas. Never throws. */
export function parseJsonc(text: string): {
  readonly node: JsonNode | undefined;
  readonly issues: readonly ConfigIssue[];
} {
  if (measureDepth(text) > MAX_DEPTH) {
    const message = `Values nest deeper than ${MAX_DEPTH} levels; remove the inner ones`;
    return { node: undefined, issues: [{ span: { start: 0, end: Math.min(1, text.length) }, message }] };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const issues = errors.map(error => ({
    span: { start: error.offset, end: error.offset + error.length },
    message: `This is not valid JSON here: ${spellOut(printParseErrorCode(error.error))}`,
  }));
  return { node: tree && toNode(tree), issues };
}

/** An upper bound of the nesting: brackets in texts and comments count too, which only files made to break hold many of. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const bracket of text.matchAll(/"(?:[^"\\\r\n]|\\.)*"|[[\]{}]/g)) {
    if (bracket[0] === '[' || bracket[0] === '{') deepest = Math.max(deepest, ++depth);
    else if (bracket[0] === ']' || bracket[0] === '}') depth = Math.max(0, depth - 1);
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

/** `PropertyNameExpected` as `property name expected`. */
function spellOut(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`).toLowerCase();
}
