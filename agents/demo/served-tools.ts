import { message, type Message } from '../../core/message/message.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { textIn, textValue, type Value } from '../../core/values/value.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import type { CallOptions, ServedAgent, ServedReply } from '../../protocols/serving/serving.ts';
import { fail, offerOf, offerTool, refuse, reply, serveDemo, toValue } from './served.ts';
import { listTools, readArguments, type DemoTool } from './tools.ts';

/** An agent with tools. `list` returns those that it has at the moment. */
export function serveTools(
  protocol: Protocol,
  name: string,
  list: () => readonly DemoTool[] | Promise<readonly DemoTool[]>,
): ServedAgent {
  const offer = { name, description: `The demo agent ${name}` };
  return {
    ...serveDemo(protocol, offer, async (asked, options, signal) =>
      runTool({ protocol, tools: await list() }, asked, options, signal),
    ),
    offer: async () => offerOf({ ...offer, tools: listTools(await list()).map(offerTool) }),
  };
}

async function runTool(
  { protocol, tools }: { readonly protocol: Protocol; readonly tools: readonly DemoTool[] },
  { fields }: Message,
  { take, drained }: CallOptions,
  signal: AbortSignal,
): Promise<ServedReply> {
  const name = textIn(fields.tool) ?? '';
  const tool = tools.find(each => each.name === name);
  if (!tool) return refuse(protocol, 'no-such-tool', `Tool not found: ${name}`);
  const check = readArguments(tool, namedArguments(tool, fields.arguments));
  if (!check.ok) return refuse(protocol, 'wrong-argument', check.message);
  const outcome = tool.run(check.given, signal);
  if (outcome.kind === 'value') return succeed(toValue(outcome.value));
  if (outcome.kind === 'failure') return fail(500, outcome.message);
  const pieces: string[] = [];
  for await (const piece of outcome.pieces) {
    pieces.push(piece);
    take?.([message('chunk', { data: textValue(piece) })]);
    await drained?.();
  }
  const whole = textValue(pieces.join(''));
  return pieces.length === 0 ? succeed(whole) : reply(message('result', { data: whole }));
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

function succeed(data: Value): ServedReply {
  return { ...reply(message('result', { data })), unsent: message('chunk', { data }) };
}
