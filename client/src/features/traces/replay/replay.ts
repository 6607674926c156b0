import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { ProgressLocation } from 'vscode';
import { quote } from '../../../../../core/text/quote.ts';
import { countCalls } from '../../../../../trace/graph/count-calls.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import {
  planReplay,
  type Replayed,
  type ReplayedCall,
  type ReplayPlan,
} from '../../../../../trace/replay/replay.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { formatDuration } from '../../../../../trace/words.ts';
import type { AgentService } from '../../../services/agent-service.ts';
import { defer } from '../../../base/deferred.ts';
import { showError, showInformation, showWarning, withProgress } from '../../../window/messages.ts';
import { withStatus } from '../../../window/progress.ts';
import type { CallPlace } from '../../../trace/trace-source.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../../../base/trust.ts';
import { findReceivers, type Sendings } from './receivers.ts';
import { showReplay } from './replay-comparison.ts';
import { askPace, askReceiver, askScope, confirm, type ReplayPace } from './replay-question.ts';
import { findSecrets } from './replay-secrets.ts';
import { ReplayRun } from './replay-run.ts';
import { describeQuestion, describeResult, describeUnsent, type ReplayScope } from './replay-words.ts';
import type { TracesParts } from '../parts.ts';

/** The options of a replay. Missing ones are asked for. */
export interface ReplayChoice {
  readonly scope?: ReplayScope;
  /** The agent for all requests, or each agent by its recorded name. */
  readonly agent?: 'recorded' | { readonly name: string };
  /** The pace; without questions the default is as fast as possible. */
  readonly pace?: ReplayPace;
  /** Whether the user must confirm before anything is sent. */
  readonly question: 'asked' | 'unasked';
}

/** The result of a replay: a summary of the comparison, and the ids of its calls. */
export interface ReplayReport {
  readonly summary: string;
  readonly calls: readonly string[];
}

/**
 * Sends recorded requests again: of a call, of a call with the calls below it, or of its trace, to the same
 * agents or another one. Then shows the comparison with the recording. Returns undefined if nothing was sent,
 * after a message unless the user cancelled.
 */
export async function replayFrom(
  services: TracesParts,
  place: CallPlace,
  choice: ReplayChoice,
): Promise<ReplayReport | undefined> {
  const { agents } = services;
  if (!agents || !maySend()) return showWarning(agents ? UNTRUSTED : IN_BROWSER);
  const { source, call } = place;
  const [node, tree] = [source.find(call), source.treeOf(call)];
  if (!node || !tree) return showWarning('This call is no longer stored.');
  const scope = choice.scope ?? (await askScope(node, tree));
  if (!scope) return undefined;
  const reading = planReplay(
    [{ trace: tree.trace, roots: scope === 'trace' ? tree.roots : [node] }],
    new LostPayloads(source).beginning,
    { newId: () => crypto.randomUUID(), protocols: ALL_PROTOCOLS },
  );
  const plan = await withStatus('Reading the recorded requests', reading);
  if (plan.requests.length === 0) return showWarning(describeNothing(plan.refused));
  const sendings = await chooseReceivers(agents, plan, choice);
  if (!sendings) return undefined;
  if (sendings.sendings.length === 0) return showWarning(describeNothing(sendings.unsent));
  const isAsked = choice.question === 'asked';
  const pace = choice.pace ?? (isAsked ? await askPace(plan) : 'none');
  if (!pace) return undefined;
  if (isAsked && !(await confirm(describeQuestion(sendings, plan.made)))) return undefined;
  const replayed = await send(services, agents, place, { ...sendings, made: plan.made, pace });
  if (!replayed) return undefined;
  return report(services, place, scope, replayed);
}

async function chooseReceivers(
  agents: AgentService,
  plan: ReplayPlan,
  choice: ReplayChoice,
): Promise<Sendings | undefined> {
  const { agents: infos } = await agents.list();
  const { agent } = choice;
  if (agent === 'recorded') return findReceivers(plan, infos, undefined);
  const named = agent && infos.find(({ name }) => name === agent.name);
  if (agent && !named) return showWarning(`The agents file has no agent ${quote(agent.name)}.`);
  const receiver = named ?? (await askReceiver(plan, infos));
  return receiver && findReceivers(plan, infos, receiver === 'recorded' ? undefined : receiver);
}

