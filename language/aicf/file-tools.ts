import { joinTables, NO_AGENT_TOOLS, type AgentTools, type ToolTable } from '../tools.ts';
import { agentsOf, listAgents, type AgentStretch } from './agents.ts';
import { BlockNotes, findBlock, isSameList, type Block } from './blocks.ts';
import { lineSource } from './line-source.ts';
import type { AicfDocument } from './parse.ts';
import { describeTerms, readTable } from './tools.ts';

/** The tools that calls of one agent are held to. */
export interface KnownTools extends ToolTable {
  /** The empty text where no directive names the agent. */
  readonly agent: string;
  /** The same object as long as calls are held to the same: what a tool says about itself does not count. */
  readonly version: object;
}

/** The tools that a document knows. */
interface FileTools {
  /** Whose the lines are, by block; undefined in a file that names no agent. */
  readonly stretches: readonly (readonly AgentStretch[])[] | undefined;
  /** The tools of an agent that the file names, or of the nameless one, `''`. */
  readonly of: (agent: string) => KnownTools;
}

/** What is known of the tools of an agent, and from what. */
interface Known {
  readonly lines: readonly (readonly string[])[];
  readonly others: ToolTable | undefined;
  /** What the file itself says. */
  readonly own: ToolTable;
  readonly tools: KnownTools;
  readonly terms: string;
}

interface Collected extends FileTools {
  readonly known: ReadonlyMap<string, Known>;
}

/** Several ask about the same version of a document after each edit. */
const COLLECTED = new WeakMap<AicfDocument, Collected>();

/** What a document and its earlier versions named last, by agent. */
const KNOWN = new WeakMap<object, ReadonlyMap<string, Known>>();
export const NO_TOOLS: KnownTools = { agent: '', isComplete: false, tools: new Map(), version: {} };

/**
 * Collects the tools that a file names for each agent, and with them what other files and agents say of the agents that
 * `# @agent` names. Who answers a call without that line, only the file itself can say, or who knows where it goes to.
 */
export function collectTools(doc: AicfDocument): FileTools {
  return collect(doc);
}

function collect(doc: AicfDocument): Collected {
  const collected = COLLECTED.get(doc) ?? readTools(doc);
  COLLECTED.set(doc, collected);
  return collected;
}

function readTools(doc: AicfDocument): Collected {
  const { stretches, lines } = collectLines(doc);
  const before = KNOWN.get(doc.lineage);
  const known = new Map<string, Known>();
  for (const [agent, list] of lines) known.set(agent, know(doc, agent, list, before?.get(agent)));
  KNOWN.set(doc.lineage, known);
  return { stretches, known, of: agent => known.get(agent)?.tools ?? NO_TOOLS };
}

/** The tools that a line of a document is held to. */
export function toolsAt(doc: AicfDocument, number: number): KnownTools {
  return lookUp(doc, collectTools(doc), number);
}

/** The same, for one who asks about many lines. */
export function lookUp(doc: AicfDocument, { stretches, of }: FileTools, number: number): KnownTools {
  if (!stretches) return of('');
  const index = findBlock(doc.blocks, number);
  const line = number - (doc.blocks[index]?.firstLine ?? 0);
  return of(stretches[index]?.findLast(stretch => stretch.line <= line)?.agent ?? '');
}

/** What the file itself says of each agent that it names: the same object as long as it says the same. */
export function listAgentTools(doc: AicfDocument): AgentTools {
  if (doc.dialect === 'context') return NO_AGENT_TOOLS;
  const { stretches, known } = collect(doc);
  if (!stretches) return NO_AGENT_TOOLS;
  const named = [...known].filter(([agent]) => agent !== '');
  const before = SAID.get(doc.lineage);
  if (before?.size === named.length && named.every(([agent, { own }]) => before.get(agent) === own))
    return before;
  const said = new Map(named.map(([agent, { own }]) => [agent, own]));
  SAID.set(doc.lineage, said);
  return said;
}

const SAID = new WeakMap<object, AgentTools>();

