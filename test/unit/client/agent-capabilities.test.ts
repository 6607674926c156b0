import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listRows } from '../../../client/src/features/agents/agent-rows.ts';
import type { AgentInfo, AgentCapabilities, ToolInfo } from '../../../client/src/services/agent-service.ts';
import { writeCurl } from '../../../client/src/agents/curl.ts';
import { compareTools, summarizeChange } from '../../../client/src/services/tool-change.ts';
import { jsonRpcOf, writeSampleCall } from '../../../client/src/features/agents/sample-call.ts';
import { NULL } from '../../../core/values/value.ts';
import type { ArgumentDeclaration } from '../../../language/tools.ts';

function argument(name: string, more: Partial<ArgumentDeclaration> = {}): ArgumentDeclaration {
  return {
    name,
    type: 'string',
    isOptional: false,
    typeSpan: undefined,
    span: { start: 0, end: 0 },
    ...more,
  };
}

function tool(name: string, declared: readonly ArgumentDeclaration[] = []): ToolInfo {
  return {
    name,
    description: '',
    declaration: { name, description: '', arguments: declared },
    schema: undefined,
  };
}

const BUILD = tool('build', [
  argument('target'),
  argument('mode', { values: ['debug', 'release'] }),
  argument('jobs', { type: 'integer' }),
  argument('clean', { type: 'boolean', isOptional: true }),
]);

describe('what agents offer', () => {
  it('is compared by names and by what is said of each', () => {
    const before = [tool('same'), tool('gone'), tool('other')];
    const change = compareTools(before, [tool('same'), tool('other', [argument('x')]), BUILD]);
    assert.deepEqual(change, { added: ['build'], removed: ['gone'], changed: ['other'] });
    assert.equal(change && summarizeChange(change), '1 new, 1 gone, 1 changed');
    assert.equal(compareTools(before, [...before]), undefined);
  });

  it('is listed below its agent: what is to be said, what changed, tools, resources, prompts', () => {
    const agent = { name: 'coder', protocol: 'mcp' } as AgentInfo;
    const item = {
      kind: 'resource',
      name: 'notes',
      description: '',
      detail: 'file:///notes',
      parameters: [],
      value: NULL,
    } as const;
    const capabilities: AgentCapabilities = {
      state: 'connected',
      peer: undefined,
      tools: [BUILD],
      resources: [item],
      prompts: [item],
      at: 1,
      problem: undefined,
      change: { added: ['build'], removed: ['old'], changed: [] },
    };
    const rows = listRows({ kind: 'agent', agent, file: undefined as never }, capabilities);
    const kinds = (from: AgentCapabilities): readonly unknown[] =>
      listRows({ kind: 'agent', agent, file: undefined as never }, from).map(row =>
        row.kind === 'remark' ? row.text : row.kind,
      );
    assert.deepEqual(
      rows.map(row => row.kind),
      ['change', 'group', 'group', 'group'],
    );
    assert.deepEqual(
      rows
        .flatMap(row => listRows(row, capabilities))
        .flatMap(row => (row.kind === 'tool' ? [row, ...listRows(row, capabilities)] : [row]))
        .map(row => (row.kind === 'changed' ? [row.name, row.word] : row.kind)),
      [
        ['build', 'new'],
        ['old', 'gone'],
        'tool',
        'argument',
        'argument',
        'argument',
        'argument',
        'resource',
        'prompt',
      ],
    );
    const bare = { ...capabilities, change: undefined, resources: [], prompts: [] };
    assert.deepEqual(
      [
        kinds({ ...bare, tools: [] }),
        kinds({ ...bare, tools: undefined }),
        kinds({ ...bare, state: 'failed', tools: undefined, problem: 'Nobody is there' }),
        kinds({ ...bare, state: 'idle', tools: undefined }),
      ],
      [['It lists no tools'], ['Tools not loaded. Click to load.'], ['Nobody is there'], []],
    );
  });

  it('is written as a call with a value for each argument that is needed', () => {
    assert.deepEqual(
      [writeSampleCall(BUILD, 'aicf'), JSON.parse(writeSampleCall(BUILD, 'mcp'))],
      [
        'CALL|build|target|debug|0',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'build', arguments: { target: 'target', mode: 'debug', jobs: 0 } },
        },
      ],
    );
    assert.match(writeSampleCall(BUILD, 'aicl'), /\[s:tool\]:\[s:build\][\s\S]*\[s:jobs\]:\[i:0\]/);
  });

  it('is written in the JSON-RPC that its agent takes', () => {
    const methods = (['mcp', 'aio', 'a2a', 'json-rpc', 'aicf', 'aicl'] as const).map(
      protocol => /"method": "([^"]*)"/.exec(writeSampleCall(BUILD, jsonRpcOf(protocol)))?.[1],
    );
    assert.deepEqual(methods, [
      'tools/call',
      'agent::tools.call',
      'SendMessage',
      'aip.tool.invoke',
      'aip.tool.invoke',
      'aip.tool.invoke',
    ]);
  });

  it('is sent by curl without any secret', () => {
    const headers = new Map([
      ['Authorization', 'Bearer abc123'],
      ['X-Api-Key', '${secret:figma-key}'],
      ['X-Plain', 'a "$b"'],
    ]);
    const url = 'https://ann:pw@host/${env:PATH_PART}?token=t0k';
    const common = { name: 'x', inputs: new Map(), span: { start: 0, end: 0 }, tls: {} };
    assert.deepEqual(
      writeCurl({ ...common, type: 'http', protocol: 'aicf', url, headers }, "CALL|it's|$x").split(' \\\n  '),
      [
        'curl "https://$TOKEN@host/$PATH_PART?token=$TOKEN"',
        '-H "Content-Type: text/plain"',
        '-H "Accept: text/plain, */*;q=0.5"',
        '-H "Authorization: Bearer $TOKEN"',
        '-H "X-Api-Key: $FIGMA_KEY"',
        '-H "X-Plain: a \\"\\$b\\""',
        String.raw`--data-raw 'CALL|it'\''s|$x'`,
      ],
    );
  });
});
