import fc from 'fast-check';
import type { Name, Side } from './facts.ts';

/** Parts and messages as agents of each protocol write them: by hand, and by nothing of ours. */

const TEXTS = ['Look', 'two\nlines', '', '{"a":1}', 'https://example.org/x', '😀 "quoted"'];
const BYTES = ['iVBORw0KGgo=', 'SUQzAAAA', 'AAAA', 'JVBERi0xLjc='];
const URLS = ['https://example.org/a.png', 'http://example.org/b%20c?d=e#f', 'https://example.org/v'];
const NAMES = ['a.png', 'b c.pdf', 'ü.bin'];
const MEDIA = {
  image: ['image/png', 'image/jpeg', 'image/tiff'],
  audio: ['audio/wav', 'audio/mpeg', 'audio/ogg;codecs=opus'],
  video: ['video/mp4'],
  file: ['application/pdf', 'text/csv;charset=utf-8'],
} as const;

type Kind = keyof typeof MEDIA;
const KINDS: readonly Kind[] = ['image', 'audio', 'video', 'file'];

const pick = <Item>(items: readonly Item[]): fc.Arbitrary<Item> => fc.constantFrom(...items);
const maybe = <Item>(one: fc.Arbitrary<Item>): fc.Arbitrary<Item | undefined> =>
  fc.option(one, { nil: undefined });
const text = pick(TEXTS);
const data = pick<object>([{ a: 1 }, { nested: { list: [1, 'two', null] } }, {}]);
const mediaOf = (kind: Kind): fc.Arbitrary<string> => pick(MEDIA[kind]);
const dataUrl = (kind: Kind): fc.Arbitrary<string> =>
  fc.tuple(mediaOf(kind), pick(BYTES)).map(([media, bytes]) => `data:${media};base64,${bytes}`);

function each(kinds: readonly Kind[], part: (kind: Kind) => fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.oneof(...kinds.map(part));
}

const aio = fc.oneof(
  text.map(value => ({ type: 'text', value })),
  each(KINDS, type => pick([...BYTES, ...URLS]).map(value => ({ type, value }))),
);

const mcpText = text.map(said => ({ type: 'text', text: said }));
const mcpBytes = each(['image', 'audio'], type =>
  fc.tuple(pick(BYTES), mediaOf(type)).map(([bytes, mimeType]) => ({ type, data: bytes, mimeType })),
);
const mcpOther = fc.oneof(
  each(KINDS, kind =>
    fc.tuple(pick(URLS), maybe(mediaOf(kind)), pick(NAMES)).map(([uri, mimeType, name]) => ({
      type: 'resource_link',
      uri,
      name,
      ...(mimeType ? { mimeType } : {}),
    })),
  ),
  each(['video', 'file'], kind =>
    fc.tuple(pick(BYTES), mediaOf(kind), pick(NAMES)).map(([blob, mimeType, name]) => ({
      type: 'resource',
      resource: { uri: `file:///${encodeURIComponent(name)}`, mimeType, blob },
    })),
  ),
  text.map(said => ({
    type: 'resource',
    resource: { uri: 'file:///notes.md', mimeType: 'text/markdown', text: said },
  })),
);

const agent = fc.oneof(
  text.map(said => ({ type: 'text', text: said })),
  text.map(refusal => ({ type: 'refusal', refusal })),
  data.map(held => ({ type: 'data', data: held })),
  each(['image', 'video'], type =>
    fc.oneof(dataUrl(type), pick(URLS)).map(url => ({ type, [`${type}_url`]: url })),
  ),
  fc.tuple(pick([...BYTES, ...URLS]), maybe(pick(['wav', 'mp3', 'ogg']))).map(([held, format]) => ({
    type: 'audio',
    data: held,
    ...(format ? { format } : {}),
  })),
  fc
    .tuple(
      fc.oneof(
        fc.oneof(dataUrl('file'), pick(BYTES)).map(file_data => ({ file_data })),
        pick(URLS).map(file_url => ({ file_url })),
        fc.constant({ file_id: 'file-1' }),
      ),
      maybe(pick(NAMES)),
    )
    .map(([held, filename]) => ({ type: 'file', ...held, ...(filename ? { filename } : {}) })),
);

