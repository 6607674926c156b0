import { parseSync, visitorKeys, type Node } from 'oxc-parser';

export type { Node };

/** Visits the nodes of a source's syntax tree, parents before children. Throws if it has syntax errors. */
export function walkSource(path: string, text: string, visit: (node: Node) => void): void {
  walk(parse(path, text), visit);
}

/** The syntax tree of a source, which is parsed once although several rules walk it. */
function parse(path: string, text: string): Node {
  const known = PARSED.get(path);
  if (known?.text === text) return known.program;
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  PARSED.set(path, { text, program });
  return program;
}

const PARSED = new Map<string, { readonly text: string; readonly program: Node }>();

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    if (Array.isArray(child)) {
      for (const each of child) if (isNode(each)) walk(each, visit);
    } else if (isNode(child)) walk(child, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The text of a string literal, or of a template without placeholders. */
export function stringOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The line of an offset in a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
