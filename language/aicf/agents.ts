import { readDirective } from '../directives.ts';
import { isContainerLine, isRequestLine } from './ast.ts';
import { BlockNotes, type Block } from './blocks.ts';
import { readLineAt } from './lines.ts';
import type { AicfDocument } from './parse.ts';

/** From a line of a block on, up to the next stretch: whose requests and replies stand there. */
export interface AgentStretch {
  /** Counted from the block's first line. */
  readonly line: number;
  /** The empty text where no directive names one. */
  readonly agent: string;
}

/** A line of a block from which on another agent may speak. */
interface Turn {
  readonly line: number;
  /** Undefined for the block's first message, where no directive stands in the block above it. */
  readonly agent: string | undefined;
  readonly isRequest: boolean;
}

/** What a block's own lines say about agents, whatever stands above it. */
interface BlockTurns {
  readonly turns: readonly Turn[];
  /** What a directive at the block's end says of the message that comes next. */
  readonly last: string | undefined;
}

/** What the lines above a block say. */
interface Above {
  readonly agent: string;
  /** What a directive says of the message that comes next; undefined where none stands. */
  readonly next: string | undefined;
}

const TURNS = new BlockNotes<BlockTurns>();
const NAMELESS: Above = { agent: '', next: undefined };
/** A block in which no agent is named. */
export const ALL_NAMELESS: readonly AgentStretch[] = [{ line: 0, agent: '' }];

/** So many lines above a place, and at the head of a file, are looked at. */
const MOST_LINES = 500;

/**
 * The agent of requests that name none: the one that `# @default` names above the file's first message; the empty text
 * without one.
 */
export function defaultAgent(doc: AicfDocument): string {
  let agent = '';
  for (let number = 0; number < Math.min(doc.text.lineCount, MOST_LINES); number++) {
    const { tree, text } = readLineAt(doc, number);
    if (!isContainerLine(tree)) break;
    const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
    if (directive?.name === 'default') agent = directive.value;
  }
  return agent;
}

/**
 * Whose the lines of each block are, as `listNamed` finds them; what no directive names is the file's default agent's.
 */
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

/** Blocks that stay the same keep the same list. */
function withDefault(stretches: readonly AgentStretch[], agent: string): readonly AgentStretch[] {
  const known = DEFAULTED.get(stretches);
  if (known?.agent === agent) return known.stretches;
  const filled = stretches.map(each => (each.agent === '' ? { ...each, agent } : each));
  DEFAULTED.set(stretches, { agent, stretches: filled });
  return filled;
}

/**
 * Whose the lines of each block are: of the agent that `# @agent` names directly above a request, and so are its replies,
 * up to the next request; a reply directly below such a line is that agent's too. `hasAgents` says of a block whether
 * `# @agent` may stand in it: others are read only as far as an agent from above may reach.
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
  // A request that is about to be written below the last line has its agent already.
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

/** The agents of a block, each once. */
export function agentsOf(stretches: readonly AgentStretch[]): readonly string[] {
  const agents = AGENTS.get(stretches) ?? [...new Set(stretches.map(({ agent }) => agent))];
  AGENTS.set(stretches, agents);
  return agents;
}

const AGENTS = new WeakMap<readonly AgentStretch[], readonly string[]>();

/**
 * The agent of a request that stands at a line or is about to: what the container lines directly above it say, else the
 * file's default.
 */
export function agentAbove(doc: AicfDocument, number: number): string {
  for (let line = number - 1; line >= Math.max(0, number - MOST_LINES); line--) {
    const { tree, text } = readLineAt(doc, line);
    if (!isContainerLine(tree)) break;
    const agent = tree.kind === 'comment' ? readAgent(text) : undefined;
    if (agent !== undefined) return agent;
  }
  return defaultAgent(doc);
}
