import { PROTOCOLS } from '../../core/catalog/protocols.ts';
import type { Import } from './graph.ts';
import { PRODUCT } from './protocol-names.ts';
import { isWithin } from './rooms.ts';

/** The folders of one protocol. */
const OWNED = new RegExp(`^(?:protocols|agents)/(${PROTOCOLS.map(({ name }) => name).join('|')})/`);

/** The lists of all protocols. */
const LISTS: readonly string[] = ['protocols/all.ts', 'protocols/servers.ts', 'agents/all.ts'];

/** The programs, which pass the lists to general code. */
const PROGRAMS: readonly string[] = [
  'client/src',
  'cli/src',
  'server/src',
  'agents/demo',
  // A thread receives no functions, so its program imports the list.
  'agents/proxy/thread',
];

/** An import of a protocol's file by general code that is intended. */
interface Exception {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

const SIGN_IN = 'MCP alone defines a sign-in by OAuth; agents of the other protocols get headers';
const EXPOSURE = 'the file agent.json of OpenStarry says which tools an MCP server exposes';

export const EXCEPTIONS: readonly Exception[] = [
  { from: 'client/src/agents/sign-out.ts', to: 'agents/mcp/auth/stored-sign-in.ts', reason: SIGN_IN },
  { from: 'client/src/agents/exposure-diagnostics.ts', to: 'agents/mcp/exposure.ts', reason: EXPOSURE },
  { from: 'cli/src/json/check-json.ts', to: 'agents/mcp/exposure.ts', reason: EXPOSURE },
];

/**
 * Finds imports of a protocol's files outside its own folders, and of a list of all protocols outside the programs, as
 * `path:line: what`. The lists and the demo agents may import any protocol; other folders only those of `EXCEPTIONS`.
 */
export function findProtocolImports(
  imports: readonly Import[],
  exceptions: readonly Exception[] = EXCEPTIONS,
): readonly string[] {
  return imports.flatMap(({ from, line, target }) => {
    if (!PRODUCT.test(from) || target.kind !== 'file') return [];
    const what = describe(from, target.path);
    const isIntended = exceptions.some(each => each.from === from && each.to === target.path);
    return what === undefined || isIntended ? [] : [`${from}:${line}: ${what}`];
  });
}

function describe(from: string, path: string): string | undefined {
  if (LISTS.includes(path))
    return PROGRAMS.some(program => isWithin(from, program)) ? undefined : 'a list of all protocols';
  const protocol = nameOf(path);
  const mayImport = LISTS.includes(from) || isWithin(from, 'agents/demo') || nameOf(from) === protocol;
  return protocol === undefined || mayImport ? undefined : `a file of ${protocol}`;
}

/** The protocol that a file belongs to. */
function nameOf(path: string): string | undefined {
  return OWNED.exec(path)?.[1];
}
