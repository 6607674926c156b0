import type { Client, Progress, StandardSchemaV1, Tool } from '@modelcontextprotocol/client';
import { defined, asList, readFields } from '../../core/text/fields.ts';
import type { AgentType } from '../../core/catalog/protocols.ts';
import { LONGEST_TIMER } from '../timer.ts';
import { withTraceNames } from './trace-names.ts';
import { isUnfinished, NOT_TAKEN, type Answer } from './answer.ts';
import type { McpCall } from './call.ts';

/** Longer than any call: calls have their own time-outs. */
export const NEVER = LONGEST_TIMER;

/** The methods whose progress a server reports. */
const LONG: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Accepts any result: what does not fit MCP is shown as it is. */
const ANY: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'parley', validate: value => ({ value }) },
};

export type SentRequest = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Sends requests through the library's client. */
export class Sender {
  readonly #client: Client;
  readonly #type: AgentType;
  /** Tools whose arguments are also sent as headers (MCP 2026-07-28, `x-mcp-header`), as the agent listed them. */
  readonly #mirrored = new Map<string, Tool>();

  constructor(client: Client, type: AgentType) {
    this.#client = client;
    this.#type = type;
  }

  /** Sends the request of a call and settles the call with its answer, if one arrives. */
  async send(call: McpCall): Promise<SentRequest> {
    const { method, isRequest, params: own } = call.parsed;
    const params = isRequest ? withTraceNames(own, call.request, this.#type) : own && { ...own };
    const message = params === undefined ? { method } : { method, params };
    try {
      if (!isRequest) {
        await this.#client.notification(message);
        call.settle({ status: 'ok', text: '', isProtocol: false });
        return { ok: true };
      }
      const hasToken = readFields(params?.['_meta'])?.has('progressToken');
      const options = {
        signal: call.ended,
        timeout: NEVER,
        ...(LONG.has(method) && !hasToken
          ? {
              onprogress: (step: Progress) =>
                call.step({ done: step.progress, total: step.total, message: step.message }),
            }
          : {}),
      };
      const name = params?.['name'];
      if (method === 'tools/call' && typeof name === 'string' && this.#client.getProtocolEra() === 'modern') {
        const toolDefinition = this.#mirrored.get(name);
        await this.#client.callTool({ ...params, name }, defined({ ...options, toolDefinition }));
      } else await this.#client.request(message, ANY, options);
      return this.#answer(call, undefined);
    } catch (error) {
      return this.#answer(call, error);
    }
  }

  #answer(call: McpCall, error: unknown): SentRequest {
    const { reported } = call;
    if (reported === undefined || isUnfinished(reported)) return { ok: false, error };
    if (call.parsed.method === 'tools/list') this.#learn(reported);
    // An error that the agent reported is thrown too; any other error means that the library rejects the answer.
    if (error !== undefined && !isError(reported)) call.note(NOT_TAKEN);
    call.answerWith(reported);
    return { ok: true };
  }

  #learn({ value }: Answer): void {
    const tools = readFields(readFields(value)?.get('result'))?.get('tools');
    for (const tool of asList(tools)) {
      const fields = readFields(tool);
      const name = fields?.get('name');
      const schema = fields?.get('inputSchema');
      if (typeof name !== 'string' || !readFields(schema)) continue;
      // The tool's results are not validated here, so only its input schema is passed on.
      if (holdsKey(schema, 'x-mcp-header')) this.#mirrored.set(name, toTool(name, schema));
      else this.#mirrored.delete(name);
    }
  }
}

function toTool(name: string, schema: unknown): Tool {
  return { name, inputSchema: { ...Object.fromEntries(readFields(schema) ?? []), type: 'object' } };
}

function isError({ value }: Answer): boolean {
  return readFields(value)?.has('error') === true;
}

/** True if a value holds a key at any depth. A loop, because schemas may be nested too deep for recursion. */
function holdsKey(value: unknown, key: string): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) for (const item of next) waiting.push(item);
    const fields = readFields(next);
    if (fields?.has(key)) return true;
    for (const inner of fields?.values() ?? []) waiting.push(inner);
  }
  return false;
}
