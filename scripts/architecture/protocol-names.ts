import { PROTOCOLS } from '../../core/catalog/protocols.ts';
import { lineAt, stringOf, walkSource, type Node } from './syntax.ts';

/** Names that mean a protocol wherever they are. */
const NAMES: ReadonlySet<string> = new Set([
  ...PROTOCOLS.map(({ name }) => name).filter(name => name !== 'aicl' && name !== 'aicf'),
  // The scheme of trace names that some agents of MCP have.
  'openstarry',
]);

/** Names of languages as well, which are protocols where what they are compared with is one. */
const LANGUAGES: ReadonlySet<string> = new Set(['aicl', 'aicf']);
const PROTOCOL_TEXT = /\b(?:protocol|facts\.name|recorded|from|to)\)?$/;

/** Where protocols may be compared by name: their own folders, the lists, the demo agents and the catalog. */
const ALLOWED = [
  new RegExp(`^(protocols|agents)/(${PROTOCOLS.map(({ name }) => name).join('|')})/`),
  /^(protocols|agents)\/all\.ts$/,
  /^protocols\/servers\.ts$/,
  /^agents\/demo\//,
  /^core\/catalog\//,
];

/** The folders of the product's source. */
export const PRODUCT = /^(core|tensor|language|protocols|trace|wire|agents|server|client|cli)\//;

/** Finds comparisons, cases and tables of protocol names in a file of general code, as `path:line: what`. */
export function findProtocolNames(path: string, text: string): readonly string[] {
  if (!PRODUCT.test(path) || ALLOWED.some(pattern => pattern.test(path))) return [];
  const found: string[] = [];
  walkSource(path, text, node => {
    const what = describe(node, text);
    if (what !== undefined) found.push(`${path}:${lineAt(text, node.start)}: ${what}`);
  });
  return found;
}

function describe(node: Node, text: string): string | undefined {
  switch (node.type) {
    case 'BinaryExpression': {
      if (node.operator !== '===' && node.operator !== '!==') return undefined;
      const sides = [node.left, node.right];
      const isOfProtocol = sides.some(side => PROTOCOL_TEXT.test(text.slice(side.start, side.end)));
      const names = sides.map(side => stringOf(side) ?? '');
      const isNamed = names.some(name => NAMES.has(name) || (isOfProtocol && LANGUAGES.has(name)));
      return isNamed ? 'a comparison' : undefined;
    }
    case 'CallExpression':
      return ASKS.test(text.slice(node.callee.start, node.callee.end)) && node.arguments.some(isName)
        ? 'a look-up'
        : undefined;
    case 'MemberExpression':
      return node.computed && isName(node.property) ? 'a look-up' : undefined;
    case 'SwitchCase':
      return isName(node.test) ? 'a case' : undefined;
    case 'ObjectExpression':
      return node.properties.filter(isNamedMember).length >= MANY ? 'a table' : undefined;
    case 'ArrayExpression':
      return node.elements.filter(isNameOrPair).length >= MANY ? 'a table' : undefined;
    default:
      return undefined;
  }
}

/** Calls that compare with their argument. */
const ASKS = /\.(?:find|get|has|includes|indexOf|startsWith|endsWith)$/;

/** The minimum number of names that make a table. */
const MANY = 2;

function isName(node: Node | null): boolean {
  return NAMES.has(stringOf(node) ?? '');
}

function isNameOrPair(node: Node | null): boolean {
  return isName(node) || (node?.type === 'ArrayExpression' && node.elements.some(isName));
}

function isNamedMember(node: Node): boolean {
  if (node.type !== 'Property') return false;
  const { key } = node;
  return isName(key) || (key.type === 'Identifier' && !node.computed && NAMES.has(key.name));
}
