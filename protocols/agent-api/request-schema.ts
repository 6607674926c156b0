import {
  ANY_OBJECT,
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  NUMBER,
  objectOf,
  oneOf,
  TEXT,
  text,
  type RequestSchema,
} from '../request-schema.ts';

const CONTENT = objectOf(
  {
    type: oneOf('text', 'data', 'image', 'audio', 'file', 'refusal', 'video'),
    text: text('The text of a content of type `text`.'),
    data: described({}, 'The value of a content of type `data`.'),
    image_url: TEXT,
    file_url: TEXT,
    file_data: TEXT,
    file_id: TEXT,
    filename: TEXT,
  },
  ['type'],
);

const MESSAGE = objectOf(
  {
    type: text('The type of the message, such as `message`.'),
    role: described(oneOf('user', 'assistant', 'system', 'tool'), 'The role of the sender.'),
    content: described({ anyOf: [TEXT, listOf(CONTENT)] }, 'The content of the message.'),
  },
  [],
);

/** A request of the AgentScope Agent API. */
export const AGENT_API_REQUESTS: RequestSchema = {
  request: objectOf(
    {
      input: described(listOf(MESSAGE), 'The messages for the agent.'),
      stream: described(BOOLEAN, 'False for an answer without streaming.'),
      model: text('The model that the agent uses.'),
      session_id: text('The session that the request continues; `// @session NAME` carries it on.'),
      user_id: TEXT,
      response_id: TEXT,
      id: TEXT,
      top_p: NUMBER,
      temperature: NUMBER,
      frequency_penalty: NUMBER,
      presence_penalty: NUMBER,
      max_tokens: INTEGER,
      stop: { anyOf: [TEXT, listOf(TEXT)] },
      n: { type: 'integer', minimum: 1, maximum: 5 },
      seed: INTEGER,
      tools: listOf(ANY_OBJECT),
    },
    ['input'],
  ),
};
