import { message, type Message } from '../../core/message/message.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { findEntry, intValue, NULL, textIn, textValue, type Value } from '../../core/values/value.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { ANY_ARGUMENTS } from '../../protocols/serving/calls.ts';
import type {
  CallOptions,
  ItemRequest,
  Offer,
  OfferedTool,
  ServedAgent,
  ServedCall,
  ServedReply,
} from '../../protocols/serving/serving.ts';
import { listTools } from './rpc.ts';
import { readArguments, type DemoTool, type JsonValue } from './tools.ts';

/** Tools as the agent that a server of a protocol serves. */
export class ServedTools implements ServedAgent {
  readonly name: string;
  readonly #tools: readonly DemoTool[];

  constructor(name: string, tools: readonly DemoTool[]) {
    this.name = name;
    this.#tools = tools;
  }

  offer(): Promise<Offer> {
    return Promise.resolve({
      name: this.name,
      version: '1.0.0',
      description: `The demo agent ${this.name}`,
      tools: this.#tools.map(toOffered),
      isOpen: false,
      takesTasks: false,
      resources: [],
      prompts: [],
      completes: false,
    });
  }

  call(asked: Message, options: CallOptions): ServedCall {
    const stop = new AbortController();
    options.request.gone.addEventListener('abort', () => stop.abort());
    const reply = this.#run(asked, options, stop.signal).catch(() => STOPPED);
    return { reply, cancel: () => stop.abort() };
  }

  readItem(_item: ItemRequest): ServedCall {
    const reply = Promise.resolve(refuse(404, `The agent ${this.name} has no resources and no prompts`));
    return { reply, cancel: () => undefined };
  }

  onOfferChanged(): () => void {
    return () => undefined;
  }

  async #run({ fields }: Message, { take, drained }: CallOptions, signal: AbortSignal): Promise<ServedReply> {
    const name = textIn(fields.tool) ?? '';
    const tool = this.#tools.find(each => each.name === name);
    if (!tool) return refuse(404, `Tool not found: ${name}`);
    const check = readArguments(tool, namedArguments(tool, fields.arguments));
    if (!check.ok) return refuse(422, check.message);
    const outcome = tool.run(check.given, signal);
    if (outcome.kind === 'value') return succeed(toValue(outcome.value));
    if (outcome.kind === 'failure') return fail(500, outcome.message);
    const pieces: string[] = [];
    for await (const piece of outcome.pieces) {
      pieces.push(piece);
      take?.([message('chunk', { data: textValue(piece) })]);
      await drained?.();
    }
    return succeed(textValue(pieces.join('')), pieces.length === 0 ? 'nothing' : 'all');
  }
}

function toOffered(tool: DemoTool): OfferedTool {
  const value = toValue(listTools([tool])[0] ?? null);
  const { name, description } = tool;
  return { name, description, value, schema: findEntry(value, 'inputSchema') ?? ANY_ARGUMENTS };
}

function toValue(json: JsonValue): Value {
  return readJsonValue(JSON.stringify(json)) ?? NULL;
}

function namedArguments(
  { arguments: declared }: DemoTool,
  given: Value | undefined,
): ReadonlyMap<string, unknown> {
  if (given?.kind !== 'list') return readFields(parseJson(given ? compactJson(given) : '{}')) ?? new Map();
  return new Map(
    given.items.map((item, at) => [declared[at]?.name ?? String(at + 1), parseJson(compactJson(item))]),
  );
}

function succeed(data: Value, sent: 'nothing' | 'all' = 'nothing'): ServedReply {
  const unsent = sent === 'all' ? undefined : message('chunk', { data });
  return { status: 'ok', message: message('result', { data }), unsent };
}

function fail(code: number, text: string): ServedReply {
  const error = { protocol: textValue('aicf'), code: intValue(code), text: textValue(text) };
  return { status: 'error', message: message('error', error), unsent: undefined };
}

function refuse(code: number, text: string): ServedReply {
  return { ...fail(code, text), failure: 'refused' };
}

const STOPPED: ServedReply = {
  ...fail(500, 'The call was stopped'),
  status: 'cancelled',
  failure: 'cancelled',
};
