import { decodeBase64 } from '../../core/text/base64.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import { escapeMarkdown, fenceCode } from '../../core/text/markup.ts';
import { showInvisible, showOnOneLine } from '../../core/text/quote.ts';
import { showCycleOf } from '../../core/events/recursion-guard.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';
import { hasFailed } from '../graph/whole-calls.ts';
import { describeCode, describeOutcome, describeTokens, formatDuration } from '../words.ts';
import { cutText } from './cut-text.ts';
import { joinPayload, type PayloadText } from './payload-text.ts';
import { countParts, findReplyParts, printReplyParts } from './reply-parts.ts';
import { findOwnExchange } from '../own-exchange.ts';
import { callerOf, walkCalls, type ExportSource } from './source.ts';

/** The limits of a text for a model. */
interface MarkdownLimits {
  /** The number of calls that are listed. */
  readonly calls: number;
  /** The number of characters of one request or reply. */
  readonly payload: number;
  /** The number of characters of all requests and replies. */
  readonly payloads: number;
  /** The number of characters of a note or a message. */
  readonly words: number;
}

const LIMITS: MarkdownLimits = { calls: 500, payload: 2_000, payloads: 60_000, words: 500 };

/** The maximum depth that is indented; lines of deeper calls have their depth in words. */
const DEEPEST_INDENT = 10;

/**
 * Exports traces as Markdown for pasting into a model: the calls with callers and outcomes, then requests and replies,
 * those of failed calls first. Cuts are marked with their size. Texts of agents are fenced or escaped.
 */
export async function* exportMarkdown(
  source: ExportSource,
  limits: MarkdownLimits = LIMITS,
): AsyncGenerator<string, void> {
  let limiter = limits.payloads;
  for (const [index, tree] of source.trees.entries()) {
    const calls = [...walkCalls([tree])];
    const listed = calls.slice(0, limits.calls);
    yield `${index === 0 ? '' : '\n'}${printHead(tree, calls, limits)}`;
    for (const node of listed) yield printLine(node, limits);
    if (calls.length > listed.length) yield `\n${calls.length - listed.length} more calls are left out.\n`;
    yield '\n## Requests and replies\n';
    let left = 0;
    for (const node of byInterest(listed)) {
      const { text, used } = await printPayload(node, source, limits, limiter);
      limiter -= used;
      if (text === undefined) left++;
      else yield text;
    }
    if (left > 0)
      yield `\nRequests and replies of ${left === 1 ? '1 more call' : `${showCount(left)} more calls`} are left out to keep this short.\n`;
  }
}

function printHead(tree: TraceTree, calls: readonly CallNode[], { words }: MarkdownLimits): string {
  const agents = new Set(calls.map(({ call }) => call.agent));
  const failed = calls.filter(({ status }) => status === 'error').length;
  const [first] = calls;
  const input = sum(calls, node => node.usage?.input);
  const output = sum(calls, node => node.usage?.output);
  const tokens = input + output > 0 ? `, ${countOf(input, 'token')} in and ${showCount(output)} out` : '';
  const facts = `${countOf(calls.length, 'call')} to ${countOf(agents.size, 'agent')}, ${showCount(failed)} failed${tokens}`;
  return `# Trace ${escapeMarkdown(showOnOneLine(cutText(first?.call.title ?? tree.trace, words)))}\n\n${facts}. Secrets are replaced by [redacted].\n\n## Calls\n\n`;
}

function sum(calls: readonly CallNode[], value: (node: CallNode) => number | undefined): number {
  return calls.reduce((total, node) => total + (value(node) ?? 0), 0);
}

function printLine(node: CallNode, { words }: MarkdownLimits): string {
  const level = levelOf(node);
  const indent = '  '.repeat(Math.min(level, DEEPEST_INDENT));
  const { call, usage, message, notes, parentage } = node;
  const cycle = showCycleOf(node);
  const line = (text: string): string => escapeMarkdown(showOnOneLine(cutText(text, words)));
  const facts = [
    describeOutcome(node),
    ...[describeTokens(usage), usage?.model === undefined ? undefined : `model ${line(usage.model)}`].filter(
      fact => fact !== undefined,
    ),
    ...(level > DEEPEST_INDENT ? [`${level} calls deep`] : []),
    ...(parentage === 'inferred' ? ['caller inferred'] : []),
    ...(cycle === undefined ? [] : [`cycle ${cycle}`]),
  ];
  const code = describeCode(node);
  const remarks = [
    ...(code === undefined ? [] : [code]),
    ...(message === undefined ? [] : [message]),
    ...notes,
  ];
  const caller = callerOf(node);
  const sides = `${caller === undefined ? '' : `${line(caller)} → `}${line(call.agent)}`;
  return [
    `${indent}- **${line(call.title)}** ${sides}: ${line(facts.join(', '))}`,
    ...remarks.map(remark => `${indent}  - ${line(remark)}`),
    '',
  ].join('\n');
}

function levelOf(node: CallNode): number {
  let level = 0;
  for (let at = node.parent; at && level < 1000; at = at.parent) level++;
  return level;
}

/** Puts failed calls first, because questions are usually about them. */
function byInterest(calls: readonly CallNode[]): readonly CallNode[] {
  return [...calls.filter(hasFailed), ...calls.filter(node => !hasFailed(node))];
}

interface PrintedPayload {
  /** Undefined if there is no capacity left; empty if no payload is stored. */
  readonly text: string | undefined;
  readonly used: number;
}

async function printPayload(
  node: CallNode,
  source: ExportSource,
  limits: MarkdownLimits,
  limiter: number,
): Promise<PrintedPayload> {
  const payload = await source.payload(node.call.call);
  const own = findOwnExchange(payload, source.protocols.find(node.call.protocol));
  const replied = findReplyParts(node, payload, source.protocols);
  const reply = replied
    ? ([
        `Reply, in ${countOf(countParts(replied.parts), 'part')}`,
        { text: printReplyParts(replied) },
      ] as const)
    : (['Reply', joinPayload(own.reply, 'in')] as const);
  const parts = [['Request', joinPayload(own.request, 'out')] as const, reply].flatMap(([title, text]) =>
    text ? [`\n${title}:\n\n${fencePayload(text, limits)}\n`] : [],
  );
  if (parts.length === 0) return { text: '', used: 0 };
  const used = parts.reduce((total, part) => total + part.length, 0);
  if (used > limiter) return { text: undefined, used: 0 };
  const title = escapeMarkdown(
    showOnOneLine(cutText(`${node.call.title} (${node.call.agent})`, limits.words)),
  );
  const took = node.duration === undefined ? '' : `, ${formatDuration(node.duration)}`;
  return { text: `\n### ${title}${took}\n${parts.join('')}`, used };
}

function fencePayload(payload: PayloadText, { payload: most }: MarkdownLimits): string {
  if ('base64' in payload)
    return `${countOf(decodeBase64(payload.base64)?.length ?? 0, 'byte')} of binary data.`;
  const text = cutText(payload.text, most);
  return fenceCode(showInvisible(text.replaceAll('\r\n', '\n')).trimEnd(), '');
}
