import { joinTables, NO_AGENT_TOOLS, type AgentTools, type ToolTable } from '../tools.ts';
import { agentsOf, listAgents, type AgentStretch } from './agents.ts';
import { BlockNotes, findBlock, isSameList, type Block } from './blocks.ts';
import { lineSource } from './line-source.ts';
import type { AicfDocument } from './parse.ts';
import { describeTerms, readTable } from './tools.ts';

/** The tools against which the calls of one agent are checked. */
export interface KnownTools extends ToolTable {
  /** Empty if no directive names the agent. */
  readonly agent: string;
  /** The same object until something changes that affects the check of calls; descriptions do not count. */
  readonly version: object;
}

/** The tools that a document declares, by agent. */
interface FileTools {
  /** The agents of the lines, by block; undefined in a file that names no agent. */
  readonly stretches: readonly (readonly AgentStretch[])[] | undefined;
  /** Returns the tools of an agent that the file names; `''` for requests without an agent. */
  readonly of: (agent: string) => KnownTools;
}

/** The tools of an agent with the inputs that they were computed from. */
interface Known {
  readonly lines: readonly (readonly string[])[];
  readonly others: ToolTable | undefined;
  /** The declarations in the file itself. */
  readonly own: ToolTable;
  readonly tools: KnownTools;
  readonly terms: string;
}

interface Collected extends FileTools {
  readonly known: ReadonlyMap<string, Known>;
}

/** Cache per version of a document, because several features ask after each edit. */
const COLLECTED = new WeakMap<AicfDocument, Collected>();

/** The last result for a document's lineage, by agent; reused by later versions. */
const KNOWN = new WeakMap<object, ReadonlyMap<string, Known>>();
export const NO_TOOLS: KnownTools = { agent: '', isComplete: false, tools: new Map(), version: {} };

/**
 * Collects the tools that a file declares for each agent, merged with what other files and agents report about the
 * agents in `# @agent`. For calls without an agent only this file's declarations and those passed for `''` apply.
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

/** The tools against which a line of a document is checked. */
export function toolsAt(doc: AicfDocument, number: number): KnownTools {
  return lookUp(doc, collectTools(doc), number);
}

/** Like `toolsAt`, for callers that ask about many lines. */
export function lookUp(doc: AicfDocument, { stretches, of }: FileTools, number: number): KnownTools {
  if (!stretches) return of('');
  const index = findBlock(doc.blocks, number);
  const line = number - (doc.blocks[index]?.firstLine ?? 0);
  return of(stretches[index]?.findLast(stretch => stretch.line <= line)?.agent ?? '');
}

/** The file's own tool declarations for each agent that it names. Returns the same object until they change. */
export function listAgentTools(doc: AicfDocument): AgentTools {
  if (doc.dialect === 'context') return NO_AGENT_TOOLS;
  const { stretches, known } = collect(doc);
  if (!stretches) return NO_AGENT_TOOLS;
  const named = [...known].filter(([agent]) => agent !== '');
  const before = CACHE.get(doc.lineage);
  if (before?.size === named.length && named.every(([agent, { own }]) => before.get(agent) === own))
    return before;
  const listed = new Map(named.map(([agent, { own }]) => [agent, own]));
  CACHE.set(doc.lineage, listed);
  return listed;
}

const CACHE = new WeakMap<object, AgentTools>();

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

/** The lines of a block that may declare or list tools; most blocks have none. */
interface NamingLines {
  readonly texts: readonly string[];
  /** Their line numbers, relative to the block. */
  readonly numbers: readonly number[];
  /** True if the block may contain `# @agent` or `# @default`. */
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

/** Distributes the lines to the agents whose replies they are. */
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
  // One search avoids reading the lines of most blocks. It would miss a word that crosses two chunks, so it
  // is used for single chunks only.
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