interface Sent {
  readonly run: ReplayRun;
  readonly replayed: Replayed;
  readonly all: number;
}

/**
 * Prepares the agents (consent and secrets), then sends. Returns undefined if an agent cannot be called or
 * the user cancels.
 */
async function send(
  services: TracesParts,
  agents: AgentService,
  place: CallPlace,
  sendings: Sendings & Pick<ReplayPlan, 'made'> & { readonly pace: ReplayPace },
): Promise<Sent | undefined> {
  const stop = new AbortController();
  for (const name of new Set(sendings.sendings.map(({ agent }) => agent.name))) {
    const problem = await agents.prepare(name, stop.signal);
    if (problem && problem.status !== 'cancelled') showError(problem.message ?? `${name} cannot be called.`);
    if (problem) return undefined;
  }
  const secrets = await findSecrets(agents, sendings.sendings);
  if (!secrets) return undefined;
  const all = sendings.sendings.length;
  const run = new ReplayRun(services, agents, place, { ...sendings, secrets });
  const options = { location: ProgressLocation.Notification, title: 'Replaying', cancellable: true };
  const replayed = await withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => stop.abort());
    return run.run(stop, {
      sends: (number, { agent, title }) =>
        progress.report({ message: `${number} of ${all}: ${agent} ${title}`, increment: 100 / all }),
      waits: time => progress.report({ message: `the next request is sent in ${formatDuration(time)}` }),
    });
  });
  return { run, replayed, all };
}

async function report(
  services: TracesParts,
  place: CallPlace,
  scope: ReplayScope,
  { run, replayed, all }: Sent,
): Promise<ReplayReport> {
  if (scope !== 'call') await waitForBelow(services, place, replayed.calls);
  const shown = await showReplay(services, place, replayed, {
    extent: scope === 'call' ? 'alone' : 'withBelow',
    reasonOf: recorded => run.reasonOf(recorded),
  });
  const calls = replayed.calls.flatMap(each => each.replayed?.call.call ?? []);
  const [first] = calls;
  const ways = new Map<string, () => unknown>();
  if (first !== undefined) ways.set('Show replay', () => services.timeline.show(first));
  const summary = describeResult(calls.length, all, shown);
  if (calls.length === all) showInformation(summary, ways);
  else showWarning(summary, ways);
  return { summary, calls };
}

/**
 * Waits until recordings have reported the calls that the agents made, which arrive shortly after the reply.
 * The recorded side can also still grow if its trace is of this window.
 */
async function waitForBelow(
  { traces, source: live }: TracesParts,
  { source }: CallPlace,
  calls: readonly ReplayedCall[],
): Promise<void> {
  const count = (side: 'recorded' | 'replayed'): number =>
    calls.reduce((sum, { [side]: call }) => sum + countCalls(call?.children ?? []), 0);
  if (source !== live && count('recorded') === 0) return;
  const over = defer<undefined>();
  const most = setTimeout(() => over.resolve(undefined), MAX_WAIT);
  const waitForQuiet = (): NodeJS.Timeout =>
    setTimeout(() => {
      if (count('replayed') >= count('recorded')) over.resolve(undefined);
    }, QUIET);
  let quiet = waitForQuiet();
  const listening = traces.onDidChange(() => {
    clearTimeout(quiet);
    quiet = waitForQuiet();
  });
  await over.promise;
  listening.dispose();
  clearTimeout(most);
  clearTimeout(quiet);
}

/**
 * Milliseconds without a new event that end the wait, and its maximum: other agents may be busy, or a
 * recording may be off.
 */
const QUIET = 400;
const MAX_WAIT = 3000;

function describeNothing(
  unsent: readonly { readonly recorded: CallNode; readonly reason: string }[],
): string {
  const [first, ...others] = unsent;
  if (!first) return 'Nothing in it is a request that can be sent again.';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `Nothing of it can be sent again. ${describeUnsent(first.recorded, first.reason)}${more}.`;
}
