import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { ask, closeAll, connect, EVERYTHING, mcpProgram } from './support.ts';

describe('the methods of the reference server of MCP in AICF and AICL', () => {
  afterEach(closeAll);

  /** Sends requests over one connection, and returns the methods that were sent last and the replies. */
  const send = async (
    language: LanguageId,
    ...texts: readonly string[]
  ): Promise<readonly (readonly string[])[]> => {
    const inner = connect(mcpProgram([EVERYTHING]));
    const asked = askIn(inner, {
      protocols: ALL_PROTOCOLS,
      language,
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    const found: (readonly string[])[] = [];
    for (const text of texts) {
      const { reply, sent } = await ask(asked, text);
      // Answers to requests of the server have no method.
      const method = [...sent.matchAll(/"method":"([^"]+)"/g)].at(-1)?.[1] ?? 'none';
      found.push([method, reply.status, reply.message ?? reply.text]);
    }
    return found;
  };

  it('go out as these methods, and their results come back', async () => {
    const replies = await send(
      'aicf',
      'CALL|resources/read|{"uri":"demo://resource/static/document/features.md"}',
      'CALL|resources/templates/list',
      'CALL|prompts/get|{"name":"args-prompt","arguments":{"city":"Oslo"}}',
      'CALL|completion/complete|{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"department","value":"E"}}',
    );
    assert.deepEqual(
      replies.map(([method, status, text = '']) => [method, status, text.slice(0, 40)]),
      [
        ['resources/read', 'ok', 'OK|{"contents":[{"uri":"demo://resource/'],
        ['resources/templates/list', 'ok', 'OK|{"resourceTemplates":[{"name":"Dynami'],
        ['prompts/get', 'ok', 'OK|{"messages":[{"role":"user","content"'],
        ['completion/complete', 'ok', 'OK|{"completion":{"values":["Engineering'],
      ],
    );
    assert.match(replies[2]?.[2] ?? '', /What's weather in Oslo\?/);
  });

  it('take their parameters by place, too', async () => {
    const [read, prompt] = await send(
      'aicf',
      'CALL|resources/read|demo://resource/dynamic/text/7',
      'CALL|prompts/get|args-prompt|{"city":"Oslo"}',
    );
    assert.match(read?.[2] ?? '', /"uri":"demo:\/\/resource\/dynamic\/text\/7"/);
    assert.match(prompt?.[2] ?? '', /What's weather in Oslo\?/);
  });

  it('are requests of AICL', async () => {
    const head = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:tool_call]';
    const [reply] = await send(
      'aicl',
      `[d:${head},[s:tool]:[s:prompts/get],[s:params]:[d:[s:name]:[s:args-prompt],[s:arguments]:[d:[s:city]:[s:Rome]]]]`,
    );
    assert.deepEqual(reply?.slice(0, 2), ['prompts/get', 'ok']);
    assert.match(reply?.[2] ?? '', /What's weather in Rome\?/);
  });

  it('are not sent without what they require, and an error of the server is shown', async () => {
    const long = 'x'.repeat(100_000);
    const replies = await send(
      'aicf',
      'CALL|resources/read',
      'CALL|resources/read|{"url":"demo://x"}',
      'CALL|prompts/get|{"name":7}',
      'CALL|prompts/get|args-prompt|Oslo',
      'CALL|prompts/get|args-prompt',
      `CALL|resources/read|{"uri":"demo://${long}"}`,
    );
    assert.deepEqual(
      replies.map(([method, , text = '']) => [method, text.slice(0, 83)]),
      [
        ['none', "Not sent: the call lacks 'uri', and 'resources/read (uri: string)' requires it"],
        ['none', "Not sent: 'resources/read (uri: string)' takes no argument 'url'; did you mean 'uri"],
        ['none', "Not sent: 7 is not of type 'string', which 'name' has; write one that is"],
        ['none', "Not sent: 'Oslo' is not of type 'object', which 'arguments' has; write one that is"],
        [
          'prompts/get',
          'MCP error -32602: Invalid arguments for prompt args-prompt: Invalid input: expected',
        ],
        ['resources/read', `MCP error -32602: Resource demo://${'x'.repeat(49)}`],
      ],
    );
  });
});
