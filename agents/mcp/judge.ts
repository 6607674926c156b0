import { MCP } from '../../protocols/mcp/protocol.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { isEventStream } from '../../core/events/headers.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { NOT_SENT } from '../../core/events/events.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { Reply } from '../connection.ts';
import { tried } from '../http/failure.ts';
import { describeForeignReply } from '../http/foreign.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { quote } from '../../core/text/quote.ts';
import { describeLibraryError } from '../library-error.ts';
import type { Answer } from './answer.ts';
import type { McpCall } from './call.ts';
import { findGreetingFault } from './greeting-fault.ts';
import type * as Library from './library.ts';
import { REJECTED } from './questions.ts';

/** What is needed to describe a failure. */
export interface JudgeOptions {
  readonly agent: ResolvedAgent;
  readonly redactor: Redactor;
  readonly library: Pick<typeof Library, 'SUPPORTED_PROTOCOL_VERSIONS'>;
}

/** The maximum number of characters of a command line and of the library's words in a sentence. */
const LONGEST = 200;

/** The codes of errors that the library throws before anything is sent. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
  'CAPABILITY_NOT_SUPPORTED',
]);

/**
 * The reply of a call without an answer: the error that the agent reported, else why the exchange failed, else what was
 * received in place of an answer, else what the library reports. `error` is what the library threw, if it did.
 */
export function judgeFailure(call: McpCall, options: JudgeOptions, error: unknown): Reply {
  const { head, body } = call.answer;
  const reported = call.reported ?? (head && !DENIED.has(head.status) ? readError(body) : undefined);
  if (reported && isErrorAnswer(reported)) return call.readAnswer(reported);
  const text = reported?.text ?? body;
  const came = { text, isProtocol: reported !== undefined };
  const fault = reported === undefined ? undefined : judgeGreeting(call, reported, options);
  // Later reactions of the library, such as ending the connection, result from this.
  if (fault !== undefined)
    return { text, isProtocol: false, status: 'error', code: 'INVALID_ANSWER', message: fault };
  if (call.failure) {
    const { kind, code, message } = call.failure;
    const broken = head && text !== '' && kind !== 'not-http' ? 'incomplete' : 'error';
    return { ...came, status: kind === 'cancelled' ? 'cancelled' : broken, code, message };
  }
  const isAnswered = head && head.status >= 200 && head.status < 300 && reported !== undefined;
  if (head && options.agent.type === 'http' && !isAnswered && !isEventStream(head.headers)) {
    const redactor = call.request.redactor ?? options.redactor;
    const message = describeForeignReply({ protocol: MCP, url: options.agent.url, head, body, redactor });
    return { ...came, status: 'error', code: `HTTP ${head.status}`, message };
  }
  const described = describeLibraryError(
    error instanceof Error ? error : 'it ended its reply before the answer',
  );
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (BEFORE_SENDING.has(code))
    return {
      ...came,
      status: 'error',
      code: NOT_SENT,
      message: `Not sent: the official client refuses it, ${described}`,
    };
  if (code === REJECTED)
    return {
      ...came,
      status: 'error',
      code: 'NO_ANSWER',
      message:
        'The agent requests sampling (the answer of a model), and the request was declined; send again, and answer that request',
    };
  return {
    ...came,
    status: 'error',
    code: typeof code === 'string' ? code : 'NO_ANSWER',
    message: `${place(options)}, but no answer came: ${described}; send again, and look at the agent's own log`,
  };
}

/** What is wrong with the answer to `initialize`, if that was the last request. */
function judgeGreeting(call: McpCall, { value }: Answer, options: JudgeOptions): string | undefined {
  if (call.lastMethod !== 'initialize') return undefined;
  const fault = findGreetingFault(value, options.library.SUPPORTED_PROTOCOL_VERSIONS);
  return (
    fault &&
    `${place(options)}: its answer to 'initialize' ${fault}; check that it is an MCP server, or update it`
  );
}

/** Statuses about which the advice is more helpful than the body. */
const DENIED: ReadonlySet<number> = new Set([401, 403]);

/** A body that is an error of JSON-RPC; undefined for any other. */
function readError(text: string): Answer | undefined {
  const answer = { text, value: parseJson(text) };
  return isErrorAnswer(answer) ? answer : undefined;
}

function isErrorAnswer({ value }: Answer): boolean {
  const fields = readFields(value);
  return fields?.get('jsonrpc') === '2.0' && readFields(fields.get('error')) !== undefined;
}

function place({ agent, redactor }: JudgeOptions): string {
  return agent.type === 'http'
    ? tried({ method: 'POST', url: agent.url })
    : `Tried ${quote(redactor.redactText(showCommandLine(agent.command, agent.args)), LONGEST)}`;
}
