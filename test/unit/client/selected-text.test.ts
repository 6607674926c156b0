import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSelectedText, listRequestLines } from '../../../client/src/features/send/selected-text.ts';
import { ALL_MESSAGES } from '../../../protocols/all.ts';
import { itemRequest, sampleItemRequest } from '../../../client/src/features/agents/item-request.ts';
import { NULL } from '../../../core/values/value.ts';
import type { ItemParameter, ListedItem } from '../../../language/tools.ts';

const PAGE = [
  '# Title',
  '```mcp',
  '{"method":"ping"}',
  '```',
  'text',
  '~~~',
  '{"a":1}',
  '~~~',
  '```json',
  '{',
];

describe('the text that is sent from another document', () => {
  it('is the selection', () => {
    assert.deepEqual(findSelectedText('json', ['{"a":1}'], '{"b":1}', 0), { text: '{"b":1}', ending: '' });
    assert.equal(findSelectedText('markdown', PAGE, '```mcp\n{"b":1}\n```', 2).text, '{"b":1}');
  });

  it('is without a selection the fenced block at the cursor, whose name may be that of a protocol', () => {
    const at = (line: number) => findSelectedText('markdown', PAGE, '', line);
    assert.deepEqual(
      [at(0), at(1), at(2), at(4), at(6), at(9)],
      [
        { text: '', ending: '' },
        { text: '{"method":"ping"}', ending: '.mcp.jsonc' },
        { text: '{"method":"ping"}', ending: '.mcp.jsonc' },
        { text: '', ending: '' },
        { text: '{"a":1}', ending: '' },
        { text: '', ending: '' },
      ],
    );
  });

  it('is without a selection the line of JSON lines, and the whole of JSON', () => {
    assert.equal(findSelectedText('jsonl', ['{"a":1}', '{"b":1}'], '', 1).text, '{"b":1}');
    assert.equal(findSelectedText('jsonc', ['{', '}'], ' ', 1).text, '{\n}');
  });
});

describe('requests in other documents', () => {
  const linesOf = (language: string, ...lines: readonly string[]) =>
    listRequestLines(language, lines, ALL_MESSAGES);

  it('are fenced blocks that name a protocol or an agent', () => {
    assert.deepEqual(linesOf('markdown', ...PAGE), [1]);
    assert.deepEqual(
      linesOf('markdown', '```json', '// @agent a', '{}', '```', '```py', '// @agent a', '```'),
      [0],
    );
  });

  it('are JSON that only requests of one protocol look like', () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}';
    assert.deepEqual(
      linesOf(
        'jsonl',
        call,
        '{"jsonrpc":"2.0","method":"tasks/get"}',
        '{"method":"ping"}',
        'x',
        '{"input":"a","model":"m"}',
      ),
      [0, 4],
    );
    assert.deepEqual(linesOf('json', call), [0]);
    assert.deepEqual(linesOf('jsonc', '// @agent a', '{ "a": 1, }'), [0]);
    assert.deepEqual(linesOf('json', '{"input":"src","output":"out"}'), []);
    assert.deepEqual(linesOf('json', '[1'), []);
  });
});

describe('a request for a resource or a prompt', () => {
  const item = (kind: ListedItem['kind'], name: string, detail: string, ...parameters: ItemParameter[]) => ({
    kind,
    name,
    detail,
    description: '',
    parameters,
    value: NULL,
  });
  const city = { name: 'city', description: '', isRequired: true };
  const days = { name: 'days', description: '', isRequired: false };
  const readme = item('resource', 'Readme', 'file:///{a}.md');
  const forecast = item('template', 'Forecast', 'weather:///{city}', city);
  const greet = item('prompt', 'greet', '');
  const plan = item('prompt', 'plan', '(city, days?)', city, days);

  it('has a placeholder for each argument that is required', () => {
    assert.deepEqual(
      [readme, forecast, greet, plan].map(each => sampleItemRequest('mcp', each)),
      [
        { method: 'resources/read', params: { uri: 'file:///{a}.md' } },
        { method: 'resources/read', params: { uri: 'weather:///{city}' } },
        { method: 'prompts/get', params: { name: 'greet' } },
        { method: 'prompts/get', params: { name: 'plan', arguments: { city: 'city' } } },
      ],
    );
  });

  it('has the values of the user, and no braces of a resource are a variable', () => {
    const values = new Map([['city', 'São Paulo']]);
    assert.deepEqual(
      [readme, forecast, plan].map(each => itemRequest('mcp', each, values)?.params),
      [
        { uri: 'file:///{a}.md' },
        { uri: 'weather:///S%C3%A3o%20Paulo' },
        { name: 'plan', arguments: { city: 'São Paulo' } },
      ],
    );
    assert.equal(itemRequest('a2a', plan, values), undefined);
  });
});