const input = fc.oneof(
  text.map(said => ({ type: 'input_text', text: said })),
  fc
    .oneof(
      fc.oneof(dataUrl('image'), pick(URLS)).map(image_url => ({ image_url })),
      fc.constant({ file_id: 'file-2' }),
    )
    .map(held => ({ type: 'input_image', detail: 'auto', ...held })),
  fc
    .tuple(
      fc.oneof(
        dataUrl('file').map(file_data => ({ file_data })),
        pick(URLS).map(file_url => ({ file_url })),
        fc.constant({ file_id: 'file-3' }),
      ),
      maybe(pick(NAMES)),
    )
    .map(([held, filename]) => ({ type: 'input_file', ...held, ...(filename ? { filename } : {}) })),
);
const spoken = fc.oneof(
  text.map(said => ({ type: 'output_text', text: said, annotations: [] })),
  text.map(refusal => ({ type: 'refusal', refusal })),
);

const about = (kind: Kind): fc.Arbitrary<object> =>
  fc.record({ mediaType: mediaOf(kind), filename: pick(NAMES) }, { requiredKeys: [] });
const a2a = fc.oneof(
  text.map(said => ({ text: said })),
  data.map(held => ({ data: held })),
  each(KINDS, kind =>
    fc
      .tuple(
        fc.oneof(
          pick(BYTES).map(raw => ({ raw })),
          pick(URLS).map(url => ({ url })),
        ),
        about(kind),
      )
      .map(([held, more]) => ({ ...held, ...more })),
  ),
);
const oldA2a = fc.oneof(
  text.map(said => ({ kind: 'text', text: said })),
  data.map(held => ({ kind: 'data', data: held })),
  each(KINDS, kind =>
    fc
      .tuple(
        fc.oneof(
          pick(BYTES).map(bytes => ({ bytes })),
          pick(URLS).map(uri => ({ uri })),
        ),
        fc.record({ mimeType: mediaOf(kind), name: pick(NAMES) }, { requiredKeys: [] }),
      )
      .map(([held, more]) => ({ kind: 'file', file: { ...held, ...more } })),
  ),
);

const RPC = { jsonrpc: '2.0', id: 1 };
const RESPONSE = { object: 'response', id: 'response_1', created_at: 0, error: null };

