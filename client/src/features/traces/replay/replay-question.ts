import { QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import type { ReplayPlan } from '../../../../../trace/replay/replay.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import type { AgentInfo } from '../../../services/agent-service.ts';
import { describeAddress } from '../../../services/describe-address.ts';
import { formatDuration } from '../../../../../trace/words.ts';
import { findReceivers } from './receivers.ts';
import { listScopes, type ReplayQuestion, type ReplayScope } from './replay-words.ts';
import { pickItem } from '../../../window/sinks/quick-input.ts';
import { askInDialog } from '../../../window/messages.ts';

/** Keeps a picker open without the focus, because the page may take the focus back between questions. */
const STAYS = { ignoreFocusOut: true };

/** Asks for the scope of a replay if there is a choice. Returns undefined if the user cancels. */
export async function askScope(node: CallNode, tree: TraceTree): Promise<ReplayScope | undefined> {
  const items = listScopes(node, tree);
  if (items.length === 1) return 'call';
  const options = { ...STAYS, title: 'Replay what?', matchOnDescription: true };
  return (await pickItem(items, options))?.scope;
}

/** The receiver of requests: the agent of each recorded name, or one agent for all. */
export type Receiver = 'recorded' | AgentInfo;

/** Asks for the receiver of a plan's requests. Returns undefined if the user cancels. */
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
  // The only recorded agent is already offered as the same agent.
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
    placeHolder: `Requests to an agent of another protocol are converted${only}`,
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

/** The pace of a replay: each request after the reply to the previous one, or with the recorded pauses. */
export type ReplayPace = 'none' | 'recorded';

/** Asks for the pace if there are several requests. Returns undefined if the user cancels. */
export async function askPace(plan: Pick<ReplayPlan, 'requests'>): Promise<ReplayPace | undefined> {
  const [first, ...others] = plan.requests;
  const last = others.at(-1);
  if (!first || !last) return 'none';
  const span = formatDuration(last.recorded.call.at - first.recorded.call.at);
  const items: (QuickPickItem & { readonly pace: ReplayPace })[] = [
    {
      label: 'As fast as possible',
      detail: 'Each request is sent when the one before it has its reply',
      pace: 'none',
    },
    {
      label: 'With the recorded pauses',
      description: `the last one after ${span}`,
      detail: 'Each request waits as long after the first one as it did in the recording',
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

/** Asks for confirmation before anything is sent. */
export async function confirm({ question, detail, button }: ReplayQuestion): Promise<boolean> {
  return (await askInDialog(question, detail, button)) === button;
}
