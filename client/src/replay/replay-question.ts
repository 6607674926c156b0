import { QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import { countOf } from '../../../core/text/count.ts';
import type { ReplayPlan } from '../../../trace/replay/replay.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { AgentInfo } from '../agent-service.ts';
import { describeAddress } from '../describe-address.ts';
import { formatDuration } from '../../../trace/words.ts';
import { findReceivers } from './receivers.ts';
import { listScopes, type ReplayQuestion, type ReplayScope } from './replay-words.ts';
import { pickItem } from '../sinks/quick-input.ts';
import { askInDialog } from '../messages.ts';

/** One question follows the other: the page from which they were asked may take the focus back in between. */
const STAYS = { ignoreFocusOut: true };

/** Asks what is replayed, where there is a choice. Undefined where the user left. */
export async function askScope(node: CallNode, tree: TraceTree): Promise<ReplayScope | undefined> {
  const items = listScopes(node, tree);
  if (items.length === 1) return 'call';
  const options = { ...STAYS, title: 'Replay what?', matchOnDescription: true };
  return (await pickItem(items, options))?.scope;
}

/** Who gets the requests: for each the agent of the recorded name, or one for all. */
export type Receiver = 'recorded' | AgentInfo;

/** Asks who gets the requests of a plan. Undefined where the user left. */
export async function askReceiver(
  plan: ReplayPlan,
  agents: readonly AgentInfo[],
): Promise<Receiver | undefined> {
  const names = [...new Set(plan.requests.map(({ recorded }) => recorded.call.agent))];
  const missing = names.filter(name => !agents.some(agent => agent.name === name));
  const found = names.filter(name => !missing.includes(name));
  const same: ReceiverItem[] =
    found.length === 0
      ? []
      : [
          {
            label: found.length === 1 ? 'The same agent' : 'The same agents',
            description: found.join(', '),
            ...(missing.length === 0 ? {} : { detail: `Not in the agents file: ${missing.join(', ')}` }),
            iconPath: new ThemeIcon('history'),
            receiver: 'recorded',
          },
        ];
  // One that gets all requests anyway is no other one.
  const others = names.length === 1 ? agents.filter(({ name }) => !found.includes(name)) : agents;
  const items = [
    ...same,
    { label: 'another agent', kind: QuickPickItemKind.Separator },
    ...others.map(agent => toItem(agent, plan, agents)),
  ];
  const only = missing.length === names.length ? `; ${names.join(', ')} is not in the agents file` : '';
  const picked = await pickItem(items, {
    ...STAYS,
    title: `Replay ${countOf(plan.requests.length, 'request')} to which agent?`,
    placeHolder: `An agent of another protocol is asked by conversion${only}`,
    matchOnDescription: true,
  });
  return picked?.receiver;
}

interface ReceiverItem extends QuickPickItem {
  readonly receiver?: Receiver;
}

function toItem(agent: AgentInfo, plan: ReplayPlan, agents: readonly AgentInfo[]): ReceiverItem {
  const { sendings } = findReceivers(plan, agents, agent);
  const all = plan.requests.length;
  return {
    label: agent.name,
    description: `${agent.protocol} · ${describeAddress(agent)}`,
    ...(sendings.length === all ? {} : { detail: `${sendings.length} of ${all} can be converted for it` }),
    iconPath: new ThemeIcon('radio-tower'),
    receiver: agent,
  };
}

/** When the requests of a replay go out: each as soon as the one before has its reply, or at their recorded distances. */
export type ReplayPace = 'none' | 'recorded';

/** Asks for the pace of requests, where there are several. Undefined where the user left. */
export async function askPace(plan: Pick<ReplayPlan, 'requests'>): Promise<ReplayPace | undefined> {
  const [first, ...others] = plan.requests;
  const last = others.at(-1);
  if (!first || !last) return 'none';
  const span = formatDuration(last.recorded.call.at - first.recorded.call.at);
  const items: (QuickPickItem & { readonly pace: ReplayPace })[] = [
    {
      label: 'As fast as possible',
      detail: 'Each request goes out when the one before it has its reply',
      pace: 'none',
    },
    {
      label: 'With the recorded pauses',
      description: `the last one after ${span}`,
      detail: 'No request goes out sooner after the first one than it was recorded',
      pace: 'recorded',
    },
  ];
  return (
    await pickItem(items, {
      ...STAYS,
      title: `Replay ${countOf(plan.requests.length, 'request')} how fast?`,
    })
  )?.pace;
}

/** Asks before anything is sent. */
export async function confirm({ question, detail, button }: ReplayQuestion): Promise<boolean> {
  return (await askInDialog(question, detail, button)) === button;
}
