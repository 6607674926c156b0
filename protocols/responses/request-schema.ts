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
    type: text('The type of the content: `input_text`, `input_image`, `input_file`, …'),
    text: text('The text of a content of type `input_text`.'),
    image_url: TEXT,
    file_id: TEXT,
    file_data: TEXT,
    filename: TEXT,
  },
  ['type'],
);

const ITEM = objectOf({
  type: text('The type of the item, such as `message` or `function_call_output`.'),
  role: described(oneOf('user', 'assistant', 'system', 'developer'), 'The role of the sender.'),
  content: described({ anyOf: [TEXT, listOf(CONTENT)] }, 'The content of the message.'),
  call_id: TEXT,
  output: {},
});

/** A request of OpenAI's Responses API. */
export const RESPONSES_REQUESTS: RequestSchema = {
  request: objectOf({
    model: text('The model or agent that answers.'),
    input: described({ anyOf: [TEXT, listOf(ITEM)] }, 'A text, or the items of a conversation.'),
    instructions: text('Instructions for the model.'),
    stream: described(BOOLEAN, 'True for an answer in events as it is written.'),
    previous_response_id: text('The response that the request continues; `// @session NAME` carries it on.'),
    conversation: {},
    temperature: NUMBER,
    top_p: NUMBER,
    max_output_tokens: INTEGER,
    tools: listOf(ANY_OBJECT),
    tool_choice: {},
    parallel_tool_calls: BOOLEAN,
    reasoning: ANY_OBJECT,
    text: ANY_OBJECT,
    include: listOf(TEXT),
    store: BOOLEAN,
    background: BOOLEAN,
    metadata: ANY_OBJECT,
  }),
};
