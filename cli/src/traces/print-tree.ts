import { countOf } from '../../../core/text/count.ts';
import { quote, showOnOneLine } from '../../../core/text/quote.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import { showCycleOf } from '../../../core/events/recursion-guard.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../../protocols/reply-parts/part.ts';
import { describePartTimes } from '../../../trace/part-words.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { STATUS_WORDS, describeCode, describeOutcome, describeTokens } from '../../../trace/words.ts';

/** Calls below this depth are not indented further; their line begins with the depth. */
const DEEPEST_INDENT = 20;

/**
 * The maximum number of printed characters of a part; longer texts end with an ellipsis. JSON output has the
 * full text.
 */
const LONGEST_TEXT = 80;

/**
 * Yields a trace as lines of text: its name, each call below its caller, and remarks below each call. With
 * `readParts`, also the parts of each reply; with `found`, only these calls and their callers.
 */
export async function* printTree(
  tree: TraceTree,
  readParts?: (node: CallNode) => Promise<ReplyParts>,
  found?: ReadonlySet<CallNode>,
): AsyncGenerator<string, void> {
  const calls = `${tree.size} ${tree.size === 1 ? 'call' : 'calls'}`;
  const shown = found && withCallers(found);
  yield `Trace ${showOnOneLine(tree.trace)}, ${calls}${found ? `, ${found.size} found` : ''}\n`;
  const levels = new Map<CallNode, number>();
  for (const node of walkCalls([tree])) {
    const level = node.parent ? (levels.get(node.parent) ?? 0) + 1 : 1;
    if (node.children.length > 0) levels.set(node, level);
    if (shown && !shown.has(node)) continue;
    const indent = '  '.repeat(Math.min(level, DEEPEST_INDENT));
    const deep = level > DEEPEST_INDENT ? `(${level}) ` : '';
    yield `${indent}${deep}${showOnOneLine(describeCall(node))}\n`;
    for (const remark of listRemarks(node)) yield `${indent}  ${showOnOneLine(remark)}\n`;
    if (!readParts) continue;
    const { parts, notes } = await readParts(node);
    for (const line of [...printParts(parts, node, ''), ...notes.map(note => `note: ${note}`)])
      yield `${indent}  ${showOnOneLine(line)}\n`;
  }
}

function withCallers(found: ReadonlySet<CallNode>): ReadonlySet<CallNode> {
  const shown = new Set<CallNode>();
  for (const node of found)
    for (let at: CallNode | undefined = node; at && !shown.has(at); at = at.parent) shown.add(at);
  return shown;
}

function* printParts(parts: readonly TracePart[], node: CallNode, indent: string): Generator<string, void> {
  for (const part of parts) {
    const { kind, title, status, text, notes, children } = part;
    const content = text === undefined ? '' : ` ${quote(text, LONGEST_TEXT)}`;
    const name = title === '' ? '' : ` ${title}`;
    const word = status === 'ok' ? '' : `, ${STATUS_WORDS[status]}`;
    yield `${indent}part: ${PART_WORDS[kind]}${name}${content}, ${describePartTimes(part, node.call.at)}${word}`;
    for (const note of notes) yield `${indent}  note: ${note}`;
    yield* printParts(children, node, `${indent}  `);
  }
}

function describeCall(node: CallNode): string {
  const { call, usage, parentage, traffic, status } = node;
  const { piecesIn } = traffic;
  const chunks = piecesIn < 2 || status === 'open' ? '' : `, ${countOf(piecesIn, 'chunk')}`;
  const facts = [describeTokens(usage), usage?.model && `model ${usage.model}`].filter(Boolean);
  const tokens = facts.map(fact => `, ${fact}`).join('');
  const caller = parentage === 'inferred' ? ', its caller is inferred' : '';
  const side = node.isView ? ', recorded on another side' : '';
  const back = call.back ? ', request to the caller' : '';
  return `${call.title}  ${call.agent}  ${describeOutcome(node)}${chunks}${tokens}${caller}${side}${back}`;
}

function listRemarks(node: CallNode): readonly string[] {
  const { status, message, notes } = node;
  const cycle = showCycleOf(node);
  const code = describeCode(node);
  const reason = [code, message].filter(part => part !== undefined).join(': ');
  return [
    ...(reason === '' || status === 'ok' ? [] : [`failed: ${reason}`]),
    ...(cycle === undefined ? [] : [`cycle: ${cycle}`]),
    ...notes.map(note => `note: ${note}`),
  ];
}