function know(doc: AicfDocument, agent: string, lines: Known['lines'], before: Known | undefined): Known {
  const others = doc.others.get(agent);
  const isSame = before !== undefined && isSameLines(before.lines, lines);
  if (isSame && before.others === others) return before;
  const own = isSame ? before.own : readTable(lines.flat(), doc.work);
  const table = others ? joinTables([own, others]) : own;
  const terms = describeTerms(table);
  const version = before?.terms === terms ? before.tools.version : {};
  return { lines, others, own, tools: { ...table, agent, version }, terms };
}

function isSameLines(one: Known['lines'], other: Known['lines']): boolean {
  return one.length === other.length && one.every((list, index) => isSameList(list, other[index] ?? []));
}

/** The lines of a block that may name tools: most blocks have none. */
interface NamingLines {
  readonly texts: readonly string[];
  /** Where they stand, counted from the block's first line. */
  readonly numbers: readonly number[];
  /** True where `# @agent` or `# @default` may stand in the block. */
  readonly hasAgents: boolean;
}

const NAMING_LINES = new BlockNotes<NamingLines>();
const NO_LINES: NamingLines = { texts: [], numbers: [], hasAgents: false };
const NAMING = /^\s*(?:[A-Za-z]+:\s*)?tools?(?![A-Za-z])/i;
const AGENT = /@(?:agent|default)/;

function collectLines(doc: AicfDocument): Pick<FileTools, 'stretches'> & {
  readonly lines: ReadonlyMap<string, Known['lines']>;
} {
  const nameless: (readonly string[])[] = [];
  let hasAgents = false;
  for (const block of doc.blocks) {
    const naming = namingLines(doc, block);
    if (naming.texts.length > 0) nameless.push(naming.texts);
    hasAgents ||= naming.hasAgents;
  }
  if (!hasAgents) return { stretches: undefined, lines: new Map([['', nameless]]) };
  const stretches = listAgents(doc, block => namingLines(doc, block).hasAgents);
  return { stretches, lines: shareLines(doc, stretches) };
}

/** Gives each agent the lines that are its replies. */
function shareLines(
  doc: AicfDocument,
  stretches: readonly (readonly AgentStretch[])[],
): ReadonlyMap<string, Known['lines']> {
  const shared = new Map<string, (readonly string[])[]>([['', []]]);
  const listOf = (agent: string): (readonly string[])[] => {
    const list = shared.get(agent) ?? [];
    shared.set(agent, list);
    return list;
  };
  for (const [index, block] of doc.blocks.entries()) {
    const own = stretches[index] ?? [];
    for (const agent of agentsOf(own)) listOf(agent);
    const { texts, numbers } = namingLines(doc, block);
    if (texts.length === 0) continue;
    let from = 0;
    for (const [at, { agent }] of own.entries()) {
      const list = listOf(agent);
      const end = own[at + 1]?.line ?? Infinity;
      const first = from;
      while (from < numbers.length && (numbers[from] ?? 0) < end) from++;
      if (from > first) list.push(own.length === 1 ? texts : texts.slice(first, from));
    }
  }
  return shared;
}

function namingLines(doc: AicfDocument, block: Block): NamingLines {
  return NAMING_LINES.find(block) ?? NAMING_LINES.set(block, readNamingLines(doc, block));
}

function readNamingLines(doc: AicfDocument, block: Block): NamingLines {
  if (doc.work) doc.work.count += block.end - block.start;
  // One search saves most blocks a pass over their lines; only a word that lies in two chunks escapes it.
  const [chunk, ...more] = block.content.chunks;
  if (chunk && more.length === 0 && !/tool/i.test(chunk.text)) {
    return AGENT.test(chunk.text) ? { ...NO_LINES, hasAgents: true } : NO_LINES;
  }
  const texts: string[] = [];
  const numbers: number[] = [];
  let hasAgents = false;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const { text } = lineSource(doc, number);
    hasAgents ||= AGENT.test(text);
    if (!NAMING.test(text)) continue;
    texts.push(text);
    numbers.push(number - block.firstLine);
  }
  return { texts, numbers, hasAgents };
}
