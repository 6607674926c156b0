import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { isRecord } from '../../../core/guard.ts';
import { protocolRow, type MemberPath, type ProtocolRow } from '../../../core/catalog/protocols.ts';
import { parseJson } from '../../../core/text/json.ts';
import { Report } from '../../../core/message/report.ts';
import { dictValue, textValue } from '../../../core/values/value.ts';
import { printAicl } from '../../../language/values/aicl-printer.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { TextSink } from '../../../language/values/text-layer.ts';
import type { CommandLine, OptionRow } from '../commands/command.ts';
import { UsageError } from '../exit.ts';
import type { SourceFile } from '../files.ts';

/** The options of a request that is typed on the command line. */
export const TYPED_REQUEST_OPTIONS: readonly OptionRow[] = [
  { name: 'tool', value: 'NAME', summary: 'Calls a tool of the agent instead of sending a file.' },
  { name: 'args', value: 'JSON', summary: 'The arguments of the tool, as a JSON object.' },
  {
    name: 'method',
    value: 'NAME',
    summary: "Sends a request with a method of the agent's protocol instead of a file.",
  },
  { name: 'params', value: 'JSON', summary: 'The parameters of the method, as a JSON object.' },
];

/** True if the request is typed on the command line. */
export function isTyped(line: CommandLine): boolean {
  return TYPED_REQUEST_OPTIONS.some(({ name }) => line.option(name) !== undefined);
}

/**
 * The request of `--tool` or `--method` as a file: in the agent's own JSON where its protocol has such requests, else in
 * AICL, which is converted. Throws a UsageError that says what is wrong.
 */
export function writeTypedRequest(line: CommandLine, agent: AgentConfig): SourceFile {
  const [tool, method] = [line.option('tool'), line.option('method')];
  if (line.paths.length > 0) throw new UsageError('Name a file, or --tool or --method, not both');
  if ((tool === undefined) === (method === undefined))
    throw new UsageError(
      'Name one of --tool and --method; --args belongs to --tool and --params to --method',
    );
  if (line.option(tool === undefined ? 'args' : 'params') !== undefined)
    throw new UsageError('--args belongs to --tool, and --params to --method');
  const row: ProtocolRow = protocolRow(agent.protocol);
  if (method !== undefined) return inJson(writeMethod(row, method, readObject(line, 'params')));
  const args = readObject(line, 'args');
  const facts = row.requests?.tool;
  if (!facts) return inAicl(tool ?? '', args);
  const name = writeMember(facts.name, JSON.stringify(tool));
  const values = args === undefined ? [] : [writeMember(facts.arguments, args)];
  return inJson(`{"method":${JSON.stringify(facts.method)},"params":{${[name, ...values].join(',')}}}`);
}

/** A member of `params`. */
function writeMember(path: MemberPath, value: string): string {
  return `${JSON.stringify(path.at(-1))}:${value}`;
}

function writeMethod({ requests, short }: ProtocolRow, method: string, params: string | undefined): string {
  if (!requests?.isRpc)
    throw new UsageError(`Requests of ${short} have no method: send a file instead of --method`);
  return `{"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`;
}

/** The JSON object of an option, as it is written. */
function readObject(line: CommandLine, name: 'args' | 'params'): string | undefined {
  const text = line.option(name);
  if (text === undefined || isRecord(parseJson(text))) return text;
  throw new UsageError(`--${name} is no JSON object: write it as in --${name} '{"city":"Rome"}'`);
}

// Braces on the command line are those of the user, who has other variables there.
function inJson(text: string): SourceFile {
  return { name: '-', language: 'agent-json', text: `// @literal\n${text}\n`, hasBom: false };
}

function inAicl(tool: string, args: string | undefined): SourceFile {
  const call = dictValue([
    { key: 'protocol', value: textValue('LightAICL') },
    { key: 'session_id', value: textValue('session') },
    { key: 'msg_type', value: textValue('tool_call') },
    { key: 'tool', value: textValue(tool) },
    { key: 'params', value: readWrittenJson(args ?? '{}') ?? dictValue([]) },
  ]);
  const sink = new TextSink(undefined);
  printAicl(call, sink, 'compact', new Report());
  return { name: '-', language: 'aicl', text: `# @literal\n${sink.toString()}\n`, hasBom: false };
}
