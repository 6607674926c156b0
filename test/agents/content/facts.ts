import assert from 'node:assert/strict';
import { Message as A2aMessage } from '@a2a-js/sdk';
import { isSpecType } from '@modelcontextprotocol/client';
import {
  checkAgentRequest,
  checkAgentResponse,
  checkAioReply,
  checkAioRequest,
  checkOldMessage,
  checkResponse,
  checkResponsesRequest,
  type Check,
} from './schemas.ts';

/** What a receiver reads of one part: what kind it is, what it holds, and what is known of that. */
export interface Fact {
  readonly kind: string;
  readonly holds: 'text' | 'data' | 'bytes' | 'url' | 'id';
  readonly value: unknown;
  readonly media?: string | undefined;
  readonly name?: string | undefined;
}

export type Name = 'aio' | 'mcp' | 'agent-api' | 'responses' | 'a2a';
export type Side = 'request' | 'reply';

interface Json {
  readonly [key: string]: unknown;
}

function json(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), JSON.stringify(value));
  return value as Json;
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(json) : [];
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function hold(check: Check, value: unknown): Json {
  assert.deepEqual(check(value), [], JSON.stringify(value));
  return json(value);
}

function kindOf(media: string | undefined): string {
  const [kind] = /^(?:image|audio|video)/.exec(media ?? '') ?? [];
  return kind ?? 'file';
}

function urlOrBytes(kind: string, value: string, more: Pick<Fact, 'media' | 'name'> = {}): Fact {
  const head = /^data:([^,]*);base64,/.exec(value);
  if (head) return { kind, holds: 'bytes', value: value.slice(head[0].length), ...more, media: head[1] };
  return { kind, holds: /^[a-z]+:/.test(value) ? 'url' : 'bytes', value, ...more };
}

const text = (value: unknown): Fact => ({ kind: 'text', holds: 'text', value });

/** What the receiver of a message in a protocol reads, by its official types. */
export const READERS: Readonly<Record<Name, Readonly<Record<Side, (message: unknown) => readonly Fact[]>>>> =
  {
    aio: {
      request: message => {
        const params = json(hold(checkAioRequest, message)['params']);
        return (params['input'] ? [json(params['input'])] : list(params['inputs'])).map(readAio);
      },
      reply: message => {
        const { output, outputs, result } = hold(checkAioReply, message);
        if (result !== undefined)
          return [typeof result === 'string' ? text(result) : { kind: 'data', holds: 'data', value: result }];
        return (output ? [json(output)] : list(outputs)).map(readAio);
      },
    },
    mcp: {
      request: message => {
        assert.ok(isSpecType.CreateMessageRequest(message), JSON.stringify(message));
        const [only, ...others] = message.params.messages;
        assert.ok(only && others.length === 0 && only.role === 'user');
        const content: unknown = only.content;
        return (Array.isArray(content) ? list(content) : [json(content)]).map(readMcp);
      },
      reply: message => {
        const result = json(message)['result'];
        const { role, content } = json(result);
        if (role !== undefined) {
          assert.ok(isSpecType.CreateMessageResult(result), JSON.stringify(result));
          return [readMcp(json(content))];
        }
        assert.ok(isSpecType.CallToolResult(result), JSON.stringify(result));
        const { structuredContent } = result;
        return asStructured(list(result.content).map(readMcp), structuredContent);
      },
    },
    'agent-api': {
      request: message => {
        const [only, ...others] = list(hold(checkAgentRequest, message)['input']);
        assert.ok(only && others.length === 0 && only['role'] === 'user');
        return list(only['content']).map(readAgent);
      },
      reply: message => {
        const output = list(hold(checkAgentResponse, message)['output']);
        return output.flatMap(each => list(each['content']).map(readAgent));
      },
    },
    responses: {
      request: message => {
        const { input } = hold(checkResponsesRequest, message);
        if (typeof input === 'string') return [text(input)];
        return list(input).flatMap(each => list(each['content']).map(readResponses));
      },
      reply: message =>
        list(hold(checkResponse, message)['output']).flatMap(item =>
          item['type'] === 'message' ? list(item['content']).map(readResponses) : [readGenerated(item)],
        ),
    },
    a2a: {
      request: message => readA2aMessage(json(json(message)['params'])['message'], 'ROLE_USER'),
      reply: message => {
        const result = json(json(message)['result']);
        return readA2aMessage(result['message'] ?? result, 'ROLE_AGENT');
      },
    },
  };

function readAio(value: Json): Fact {
  const [type, held] = [word(value['type']) ?? '', word(value['value']) ?? ''];
  // The document knows nothing else of a value.
  return type === 'text' ? text(held) : urlOrBytes(type, held);
}

