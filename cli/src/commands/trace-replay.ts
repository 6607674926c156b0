import { connectAgent } from '../../../agents/all.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { replayCalls, type ReplayOutcome } from '../traces/replay.ts';
import type { TraceFileWriter } from '../../../agents/store/trace-file.ts';
import { quote, showOnOneLine } from '../../../core/text/quote.ts';
import { isSame } from '../../../trace/diff/diff.ts';
import { printDiff } from '../../../trace/diff/diff-words.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import type { ReplayedTrace } from '../../../trace/replay/replay.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { EXIT, UsageError } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { findAgent, loadAgents, printFaults, type AgentsSource } from '../sending/agents-source.ts';
import { listVariables } from '../sending/cli-variables.ts';
import { checkConsent } from '../sending/consent.ts';
import { DemoSource } from '../sending/demo-source.ts';
import type { Terminal } from '../terminal.ts';
import { openTraces, reportLost, type OpenedTraces } from '../traces/open-traces.ts';
import { RecordedSecrets } from '../traces/recorded-secrets.ts';
import { closing, codeOf, openTraceOut } from '../traces/trace-out.ts';
import { ALLOWED_AGENTS_OPTION, FORMAT_OPTION, onlyPath, type Command, type CommandLine } from './command.ts';
import { listCallDiffs } from './trace-diff.ts';

/** `parley trace replay`: sends recorded requests again. Exits 1 if a reply differs from the recorded one. */
export const replayFile: Command = {
  name: 'trace replay',
  usage: 'FILE',
  summary: 'Sends the recorded requests again and compares the replies with the recorded ones.',
  options: [
    {
      name: 'agent',
      value: 'NAME',
      summary: 'Allows an agent and sends all requests to it, instead of to those of the recorded names.',
    },
    ALLOWED_AGENTS_OPTION,
    { name: 'call', value: 'ID', summary: 'The call to send again, with the calls below it.' },
    {
      name: 'gaps',
      value: 'none|recorded',
      values: ['none', 'recorded'],
      summary: 'Whether requests are sent with the recorded pauses between them; without pauses if left out.',
    },
    {
      name: 'secret',
      value: 'NAME=VARIABLE',
      isRepeatable: true,
      summary: 'The environment variable with a secret of the requests; recordings contain no secrets.',
    },
    { name: 'out', value: 'FILE', summary: 'The file that takes the trace of the replay.' },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const path = onlyPath('trace replay', line);
    const opened = await openTraces(terminal, path);
    if (!opened) return EXIT.findings;
    const traces = findTraces(opened, line.option('call'));
    const secrets = new RecordedSecrets(terminal, line.options('secret'));
    const agents = await loadAgents(terminal, line.option('agents'), path);
    const out = line.option('out');
    const file = out === undefined ? undefined : await openTraceOut(terminal, out);
    const demo = new DemoSource(terminal);
    const closed = await closing(terminal, file ?? NO_FILE, async () => {
      try {
        const outcome = await send({ terminal, line, agents, opened, demo, file, secrets }, traces);
        const code = report(terminal, line, outcome);
        return reportLost(terminal, opened) ? code : EXIT.findings;
      } finally {
        await demo.close();
      }
    });
    return codeOf(closed);
  },
};

/** All traces of a file, or the call of `--call`. Throws a UsageError for an unknown id. */
function findTraces({ trees }: OpenedTraces, id: string | undefined): readonly ReplayedTrace[] {
  if (id === undefined) return trees;
  for (const node of walkCalls(trees))
    if (node.call.call === id) return [{ trace: node.call.trace, roots: [node] }];
  throw new UsageError(
    `There is no call ${quote(id)} in the file; 'parley trace show FILE --format json' lists their ids`,
  );
}

/** Used without `--out`: nothing is written, so no events are missing. */
const NO_FILE = { close: () => Promise.resolve(undefined) };

interface Run {
  readonly terminal: Terminal;
  readonly line: CommandLine;
  readonly agents: AgentsSource;
  readonly opened: OpenedTraces;
  readonly demo: DemoSource;
  readonly file: TraceFileWriter | undefined;
  readonly secrets: RecordedSecrets;
}

/** Replays the calls. Throws a UsageError if nothing was sent, because an agent is unknown or cannot be opened. */
async function send(
  { terminal, line, agents, opened, demo, file, secrets }: Run,
  traces: readonly ReplayedTrace[],
): Promise<Extract<ReplayOutcome, { ok: true }>> {
  const wanted = new Set<string>();
  const named = line.option('agent');
  const consent = { line, agents, named: named === undefined ? [] : [named] };
  const outcome = await replayCalls(
    traces,
    call => opened.payload(call),
    {
      protocols: ALL_PROTOCOLS,
      connect: connectAgent,
      agentOf: ({ recorded }) => findAgent(agents, named ?? recorded.call.agent),
      checkConsent: used => {
        checkConsent(consent, used);
        printFaults(terminal, agents, used);
      },
      variables: listVariables(terminal, agents.workspaceFolder, demo, wanted),
      secretOf: need => secrets.valueOf(need),
      secretAdvice: need => secrets.advice(need),
      gaps: line.option('gaps') === 'recorded' ? 'recorded' : 'none',
      emit: event => file?.write(event),
      note: (recorded, text) => terminal.err(`${labelOf(recorded)}: note: ${showOnOneLine(text)}\n`),
    },
    terminal.catchInterrupts(),
  );
  if (outcome.ok) return outcome;
  const advice = wanted.size === 0 ? '' : `; on the command line set ${[...wanted].join(', ')}`;
  throw new UsageError(`${outcome.message}${advice}`);
}

function report(
  terminal: Terminal,
  line: CommandLine,
  outcome: Extract<ReplayOutcome, { ok: true }>,
): number {
  const { plan, replayed } = outcome;
  for (const { recorded, reason } of plan.refused)
    terminal.err(`${labelOf(recorded)}: not sent: ${reason}\n`);
  if (plan.made > 0)
    terminal.err(`${plan.made} more of the recorded calls were made by agents: they were not sent again\n`);
  const { diff } = replayed;
  if (line.option('format') === 'json')
    terminal.out(printJson({ counts: diff.counts, calls: listCallDiffs(diff.roots) }));
  else if (replayed.calls.length > 0) for (const text of printDiff(diff)) terminal.out(`${text}\n`);
  if (replayed.calls.length > 0) return isSame(diff) ? EXIT.fine : EXIT.findings;
  terminal.err('There is no request in it that can be sent again\n');
  return EXIT.findings;
}

function labelOf({ call }: CallNode): string {
  return showOnOneLine(`${call.agent} ${call.title}`);
}
