import type * as Package from '../../npm/agent-api/index.ts';

type Events = readonly Package.AgentApiEvent[];

/** The data of the document's example "Data Content Building". */
const CALL = { type: 'function_call', name: 'get_weather', arguments: '{"city": "Beijing"}' };

/**
 * The examples of the section "Agent API Protocol Builder" of the Agent API's document in TypeScript, each with the
 * events that it sends. They run with the sources and with the packed package.
 */
export const DOCUMENT_EXAMPLES: Readonly<Record<string, (built: typeof Package) => Events>> = {
  'Core Classes: ResponseBuilder': ({ ResponseBuilder }) => {
    const events: Package.AgentApiEvent[] = [];
    const response = new ResponseBuilder({ sessionId: 'session_123', emit: event => events.push(event) });
    response.created();
    response.inProgress();
    const message = response.createMessageBuilder({ role: 'assistant', messageType: 'message' });
    message.addContent({ type: 'text', text: 'Hello World' });
    message.complete();
    response.completed();
    return events;
  },
  'Core Classes: MessageBuilder': ({ ResponseBuilder }) =>
    withMessage(ResponseBuilder, message => {
      const content = message.createContentBuilder('text', 0);
      content.addTextDelta('Hello World');
      message.addContent(content.complete());
      message.complete();
    }),
  'Core Classes: ContentBuilder': ({ ResponseBuilder }) =>
    withMessage(ResponseBuilder, message => {
      const text = message.createContentBuilder('text', 0);
      text.addTextDelta('Hello');
      text.addTextDelta(' World');
      text.setText('Hello World');
      text.complete();
      const image = message.createContentBuilder('image', 1);
      image.setImageUrl('https://example.com/image.jpg');
      image.complete();
      const data = message.createContentBuilder('data', 2);
      data.setData({ key: 'value' });
      data.complete();
      message.complete();
    }),
  'Complete Usage Example': ({ ResponseBuilder }) => {
    function* generateStreamingResponse(textTokens: readonly string[]): Generator<Package.AgentApiEvent> {
      const response = new ResponseBuilder({ sessionId: 'session_123' });
      for (const event of response.generateStreamingResponse({ textTokens, role: 'assistant' })) yield event;
    }
    return [...generateStreamingResponse(['Hello', ' ', 'World', '!'])];
  },
  'Advanced Usage: Multi-Content Message Building': ({ ResponseBuilder }) =>
    withMessage(ResponseBuilder, message => {
      const text = message.createContentBuilder('text', 0);
      text.setText('This is an image:');
      text.complete();
      const image = message.createContentBuilder('image', 1);
      image.setImageUrl('https://example.com/image.jpg');
      image.complete();
      message.complete();
    }),
  'Advanced Usage: Data Content Building': ({ ResponseBuilder }) =>
    withMessage(ResponseBuilder, message => {
      const data = message.createContentBuilder('data', 0);
      data.setData(CALL);
      data.addDataDelta({ status: 'processing' });
      data.addDataDelta({ result: 'sunny' });
      data.complete();
      message.complete();
    }),
};

/** The events of a response with one message, around the part that an example shows. */
function withMessage(
  ResponseBuilder: typeof Package.ResponseBuilder,
  build: (message: Package.MessageBuilder) => void,
): Events {
  const events: Package.AgentApiEvent[] = [];
  const response = new ResponseBuilder({ emit: event => events.push(event) });
  response.created();
  response.inProgress();
  build(response.createMessageBuilder());
  response.completed();
  return events;
}

/** An event in a few words: `message completed`, `content in_progress "Hello"`. */
export function summarize({ object, status, ...members }: Package.AgentApiEvent): string {
  const value = ['text', 'image_url', 'data'].map(key => members[key]).find(each => each !== undefined);
  return [object, status, object === 'content' ? JSON.stringify(value) : ''].filter(Boolean).join(' ');
}

/** The events that each example sends. */
export const EXPECTED: Readonly<Record<keyof typeof DOCUMENT_EXAMPLES, readonly string[]>> = {
  'Core Classes: ResponseBuilder': around('content completed "Hello World"'),
  'Core Classes: MessageBuilder': around(
    'content in_progress "Hello World"',
    'content completed "Hello World"',
  ),
  'Core Classes: ContentBuilder': around(
    'content in_progress "Hello"',
    'content in_progress " World"',
    'content completed "Hello World"',
    'content completed "https://example.com/image.jpg"',
    'content completed {"key":"value"}',
  ),
  'Complete Usage Example': around(
    'content in_progress "Hello"',
    'content in_progress " "',
    'content in_progress "World"',
    'content in_progress "!"',
    'content completed "Hello World!"',
  ),
  'Advanced Usage: Multi-Content Message Building': around(
    'content completed "This is an image:"',
    'content completed "https://example.com/image.jpg"',
  ),
  'Advanced Usage: Data Content Building': around(
    `content in_progress ${JSON.stringify({ ...CALL, status: 'processing' })}`,
    'content in_progress {"result":"sunny"}',
    `content completed ${JSON.stringify({ ...CALL, status: 'processing', result: 'sunny' })}`,
  ),
};

/** The sequence of the document's section "Streaming Response Sequence" around the events of contents. */
function around(...contents: readonly string[]): readonly string[] {
  return [
    'response created',
    'response in_progress',
    'message created',
    ...contents,
    'message completed',
    'response completed',
  ];
}
