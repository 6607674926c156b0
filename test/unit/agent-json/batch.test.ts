import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, settingsOfFile } from '../../../core/catalog/settings.ts';
import { checkedLanguages } from '../../../language/agent-json/checked.ts';
import type { SendableRequest } from '../../../language/support.ts';
import { ALL_MESSAGES } from '../../../protocols/all.ts';

const SUPPORT = checkedLanguages(ALL_MESSAGES.list)['agent-json'];

function requestsOf(text: string): readonly SendableRequest[] {
  return SUPPORT.open(text, settingsOfFile(DEFAULT_SETTINGS, 'x.json-rpc.jsonc')).requests();
}

describe('a batch of JSON-RPC', () => {
  it('is one request with the lines above its array, between requests of their own', () => {
    const found = requestsOf(`{"method":"a"}
// @batch
// @agent tools
// @name both
[ {"method": "b", "id": 1.0}, // a comment
  {"method": "c"}, ]
[{"method":"d"}]`);
    assert.deepEqual(
      found.map(({ title, wireText, directives, refusal }) => ({ title, wireText, directives, refusal })),
      [
        { title: 'a', wireText: '{"method":"a"}', directives: {}, refusal: undefined },
        {
          title: 'batch of 2',
          wireText: '[{"method":"b","id":1.0},{"method":"c"}]',
          directives: { batch: '', agent: 'tools', name: 'both' },
          refusal: undefined,
        },
        { title: 'd', wireText: '{"method":"d"}', directives: {}, refusal: undefined },
      ],
    );
  });

  it('is not sent with a line inside that concerns one of its requests, or with broken JSON', () => {
    const refusals = [
      '// @batch\n[{"method":"a"},\n// @timeout 3\n{"method":"b"}]',
      '// @batch\n[{"method":"a"},{"method":}]',
    ];
    assert.deepEqual(
      refusals.map(text => requestsOf(text).map(({ refusal }) => refusal)),
      [
        ["The line '// @timeout 3' is inside a batch, which is sent as a whole; move it above the array"],
        ["It is not valid JSON: a value is missing before '}'; write one"],
      ],
    );
  });

  it('is one message, with the lines above it', () => {
    const text = '// @batch\n[{"method":"a"},{"method":"b"}]\n{"method":"c"}';
    const doc = SUPPORT.open(text, settingsOfFile(DEFAULT_SETTINGS, 'x.json-rpc.jsonc'));
    const found = [...doc.messages({ start: 0, end: text.length })];
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      ['[{"method":"a"},{"method":"b"}]', '{"method":"c"}'],
    );
  });

  it('is checked request by request', () => {
    const doc = SUPPORT.open(
      '// @batch\n[{"method":"tools/list"},{"method":"tools/lst"},5]',
      settingsOfFile(DEFAULT_SETTINGS, 'x.mcp.jsonc'),
    );
    assert.deepEqual(
      doc.validate().map(({ code }) => code),
      ['agent-json/unknown-method', 'agent-json/no-request'],
    );
  });
});