function readMcp(block: Json): Fact {
  const media = word(block['mimeType']);
  switch (block['type']) {
    case 'text':
      return text(block['text']);
    case 'resource_link': {
      const name = word(block['name']);
      return {
        kind: kindOf(media),
        holds: 'url',
        value: block['uri'],
        media,
        name: name === block['uri'] ? undefined : name,
      };
    }
    case 'resource':
      return readResource(json(block['resource']));
    default:
      return { kind: String(block['type']), holds: 'bytes', value: block['data'], media };
  }
}

function readResource({ uri, mimeType, text: said, blob }: Json): Fact {
  const media = word(mimeType);
  const kind = said === undefined ? kindOf(media) : 'text';
  const [, called] = /^file:\/\/\/([^/]+)$/.exec(word(uri) ?? '') ?? [];
  const name = called === undefined || called === kind ? undefined : decodeURIComponent(called);
  return { kind, holds: said === undefined ? 'bytes' : 'text', value: said ?? blob, media, name };
}

/** The first text that says the structured content once more is that. */
function asStructured(facts: readonly Fact[], structured: unknown): readonly Fact[] {
  if (structured === undefined) return facts;
  const wrapped = Object.keys(json(structured)).join() === 'result' ? json(structured)['result'] : undefined;
  const meant = (fact: Fact): unknown =>
    [structured, wrapped].find(
      value => fact.kind === 'text' && value !== undefined && JSON.stringify(value) === fact.value,
    );
  const at = facts.findIndex(fact => meant(fact) !== undefined);
  return facts.map((fact, index) =>
    index === at ? { kind: 'data', holds: 'data', value: meant(fact) } : fact,
  );
}

function readAgent(content: Json): Fact {
  const type = String(content['type']);
  switch (type) {
    case 'text':
      return text(content['text']);
    case 'refusal':
      return { kind: type, holds: 'text', value: content['refusal'] };
    case 'data':
      return { kind: type, holds: 'data', value: content['data'] };
    case 'audio': {
      const format = word(content['format']);
      const media =
        format === 'mp3' ? 'audio/mpeg' : format?.includes('/') === false ? `audio/${format}` : format;
      return urlOrBytes(type, word(content['data']) ?? '', { media });
    }
    case 'file': {
      const name = word(content['filename']);
      if (content['file_id']) return { kind: type, holds: 'id', value: content['file_id'], name };
      return urlOrBytes(type, word(content['file_data']) ?? word(content['file_url']) ?? '', { name });
    }
    default:
      return urlOrBytes(type, word(content[`${type}_url`]) ?? '');
  }
}

function readResponses(part: Json): Fact {
  switch (part['type']) {
    case 'refusal':
      return { kind: 'refusal', holds: 'text', value: part['refusal'] };
    case 'input_image':
      if (part['file_id']) return { kind: 'image', holds: 'id', value: part['file_id'] };
      return urlOrBytes('image', word(part['image_url']) ?? '');
    case 'input_file': {
      const name = word(part['filename']);
      if (part['file_id']) return { kind: 'file', holds: 'id', value: part['file_id'], name };
      return urlOrBytes('file', word(part['file_data']) ?? word(part['file_url']) ?? '', { name });
    }
    default:
      return text(part['text']);
  }
}

function readGenerated(item: Json): Fact {
  const format = word(item['output_format']);
  const media = format === undefined ? undefined : `image/${format === 'svg' ? 'svg+xml' : format}`;
  return { kind: 'image', holds: 'bytes', value: item['result'], media };
}

function readA2aMessage(given: unknown, role: string): readonly Fact[] {
  if (json(given)['kind'] === 'message') return list(hold(checkOldMessage, given)['parts']).map(readOldPart);
  // What the official library reads and writes again is all that it knows of a message.
  const again = json(A2aMessage.toJSON(A2aMessage.fromJSON(given)));
  assert.deepEqual(again, given);
  assert.equal(again['role'], role);
  return list(again['parts']).map(readPart);
}

function readPart(part: Json): Fact {
  const about = { media: word(part['mediaType']), name: word(part['filename']) };
  if (part['text'] !== undefined) return { ...text(part['text']), ...about };
  if (part['data'] !== undefined) return { kind: 'data', holds: 'data', value: part['data'], ...about };
  const isUrl = part['url'] !== undefined;
  return {
    kind: kindOf(about.media),
    holds: isUrl ? 'url' : 'bytes',
    value: part['url'] ?? part['raw'],
    ...about,
  };
}

function readOldPart(part: Json): Fact {
  if (part['kind'] === 'text') return text(part['text']);
  if (part['kind'] === 'data') return { kind: 'data', holds: 'data', value: part['data'] };
  const { bytes, uri, mimeType, name } = json(part['file']);
  const media = word(mimeType);
  return {
    kind: kindOf(media),
    holds: uri === undefined ? 'bytes' : 'url',
    value: uri ?? bytes,
    media,
    name: word(name),
  };
}
