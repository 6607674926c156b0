import { readDirective } from '../directives.ts';
import { isContainerLine, isRequestLine } from './ast.ts';
import { BlockNotes, type Block } from './blocks.ts';
import { readLineAt, type AicfDocument } from './parse.ts';

/** Lines of a block, from `line` up to the next stretch, whose requests and replies belong to one agent. */
export interface AgentStretch {
  /** Relative to the first line of the block. */
  readonly line: number;
  /** Empty if no directive names an agent. */
  readonly agent: string;
}

/** A line of a block at which the agent may change. */
interface Turn {
  readonly line: number;
  /** Undefined for the first message of the block if no directive precedes it in the block. */
  readonly agent: string | undefined;
  readonly isRequest: boolean;
}

/** The agent changes in a block's own lines, independent of the lines above it. */
interface BlockTurns {
  readonly turns: readonly Turn[];
  /** The agent in a directive at the block's end, which applies to the next message. */
  readonly last: string | undefined;
}

/** The state at the end of the lines above a block. */
interface Above {
  readonly agent: string;
  /** The agent in a directive for the next message; undefined without one. */
  readonly next: string | undefined;
}

const TURNS = new BlockNotes<BlockTurns>();
const NAMELESS: Above = { agent: '', next: undefined };
/** The stretches of a block that names no agent. */
export const ALL_NAMELESS: readonly AgentStretch[] = [{ line: 0, agent: '' }];

/** Maximum number of lines searched above a line, and at the start of a file. */
const MAX_LINES = 500;

/** The agent of requests that name none: the one in `# @default` above the file's first message, or empty. */
export function defaultAgent(doc: AicfDocument): string {
  let agent = '';
  for (let number = 0; number < Math.min(doc.text.lineCount, MAX_LINES); number++) {
    const { tree, text } = readLineAt(doc, number);
    if (!isContainerLine(tree)) break;
    const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
    if (directive?.name === 'default') agent = directive.value;
  }
  return agent;
}

/** The agents of each block as found by `listNamed`; stretches without a name get the default agent. */
export function listAgents(
  doc: AicfDocument,
  hasAgents: (block: Block) => boolean,
): readonly (readonly AgentStretch[])[] {
  const named = listNamed(doc, hasAgents);
  const agent = defaultAgent(doc);
  return agent === '' ? named : named.map(stretches => withDefault(stretches, agent));
}

const DEFAULTED = new WeakMap<
  readonly AgentStretch[],
  { readonly agent: string; readonly stretches: readonly AgentStretch[] }
>();

/** Returns the same list as long as the block and the default agent stay the same. */
function withDefault(stretches: readonly AgentStretch[], agent: string): readonly AgentStretch[] {
  const known = DEFAULTED.get(stretches);
  if (known?.agent === agent) return known.stretches;
  const filled = stretches.map(each => (each.agent === '' ? { ...each, agent } : each));
  DEFAULTED.set(stretches, { agent, stretches: filled });
  return filled;
}

/**
 * Finds the agents of the lines of each block. The agent in `# @agent` directly above a request owns the request and
 * its replies up to the next request; a reply directly below such a directive is that agent's too. `hasAgents` returns
 * whether a block may contain `# @agent`; other blocks are read only while an agent from above may apply.
 */
function listNamed(
  doc: AicfDocument,
  hasAgents: (block: Block) => boolean,
): readonly (readonly AgentStretch[])[] {
  let above = NAMELESS;
  const agents = doc.blocks.map(block => {
    if (above === NAMELESS && !hasAgents(block)) return ALL_NAMELESS;
    const own = TURNS.of(block, () => readTurns(doc, block));
    const stretches = place(block, own.turns, above);
    const agent = stretches.at(-1)?.agent ?? '';
    const next = own.last ?? (own.turns.length > 0 ? undefined : above.next);
    above = agent === '' && next === undefined ? NAMELESS : { agent, next };
    return stretches;
  });
  const last = doc.blocks.at(-1);
  if (!last || above.next === undefined) return agents;
  // Also gives the agent to a request that the user is about to write below the last line.
  const coming = { line: last.lineEnd - last.firstLine, agent: above.next };
  return [...agents.slice(0, -1), [...(agents.at(-1) ?? []), coming]];
}

const PLACED = new BlockNotes<{ readonly above: Above; readonly stretches: readonly AgentStretch[] }>();

function place(block: Block, turns: readonly Turn[], above: Above): readonly AgentStretch[] {
  const known = PLACED.find(block);
  if (known?.above.agent === above.agent && known.above.next === above.next) return known.stretches;
  return PLACED.set(block, { above, stretches: listStretches(turns, above) }).stretches;
}

function listStretches(turns: readonly Turn[], above: Above): readonly AgentStretch[] {
  const stretches: AgentStretch[] = [{ line: 0, agent: above.agent }];
  for (const { line, agent, isRequest } of turns) {
    const before = stretches.at(-1)?.agent ?? '';
    const now = agent ?? above.next ?? (isRequest ? '' : before);
    if (now !== before) stretches.push({ line, agent: now });
  }
  return stretches;
}

function readTurns(doc: AicfDocument, block: Block): BlockTurns {
  const turns: Turn[] = [];
  let next: string | undefined;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const { tree, text } = readLineAt(doc, number);
    if (isContainerLine(tree)) {
      if (tree.kind === 'comment') next = readAgent(text) ?? next;
      continue;
    }
    const line = number - block.firstLine;
    const isRequest = isRequestLine(tree);
    const agent = next ?? (isRequest ? '' : undefined);
    if (turns.length === 0) turns.push({ line, agent: next, isRequest });
    else if (agent !== undefined && agent !== turns.at(-1)?.agent) turns.push({ line, agent, isRequest });
    next = undefined;
  }
  return { turns, last: next };
}

function readAgent(text: string): string | undefined {
  const directive = readDirective(text);
  return directive?.name === 'agent' ? directive.value : undefined;
}

/** The distinct agents of a block. */
export function agentsOf(stretches: readonly AgentStretch[]): readonly string[] {
  const agents = AGENTS.get(stretches) ?? [...new Set(stretches.map(({ agent }) => agent))];
  AGENTS.set(stretches, agents);
  return agents;
}

const AGENTS = new WeakMap<readonly AgentStretch[], readonly string[]>();

/**
 * The agent of a request that is, or will be, at a line: from the container lines directly above it, or else
 * the file's default.
 */
export function agentAbove(doc: AicfDocument, number: number): string {
  for (let line = number - 1; line >= Math.max(0, number - MAX_LINES); line--) {
    const { tree, text } = readLineAt(doc, line);
    if (!isContainerLine(tree)) break;
    const agent = tree.kind === 'comment' ? readAgent(text) : undefined;
    if (agent !== undefined) return agent;
  }
  return defaultAgent(doc);
}
