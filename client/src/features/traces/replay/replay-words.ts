import { describeProtocol } from '../../../../../trace/words.ts';
import { countOf } from '../../../../../core/text/count.ts';
import { showOnOneLine } from '../../../../../core/text/quote.ts';
import { countCalls } from '../../../../../trace/graph/count-calls.ts';
import { describeNeed, listNeeds } from '../../../../../trace/replay/replay-secrets.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import type { AgentInfo } from '../../../services/agent-service.ts';
import { describeAddress } from '../../../services/describe-address.ts';
import { holesFor, type Sending, type Sendings } from './receivers.ts';

/** The maximum number of lines per list in a question; it states how many more there are. */
const MAX_LINES = 8;

/** The scope of a replay: a call, a call with the calls below it, or its whole trace. */
export type ReplayScope = 'call' | 'subtree' | 'trace';

/** A row in the picker of the scope. */
interface ScopeRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly scope: ReplayScope;
}

/** The scopes that can be replayed from a call: the call alone, and larger ones if they differ. */
export function listScopes(node: CallNode, { roots }: Pick<TraceTree, 'roots'>): readonly ScopeRow[] {
  const rows: ScopeRow[] = [
    {
      label: 'This call',
      description: `${node.call.agent} ${node.call.title}`,
      detail: 'Its reply is compared',
      scope: 'call',
    },
  ];
  const below = countCalls(node.children);
  if (below > 0)
    rows.push({
      label: 'This call and the calls below it',
      description: countOf(below + 1, 'call'),
      detail: 'The agents make the nested calls themselves; their replies are compared too',
      scope: 'subtree',
    });
  const all = countCalls(roots);
  if (all > below + 1)
    rows.push({
      label: 'The whole trace',
      description: countOf(all, 'call'),
      detail: 'Requests without a recorded caller are sent, in their order',
      scope: 'trace',
    });
  return rows;
}

/** The confirmation before sending. */
export interface ReplayQuestion {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/**
 * Describes what a replay sends to whom, what it does not send, and the effects. `made` is the number of
 * calls that the agents make themselves.
 */
export function describeQuestion({ sendings, unsent }: Sendings, made: number): ReplayQuestion {
  const names = [...new Set(sendings.map(({ agent }) => agent.name))];
  const losses = sendings.flatMap(each => each.losses);
  const paragraphs = [
    limit(names.flatMap(name => describeReceiver(sendings.filter(({ agent }) => agent.name === name)))),
    limit(
      [...new Set(sendings.map(each => each.agent))].flatMap(each => describeFilled(each, sendings) ?? []),
    ),
    losses.length === 0
      ? []
      : [`Lost in conversion: ${countOf(losses.length, 'part')}.`, ...limit(losses.map(showOnOneLine))],
    unsent.length === 0
      ? []
      : ['Not sent:', ...limit(unsent.map(each => describeUnsent(each.recorded, each.reason)))],
    made === 0
      ? []
      : [
          `${countOf(made, 'recorded call')} below ${sendings.length === 1 ? 'it' : 'them'}: the agents make such calls themselves.`,
        ],
    [
      `What ${sendings.length === 1 ? 'the request asks' : 'the requests ask'} for is done once more. Credentials in headers are those of the agents file; a recording has none.`,
    ],
  ];
  const count = countOf(sendings.length, 'request');
  return {
    question: `Send ${countOf(sendings.length, 'recorded request')} again?`,
    detail: paragraphs
      .filter(lines => lines.length > 0)
      .map(lines => lines.join('\n'))
      .join('\n\n'),
    button: `Send ${count}`,
  };
}

/** A request that is not sent, with the reason: `booker book.hotel: its request is not UTF-8 text`. */
export function describeUnsent({ call }: CallNode, reason: string): string {
  return `${showOnOneLine(`${call.agent} ${call.title}`)}: ${reason}`;
}

/** The number of sent requests, and the summary of their comparison. */
export function describeResult(sent: number, all: number, summary: string): string {
  const count = sent === all ? countOf(all, 'request') : `${sent} of ${countOf(all, 'request')}`;
  return `Replayed ${count}. ${summary}.`;
}

function describeReceiver(sendings: readonly Sending[]): readonly string[] {
  const [first] = sendings;
  if (!first) return [];
  const { agent } = first;
  const titles = sendings.map(({ request }) => showOnOneLine(request.recorded.call.title));
  const shown = [...new Set(titles)].slice(0, MAX_LINES).join(', ');
  const others = new Set(titles).size > MAX_LINES ? ', …' : '';
  const converted = sendings.filter(({ language }) => language !== undefined);
  const from = [...new Set(converted.map(({ request }) => describeProtocol(request.protocol)))].join(', ');
  const how = converted.length === 0 ? '' : `, converted from ${from}`;
  return [`${countOf(sendings.length, 'request')} to ${describeAgent(agent)}${how}: ${shown}${others}`];
}

/** The secrets filled in for an agent: `Filled in for figma: the secret 'token'`; undefined if there are none. */
function describeFilled(agent: AgentInfo, sendings: readonly Sending[]): string | undefined {
  const { holes, count } = holesFor(agent, sendings);
  const needs = listNeeds(holes).map(need =>
    need.kind === 'unnamed' ? `${describeNeed(need)}, which you enter` : describeNeed(need),
  );
  if (needs.length === 0) return undefined;
  return `Filled in for ${agent.name}, in ${countOf(count, 'request')}: ${needs.join('; ')}`;
}

/** An agent's name, protocol and location. */
function describeAgent(agent: AgentInfo): string {
  return `${agent.name} (${describeProtocol(agent.protocol)}, ${describeAddress(agent)})`;
}

function limit(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}
