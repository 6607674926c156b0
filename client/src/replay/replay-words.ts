import { describeProtocol } from '../../../trace/words.ts';
import { countOf } from '../../../core/text/count.ts';
import { showOnOneLine } from '../../../core/text/quote.ts';
import { countCalls } from '../../../trace/graph/count-calls.ts';
import { describeNeed, listNeeds } from '../../../trace/replay/replay-secrets.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { AgentInfo } from '../agent-service.ts';
import { describeAddress } from '../describe-address.ts';
import { holesFor, type Sending, type Sendings } from './receivers.ts';

/** Lines of a kind that a question shows; it says how many more there are. */
const MOST_LINES = 8;

/** What is replayed: a call, a call with what it led to, or all of its trace. */
export type ReplayScope = 'call' | 'subtree' | 'trace';

/** A row of the list from which the user picks what is replayed. */
interface ScopeRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly scope: ReplayScope;
}

/** What can be replayed from a call: it alone, and more where there is more. */
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
      label: 'This call and what it led to',
      description: countOf(below + 1, 'call'),
      detail: 'Agents make the calls below it themselves; these are compared as well',
      scope: 'subtree',
    });
  const all = countCalls(roots);
  if (all > below + 1)
    rows.push({
      label: 'The whole trace',
      description: countOf(all, 'call'),
      detail: 'The requests that nothing else led to are sent, in their order',
      scope: 'trace',
    });
  return rows;
}

/** What is asked before anything is sent. */
export interface ReplayQuestion {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/** Says what a replay sends to whom, what it does not, and what becomes of it. `made` calls the agents make themselves. */
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

/** A call that is not sent, and why: `booker book.hotel: its request is not UTF-8 text`. */
export function describeUnsent({ call }: CallNode, reason: string): string {
  return `${showOnOneLine(`${call.agent} ${call.title}`)}: ${reason}`;
}

/** How many requests were sent, and what came of them. */
export function describeResult(sent: number, all: number, said: string): string {
  const count = sent === all ? countOf(all, 'request') : `${sent} of ${countOf(all, 'request')}`;
  return `Replayed ${count}. ${said}.`;
}

function describeReceiver(sendings: readonly Sending[]): readonly string[] {
  const [first] = sendings;
  if (!first) return [];
  const { agent } = first;
  const titles = sendings.map(({ request }) => showOnOneLine(request.recorded.call.title));
  const shown = [...new Set(titles)].slice(0, MOST_LINES).join(', ');
  const others = new Set(titles).size > MOST_LINES ? ', …' : '';
  const converted = sendings.filter(({ language }) => language !== undefined);
  const from = [...new Set(converted.map(({ request }) => describeProtocol(request.protocol)))].join(', ');
  const how = converted.length === 0 ? '' : `, converted from ${from}`;
  return [`${countOf(sendings.length, 'request')} to ${describeAgent(agent)}${how}: ${shown}${others}`];
}

/** What is filled in for an agent: `Filled in for figma: the secret 'token'`; undefined where nothing is. */
function describeFilled(agent: AgentInfo, sendings: readonly Sending[]): string | undefined {
  const { holes, count } = holesFor(agent, sendings);
  const needs = listNeeds(holes).map(need =>
    need.kind === 'unnamed' ? `${describeNeed(need)}, which you are asked for` : describeNeed(need),
  );
  if (needs.length === 0) return undefined;
  return `Filled in for ${agent.name}, in ${countOf(count, 'request')}: ${needs.join('; ')}`;
}

/** An agent by its name, what it speaks and where it is. */
function describeAgent(agent: AgentInfo): string {
  return `${agent.name} (${describeProtocol(agent.protocol)}, ${describeAddress(agent)})`;
}

function limit(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`];
}
