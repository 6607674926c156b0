import { setTimeout as sleep } from 'node:timers/promises';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { ANY_ARGUMENTS } from '../../protocols/serving/calls.ts';
import type {
  CallOptions,
  Offer,
  OfferedTool,
  ServedAgent,
  ServedReply,
} from '../../protocols/serving/serving.ts';
import type { HttpHost } from '../serving/http-host.ts';
import { startServedDemo } from './demo-host.ts';

/** The path at which the A2A agent takes requests; its card contains it. */
export const A2A_PATH = '/a2a';

const PIECE_EVERY = 60;

const PROCLAIM: OfferedTool = {
  name: 'proclaim',
  description: 'Says it so that all hear it',
  value: dictValue([{ key: 'title', value: textValue('Proclaim') }]),
  schema: ANY_ARGUMENTS,
  isForTasks: true,
};

const OFFER: Offer = {
  name: 'herald',
  version: '1.0.0',
  description: 'Proclaims what it is told',
  tools: [PROCLAIM],
  isOpen: false,
  takesTasks: true,
  resources: [],
  prompts: [],
  completes: false,
};

/** Starts the demo agent `herald`, which proclaims the text of a message word by word, in A2A 1.0 and 0.3. */
export function startA2aAgent(): Promise<HttpHost> {
  return startServedDemo('a2a', HERALD);
}

const HERALD: ServedAgent = {
  name: 'herald',
  offer: () => Promise.resolve(OFFER),
  call(asked, options) {
    const stop = new AbortController();
    options.request.gone.addEventListener('abort', () => stop.abort());
    return { reply: proclaim(asked, options, stop.signal), cancel: () => stop.abort() };
  },
  readItem: (_item, options) => HERALD.call(message('task', {}), options),
  onOfferChanged: () => () => undefined,
};

async function proclaim(asked: Message, { take }: CallOptions, signal: AbortSignal): Promise<ServedReply> {
  const text = `Hear ye! ${readText(asked)}`;
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (signal.aborted) break;
    take?.([message('chunk', { data: textValue(word) })]);
    await sleep(PIECE_EVERY, undefined, { signal }).catch(() => undefined);
  }
  const status = signal.aborted ? 'cancelled' : 'ok';
  return { status, message: message('result', { data: textValue(text) }), unsent: undefined };
}

/** What a message says: its texts, and anything else as JSON. */
function readText({ fields: { task, content, tool, arguments: given } }: Message): string {
  const parts = content?.kind === 'list' ? content.items : [];
  const said =
    task ??
    (tool &&
      dictValue([
        { key: 'tool', value: tool },
        { key: 'arguments', value: given },
      ]));
  return [...(said ? [said] : []), ...parts.map(valueOf)].map(show).join(' ');
}

function valueOf(part: Value): Value {
  const held =
    part.kind === 'dict' ? part.entries.find(({ key }) => key === 'text' || key === 'data') : undefined;
  return held?.value ?? part;
}

function show(value: Value): string {
  return textIn(value) ?? printForAgent(value);
}
