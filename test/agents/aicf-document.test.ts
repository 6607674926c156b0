import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';

/** The examples of AICF-RPC 1.0 with a request and a response, as the document writes them, and the outcome. */
const TRANSCRIPTS = [
  {
    name: 'LIST',
    text: 'Request:  LIST\nResponse: TOOLS|figma.getFile|figma.getComments|figma.getVersions',
    outcome: { status: 'ok' },
  },
  {
    name: 'INFO',
    text: 'Request:  INFO|figma.getFile\nResponse: TOOL|figma.getFile|Get Figma file data|fileKey:string|version:string',
    outcome: { status: 'ok' },
  },
  {
    name: 'Example 1',
    text: 'Request:  CALL|figma.getFile|abc123\nResponse: OK|{"name":"My Design","lastModified":"2025-10-21"}',
    outcome: { status: 'ok' },
  },
  {
    name: 'Example 2',
    text: 'Request:  CALL|playwright.navigate|https://example.com\nResponse: OK|Navigation successful',
    outcome: { status: 'ok' },
  },
  {
    name: 'Example 3',
    text: 'Request:  CALL|playwright.screenshot|test.png|1920|1080\nResponse: OK|Screenshot saved to test.png',
    outcome: { status: 'ok' },
  },
  {
    name: 'Example 4',
    text: 'Request:  CALL|figma.getFile|invalid\nResponse: ERR|404|File not found: invalid',
    outcome: { status: 'error', code: '404', message: 'File not found: invalid' },
  },
  {
    name: 'Example 5',
    text: 'Request:  LIST\nResponse: TOOLS|figma.getFile|figma.getComments|playwright.navigate|playwright.screenshot',
    outcome: { status: 'ok' },
  },
] as const;

/** An agent that answers every request with one body. */
async function answering(body: string): Promise<RawAgent> {
  return startRawAgent(socket => void socket.end(reply(body)));
}

function at(agent: RawAgent, more: Partial<ResolvedHttpAgent> = {}): ResolvedHttpAgent {
  return agentAt('aicf', `${agent.origin}/aip/v1/aicf`, { quirks: 'off', ...more });
}

/** The first line and the body of each request that arrived. */
function received({ requests }: RawAgent): readonly (readonly (string | undefined)[])[] {
  return requests.map(request => [request.split('\r\n', 1)[0], request.split('\r\n\r\n')[1]]);
}

describe('the transcripts of AICF-RPC 1.0', () => {
  afterEach(closeRawAgents);

  for (const { name, text, outcome } of TRANSCRIPTS)
    it(`${name}: the request goes out without its prefix, and the response is read`, async () => {
      const [response = ''] = /(?<=Response: ).*/.exec(text) ?? [];
      const [sent] = LANGUAGE_SUPPORT.aicf.open(`${text}\n`, DEFAULT_SETTINGS).requests();
      assert.ok(sent);
      const agent = await answering(response);
      const connection = connectTo(at(agent));
      const { reply: came } = await sendTo(connection, sent.wireText);
      assert.deepEqual(came, { ...outcome, isProtocol: true, text: response });
      assert.deepEqual(received(agent), [
        ['POST /aip/v1/aicf HTTP/1.1', /(?<=Request: {2}).*/.exec(text)?.[0]],
      ]);
    });

  for (const [line, code, message] of [
    ['ERR|400|Invalid format', '400', 'Invalid format'],
    ['ERR|404|Tool not found: figma.getFile', '404', 'Tool not found: figma.getFile'],
    ['ERR|422|Missing required argument: fileKey', '422', 'Missing required argument: fileKey'],
    ['ERR|500|Internal server error', '500', 'Internal server error'],
  ] as const)
    it(`${line} is a failed call`, async () => {
      const { reply: came } = await sendTo(connectTo(at(await answering(line))), 'CALL|figma.getFile|abc123');
      assert.deepEqual([came.status, came.code, came.message], ['error', code, message]);
    });

  it('a credential goes out as it is written, in the last field or in a header', async () => {
    const agent = await answering('OK|true');
    await sendTo(connectTo(at(agent)), 'CALL|figma.getFile|abc123|AUTH:token123');
    const headers = new Map([['Authorization', 'Bearer token123']]);
    await sendTo(connectTo(at(agent, { headers })), 'CALL|figma.getFile|abc123');
    const [field, header] = agent.requests;
    assert.equal(field?.endsWith('\r\n\r\nCALL|figma.getFile|abc123|AUTH:token123'), true);
    assert.equal(header?.includes('\r\nauthorization: Bearer token123\r\n'), true);
  });

  it('a stream of chunks is one reply', async () => {
    const body = 'STREAM|chunk1\nSTREAM|chunk2\nSTREAM|chunk3\nEND\n';
    const { reply: came } = await sendTo(connectTo(at(await answering(body))), 'CALL|tool');
    assert.deepEqual(came, { status: 'ok', isProtocol: true, text: body });
  });
});
