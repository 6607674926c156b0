import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { convertText } from '../../../protocols/convert/convert.ts';

/** "Example Streaming Sequence" as the document prints it; its last two lines are abbreviated there and are no JSON. */
const SEQUENCE = `{"status":"created","id":"response_...","object":"response"}
{"status":"created","id":"msg_...","object":"message","type":"assistant"}
{"status":"in_progress","type":"text","index":0,"delta":true,"text":"Hello","object":"content"}
{"status":"in_progress","type":"text","index":0,"delta":true,"text":", ","object":"content"}
{"status":"in_progress","type":"text","index":0,"delta":true,"text":"world","object":"content"}
{"status":"completed","type":"text","index":0,"delta":false,"text":"Hello, world!","object":"content"}
{"status":"completed","id":"msg_...","object":"message", ...}
{"status":"completed","id":"response_...","object":"response", ...}
`;

/** "Agent Response Stream" of the section "Example Use Case". */
const USE_CASE = `{"id":"response_123","object":"response","status":"created"}
{"id":"msg_abc","object":"message","type":"assistant","status":"created"}
{"status":"in_progress","type":"text","index":0,"delta":true,"text":"This","object":"content","msg_id":"msg_abc"}
{"status":"in_progress","type":"text","index":0,"delta":true,"text":" image shows...","object":"content","msg_id":"msg_abc"}
{"status":"completed","type":"text","index":0,"delta":false,"text":"This image shows...","object":"content","msg_id":"msg_abc"}
{"id":"msg_abc","status":"completed","object":"message"}
{"id":"response_123","status":"completed","object":"response"}
`;

interface Shown {
  readonly text: string;
  readonly reported: readonly string[];
}

function convert(text: string, to: 'aicf' | 'agent-api'): Shown {
  const converted = convertText(text, { protocols: ALL_PROTOCOLS, to, layout: 'compact' });
  return {
    text: converted.text.trim(),
    reported: [
      ...converted.losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`),
      ...converted.notes.map(({ message }) => message),
    ],
  };
}

const AS_ONE =
  'A stream was read as one complete reply; its division into chunks and their times are not carried';

describe("the event sequences of the Agent API's document, as lines of JSON", () => {
  it('"Agent Response Stream" is one complete reply', () => {
    assert.deepEqual(convert(USE_CASE, 'aicf').text, 'OK|This image shows...');
    const { text, reported } = convert(USE_CASE, 'agent-api');
    const { status, output } = JSON.parse(text) as { readonly status: string; readonly output: unknown };
    assert.deepEqual(
      { status, output, reported },
      {
        status: 'completed',
        output: [
          {
            object: 'message',
            id: 'msg_abc',
            status: 'completed',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text: 'This image shows...' }],
          },
        ],
        reported: [AS_ONE],
      },
    );
  });

  it('"Example Streaming Sequence" is read as far as it is JSON, and all that it lacks is reported', () => {
    const { text, reported } = convert(SEQUENCE, 'agent-api');
    const { status, output } = JSON.parse(text) as {
      readonly status: string;
      readonly output: readonly { readonly content: unknown }[];
    };
    assert.deepEqual(
      [status, output.map(({ content }) => content), reported],
      [
        'incomplete',
        [[{ type: 'text', text: 'Hello, world!' }]],
        [
          `dropped line 7: '{"status":"completed","id":"msg_...","ob…' is not complete JSON; the line is left out`,
          `dropped line 8: '{"status":"completed","id":"response_...…' is not complete JSON; the line is left out`,
          'A content does not name its message and was put into the one written last (4 times)',
          'A content differs from its chunks; the complete one counts',
          'The agent ended its reply early: it is incomplete',
          AS_ONE,
        ],
      ],
    );
  });

  it('"Example Streaming Sequence" without the abbreviations is complete', () => {
    const { text } = convert(SEQUENCE.replaceAll(', ...}', '}'), 'aicf');
    assert.equal(text, 'OK|Hello, world!');
  });
});
