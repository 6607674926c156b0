import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { stateOf } from '../../../trace/fold/call-state.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import { holdsText, listWords, partsHold } from '../../../trace/search.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { quote } from '../../../core/text/quote.ts';
import { EXIT } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { openTraces, reportLost, type OpenedTraces } from '../traces/open-traces.ts';
import { printTree } from '../traces/print-tree.ts';
import { HEADER_OPTION, openJaeger } from '../traces/servers.ts';
import { FORMAT_OPTION, onlyPath, type Command } from './command.ts';

/** `parley trace show`: prints the traces of a file, or one trace of a Jaeger server, as trees. */
export const showTraces: Command = {
  name: 'trace show',
  usage: 'FILE | --jaeger URL ID',
  summary: 'Shows the traces of a file as trees.',
  options: [
    { name: 'jaeger', value: 'URL', summary: 'The Jaeger server whose trace with that id is shown.' },
    HEADER_OPTION,
    {
      name: 'find',
      value: 'TEXT',
      summary: 'Shows only the calls that contain this text, in their payloads or in their details.',
    },
    { name: 'parts', summary: 'Shows the reply of each call, part by part.' },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const path = onlyPath('trace show', line);
    const jaeger = line.option('jaeger');
    const opened =
      jaeger === undefined
        ? await openTraces(terminal, path)
        : await openJaeger(terminal, line, jaeger, path);
    if (!opened) return EXIT.findings;
    const parts = line.has('parts') ? (node: CallNode) => partsOf(opened, node) : undefined;
    const text = line.option('find');
    const shown = text === undefined ? undefined : await findCalls(opened, text.toLowerCase());
    if (line.option('format') === 'json') terminal.out(printJson(await listTraces(opened, parts, shown)));
    else if (opened.trees.length === 0) terminal.out(`There are no calls in '${path}'\n`);
    else if (shown?.size === 0) terminal.out(`No call in '${path}' holds ${quote(text ?? '')}\n`);
    else
      for (const tree of shown?.keys() ?? opened.trees)
        for await (const printed of printTree(tree, parts, shown?.get(tree))) terminal.out(printed);
    return reportLost(terminal, opened) ? EXIT.fine : EXIT.findings;
  },
};

type ReadParts = (node: CallNode) => Promise<ReplyParts>;

async function partsOf(opened: OpenedTraces, { call, status }: CallNode): Promise<ReplyParts> {
  const payload = await opened.payload(call.call);
  return readParts(ALL_PROTOCOLS.find(call.protocol), payload, status === 'open' ? 'open' : 'ended');
}

/** The calls that contain a text, by trace. Traces without such a call are left out. */
type FoundCalls = ReadonlyMap<TraceTree, ReadonlySet<CallNode>>;

async function findCalls(opened: OpenedTraces, text: string): Promise<FoundCalls> {
  const found = new Map<TraceTree, ReadonlySet<CallNode>>();
  for (const tree of opened.trees) {
    const calls = new Set<CallNode>();
    for (const node of walkCalls([tree])) {
      const isMatch = listWords(node).some(words => words.toLowerCase().includes(text));
      const isFound =
        isMatch ||
        holdsText(node, await opened.lost.payload(node.call.call), text) ||
        partsHold(await partsOf(opened, node), text);
      if (isFound) calls.add(node);
    }
    if (calls.size > 0) found.set(tree, calls);
  }
  return found;
}

async function listTraces(
  { trees }: OpenedTraces,
  parts: ReadParts | undefined,
  shown: FoundCalls | undefined,
): Promise<readonly object[]> {
  const list: object[] = [];
  for (const tree of shown?.keys() ?? trees) {
    const calls: object[] = [];
    for (const node of shown?.get(tree) ?? walkCalls([tree])) {
      const protocol = ALL_PROTOCOLS.find(node.call.protocol)?.facts.name ?? 'other';
      calls.push({ ...stateOf(node), protocol, ...(parts ? { reply: await parts(node) } : {}) });
    }
    list.push({ trace: tree.trace, calls });
  }
  return list;
}
