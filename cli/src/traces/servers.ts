import { batchesOf, sendSpans } from '../../../agents/collector/otlp-sender.ts';
import { fetchJaegerTrace } from '../../../agents/collector/jaeger.ts';
import { resolveTarget, type TraceTarget } from '../../../agents/collector/target.ts';
import { readTraceId } from '../../../trace/import/jaeger-link.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import type { CommandLine, OptionRow } from '../commands/command.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { DemoSource } from '../sending/demo-source.ts';
import { listVariables } from '../sending/cli-variables.ts';
import type { Terminal } from '../terminal.ts';
import { foldTraces, type OpenedTraces } from './open-traces.ts';

/** The `--header` option, for credentials of a trace server. */
export const HEADER_OPTION: OptionRow = {
  name: 'header',
  value: 'NAME:VALUE',
  isRepeatable: true,
  summary:
    'A header for that server; ${env:X} and ${secret:X} stand for values that the shell should not see.',
};

/** Reads a trace from a Jaeger server by its id. Returns undefined if that fails, after reporting it. */
export async function openJaeger(
  terminal: Terminal,
  line: CommandLine,
  url: string,
  id: string,
): Promise<OpenedTraces | undefined> {
  const trace = readTraceId(id);
  if (trace === undefined)
    throw new UsageError(`'${id}' is not a trace id; it has up to 32 hexadecimal digits`);
  const target = await findTarget(terminal, line, url);
  const imported = await fetchJaegerTrace(target, trace, terminal.catchInterrupts());
  return foldTraces(terminal, `${redactUrl(url)} ${trace}`, imported);
}

/** Sends traces to a collector and reports on `err` how many spans arrived. */
export async function postTraces(
  terminal: Terminal,
  line: CommandLine,
  url: string,
  source: ExportSource,
): Promise<ExitCode> {
  const target = await findTarget(terminal, line, url);
  const report = await sendSpans(target, batchesOf(source), terminal.catchInterrupts());
  const { sent, rejected, unsent, problems } = report;
  for (const problem of problems) terminal.err(`parley: ${problem}\n`);
  terminal.err(`parley: ${sent} spans sent, ${rejected} rejected, ${unsent} not sent\n`);
  return rejected + unsent === 0 ? EXIT.fine : EXIT.findings;
}

async function findTarget(terminal: Terminal, line: CommandLine, url: string): Promise<TraceTarget> {
  const headers = new Map(line.options(HEADER_OPTION.name).map(readHeader));
  const wanted = new Set<string>();
  const all = listVariables(terminal, terminal.cwd, new DemoSource(terminal), wanted);
  const variables = { ...all, demo: () => undefined };
  const resolved = await resolveTarget({ url, headers }, variables);
  if (resolved.ok) return resolved.target;
  const advice = wanted.size === 0 ? '' : `; on the command line set ${[...wanted].join(', ')}`;
  throw new UsageError(`${resolved.message}${advice}`);
}

function readHeader(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  throw new UsageError(
    `--header takes a name and a value with a colon between; it got '${text.slice(0, 20)}'`,
  );
}
