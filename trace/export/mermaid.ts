import { countOf, showCount } from '../../core/text/count.ts';
import { quote, showOnOneLine } from '../../core/text/quote.ts';
import type { Participant } from '../graph/call-graph.ts';
import type { CallNode } from '../fold/tree.ts';
import { describeOutcome } from '../words.ts';
import { callerOf, walkCalls, type ExportSource } from './source.ts';

/** Mermaid's default `maxTextSize` in characters; a diagram cannot set it itself. */
const MAX_CHARACTERS = 50_000;

/**
 * Exports traces as a sequence diagram of Mermaid: calls and their ends in the order of their times. Other sides' views
 * of a call are left out, with their number in a comment; another comment gives advice if the diagram is larger than
 * Mermaid's default limit. Every text is escaped, so that none can end its line or the diagram.
 */
export async function* exportMermaid(source: Pick<ExportSource, 'trees'>): AsyncGenerator<string, void> {
  const lines = await Promise.resolve([...listLines(source)]);
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  if (size > MAX_CHARACTERS)
    yield `%% These are ${size} characters: set maxTextSize in the configuration of Mermaid, which draws ${MAX_CHARACTERS} by default\n`;
  yield* lines;
}

function* listLines(source: Pick<ExportSource, 'trees'>): Generator<string, void> {
  const actors = nameActors(source);
  yield 'sequenceDiagram\n';
  for (const [actor, alias] of actors) yield `  participant ${alias} as ${escape(actor ?? 'client')}\n`;
  for (const tree of source.trees) {
    const calls = [...walkCalls([tree])];
    const shown = calls.filter(node => !node.isView);
    if (source.trees.length > 1) yield noteOver(actors, shown[0], `Trace ${tree.trace}`);
    const views = calls.length - shown.length;
    if (views > 0)
      yield `  %% Left out as recordings of the same call on another side: ${showCount(views)} of ${countOf(calls.length, 'call')}\n`;
    for (const step of orderSteps(shown)) yield printStep(step, actors);
  }
}

/** The names of participants in the diagram; an agent with the same name as the client is a different participant. */
type Actors = ReadonlyMap<Participant, string>;

function nameActors({ trees }: Pick<ExportSource, 'trees'>): Actors {
  const actors = new Map<Participant, string>();
  for (const node of walkCalls(trees))
    if (!node.isView)
      for (const actor of [callerOf(node), node.call.agent])
        if (!actors.has(actor)) actors.set(actor, `p${actors.size}`);
  return actors;
}

interface Step {
  readonly node: CallNode;
  readonly isEnd: boolean;
  readonly at: number;
}

/** Beginnings and ends by their times; at equal times, nested as the calls are. */
function orderSteps(calls: readonly CallNode[]): readonly Step[] {
  const steps: Step[] = [];
  const open: CallNode[] = [];
  const close = (until: CallNode | undefined): void => {
    while (open.length > 0 && open.at(-1) !== until) {
      const node = open.pop();
      if (node?.duration !== undefined) steps.push({ node, isEnd: true, at: node.call.at + node.duration });
    }
  };
  for (const node of calls) {
    close(findShown(node.parent));
    steps.push({ node, isEnd: false, at: node.call.at });
    open.push(node);
  }
  close(undefined);
  return steps.sort((one, other) => one.at - other.at);
}

/** The nearest ancestor that is shown. */
function findShown(node: CallNode | undefined): CallNode | undefined {
  let at = node;
  while (at?.isView) at = at.parent;
  return at;
}

function printStep({ node, isEnd }: Step, actors: Actors): string {
  const caller = actors.get(callerOf(node)) ?? '';
  const agent = actors.get(node.call.agent) ?? '';
  if (!isEnd) return `  ${caller}->>${agent}: ${escape(node.call.title)}\n`;
  const arrow = node.status === 'ok' ? '-->>' : '--x';
  return `  ${agent}${arrow}${caller}: ${escape(describeOutcome(node))}\n`;
}

function noteOver(actors: Actors, first: CallNode | undefined, words: string): string {
  const actor = first && actors.get(callerOf(first));
  return actor === undefined ? '' : `  Note over ${actor}: ${escape(words)}\n`;
}

/**
 * Escapes a text so that Mermaid shows it literally: everything but letters, digits and plain punctuation by
 * its code. White space alone is quoted, to be visible.
 */
function escape(text: string): string {
  const shown = text.trim() === '' ? quote(text) : showOnOneLine(text);
  return shown
    .replace(/[^\p{L}\p{N} .,_/·()'?!*+=-]/gu, character => `#${character.codePointAt(0) ?? 0};`)
    .replace(/\bend\b/gi, word => `#${word.charCodeAt(0)};${word.slice(1)}`);
}