function parts(one: fc.Arbitrary<object>): fc.Arbitrary<readonly object[]> {
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

/** A reply of Responses: pictures are items of their own. */
const responsesOutput = fc
  .array(fc.oneof({ weight: 2, arbitrary: spoken }, { weight: 1, arbitrary: pick(BYTES) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map(given => {
    const items: object[] = [];
    let content: object[] | undefined;
    for (const one of given) {
      if (typeof one === 'string') {
        content = undefined;
        items.push({
          id: `ig_${items.length + 1}`,
          type: 'image_generation_call',
          status: 'completed',
          result: one,
          output_format: 'png',
        });
      } else if (content) content.push(one);
      else {
        content = [one];
        items.push({
          id: `msg_${items.length + 1}`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content,
        });
      }
    }
    return items;
  });

/** A message of a protocol, in each of its versions that differ. */
export const MESSAGES: Readonly<Record<Name, Readonly<Record<Side, readonly fc.Arbitrary<object>[]>>>> = {
  aio: {
    request: [
      parts(aio).map(inputs => ({ ...RPC, method: 'reader::sampling.start', params: { inputs } })),
      aio.map(one => ({ ...RPC, method: 'reader::sampling.start', params: { input: one } })),
    ],
    reply: [parts(aio).map(outputs => ({ ...RPC, outputs })), aio.map(output => ({ ...RPC, output }))],
  },
  mcp: {
    request: [
      parts(fc.oneof(mcpText, mcpBytes)).map(content => ({
        ...RPC,
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content }], maxTokens: 100 },
      })),
      fc.oneof(mcpText, mcpBytes).map(content => ({
        ...RPC,
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content }], maxTokens: 100 },
      })),
    ],
    reply: [
      parts(fc.oneof(mcpText, mcpBytes, mcpOther)).map(content => ({ ...RPC, result: { content } })),
      fc.oneof(mcpText, mcpBytes).map(content => ({
        ...RPC,
        result: { role: 'assistant', model: 'm', content, stopReason: 'endTurn' },
      })),
      data.map(held => ({
        ...RPC,
        result: { content: [{ type: 'text', text: JSON.stringify(held) }], structuredContent: held },
      })),
    ],
  },
  'agent-api': {
    request: [
      parts(agent).map(content => ({
        input: [{ object: 'message', type: 'message', role: 'user', content }],
      })),
    ],
    reply: [
      parts(agent).map(content => ({
        ...RESPONSE,
        status: 'completed',
        output: [{ object: 'message', type: 'message', role: 'assistant', status: 'completed', content }],
      })),
    ],
  },
  responses: {
    request: [parts(input).map(content => ({ input: [{ type: 'message', role: 'user', content }] }))],
    reply: [
      responsesOutput.map(output => ({
        ...RESPONSE,
        id: 'resp_1',
        status: 'completed',
        model: 'm',
        metadata: {},
        output,
      })),
    ],
  },
  a2a: {
    request: [
      parts(a2a).map(given => ({
        ...RPC,
        method: 'SendMessage',
        params: { message: { messageId: 'msg-1', role: 'ROLE_USER', parts: given } },
      })),
      parts(oldA2a).map(given => ({
        ...RPC,
        method: 'message/send',
        params: { message: { kind: 'message', messageId: 'msg-1', role: 'user', parts: given } },
      })),
    ],
    reply: [
      parts(a2a).map(given => ({
        ...RPC,
        result: { message: { messageId: 'msg-1', role: 'ROLE_AGENT', parts: given } },
      })),
      parts(oldA2a).map(given => ({
        ...RPC,
        result: { kind: 'message', messageId: 'msg-1', role: 'agent', parts: given },
      })),
    ],
  },
};

/** A reply in events, with the reply that it amounts to. */
export interface StreamedReply {
  readonly events: readonly object[];
  readonly whole: object;
}

/** Replies as agents stream them. */
export const STREAMS: Readonly<Partial<Record<Name, fc.Arbitrary<StreamedReply>>>> = {
  'agent-api': parts(agent).map(content => {
    const at = { object: 'content', status: 'completed', delta: false, msg_id: 'msg_1' };
    const message = {
      object: 'message',
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content,
    };
    const whole = { ...RESPONSE, status: 'completed', output: [message] };
    return {
      events: [
        { ...RESPONSE, status: 'created' },
        { ...RESPONSE, status: 'in_progress' },
        { ...message, status: 'in_progress', content: null },
        ...content.map((one, index) => ({ ...at, index, ...one })),
        message,
        whole,
      ].map((event, sequence_number) => ({ sequence_number, ...event })),
      whole,
    };
  }),
  responses: responsesOutput.map(output => {
    const response = { ...RESPONSE, id: 'resp_1', model: 'm', metadata: {} };
    const whole = { ...response, status: 'completed', output };
    return {
      events: [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        ...output.flatMap((item, output_index) => [
          { type: 'response.output_item.added', output_index, item },
          { type: 'response.output_item.done', output_index, item },
        ]),
        { type: 'response.completed', response: whole },
      ].map((event, sequence_number) => ({ sequence_number, ...event })),
      whole,
    };
  }),
  a2a: parts(a2a.filter(part => !('text' in part))).map(given => {
    const task = { taskId: 't', contextId: 'c' };
    return {
      events: [
        { ...RPC, result: { statusUpdate: { ...task, status: { state: 'TASK_STATE_WORKING' } } } },
        ...given.map((part, index) => ({
          ...RPC,
          result: {
            artifactUpdate: {
              ...task,
              artifact: { artifactId: 'a', parts: [part] },
              ...(index > 0 ? { append: true } : {}),
            },
          },
        })),
        { ...RPC, result: { statusUpdate: { ...task, status: { state: 'TASK_STATE_COMPLETED' } } } },
      ],
      whole: { ...RPC, result: { message: { messageId: 'msg-1', role: 'ROLE_AGENT', parts: given } } },
    };
  }),
};
