import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'mocha';
import { parseJSONRPCMessage } from '../../agents/mcp/library.ts';
import { describeLibraryError } from '../../agents/library-error.ts';

/** What the library of MCP throws of a message that does not have its form. */
function parse(): unknown {
  return parseJSONRPCMessage({ jsonrpc: '2.0', id: 1, result: 'x' });
}

async function caught(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

/** A validation's faults as libraries dump them. */
const DUMP = `[
  {
    "expected": "string",
    "code": "invalid_type",
    "path": ["tools", 0, "name"],
    "message": "Invalid input: expected string, received number"
  },
  { "code": "invalid_type", "path": ["tools", 0, "count"], "message": "Invalid input" }
]`;

const FORM = 'its message does not have the form that the protocol requires';

describe('what an error of a library says', () => {
  it('is the first fault of a validation in our words, with its place, however it is dumped', async () => {
    const fault = `${FORM} at 'tools.0.name', which has to be a text, and 1 more fault`;
    assert.equal(describeLibraryError(new Error(`Invalid result for tools/list: ${DUMP}`)), fault);
    assert.equal(describeLibraryError(new Error('Invalid result', { cause: new Error(DUMP) })), fault);
    assert.equal(describeLibraryError(await caught(parse)), FORM);
  });

  it('is a sentence for text that is not JSON', async () => {
    const error = await caught(() => JSON.parse('{"a"'));
    assert.equal(describeLibraryError(error), 'a text that should be JSON is not valid JSON');
  });

  it("is the system's code where no connection was established", async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await new Promise(resolve => server.close(resolve));
    const error = await caught(() => fetch(`http://127.0.0.1:${port}/`));
    assert.equal(describeLibraryError(error), 'no connection was established (ECONNREFUSED)');
  });

  it('is its message in quotes where it says it in words', () => {
    assert.equal(describeLibraryError(new Error('it\u001b ended')), "'itU+001B ended'");
    assert.equal(describeLibraryError('it ended'), "'it ended'");
  });
});
