import { protocolRow } from '../../../core/catalog/protocols.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AICF_ERROR_CODES } from '../../../core/catalog/aicf.ts';
import { AICL_ERRORS } from '../../../core/catalog/aicl.ts';
import { ERROR_MEANINGS } from '../../../core/catalog/error-meanings.ts';
import { toOutcome as fromAicf } from '../../../protocols/aicf/outcome.ts';
import { toOutcome as fromAicl } from '../../../protocols/aicl/outcome.ts';
import { findMeaning } from '../../../protocols/errors/error-code.ts';
import { foldAicfReply } from '../../../language/aicf/reply-stream.ts';
import { foldAiclReply } from '../../support/aicl-reply.ts';
import type { Outcome } from '../../../core/message/message.ts';

const error = (fields: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:error],${fields}]`;

const failed = (
  protocol: 'aicl' | 'aicf',
  code: string | undefined,
  meaning: string | undefined,
  text: string,
): object => ({
  kind: 'error',
  protocol,
  code,
  meaning,
  text,
});

describe('the outcome of a reply', () => {
  const aicf: readonly (readonly [string, object])[] = [
    ['OK|{"a":1}', { kind: 'result' }],
    ['OK', { kind: 'result' }],
    ['STREAM|1\nSTREAM|2\nEND', { kind: 'result' }],
    ['ERR|404|Tool not found: x', failed('aicf', '404', 'no-such-tool', 'Tool not found: x')],
    ['ERR|418|', failed('aicf', '418', undefined, 'The agent answered ERR|418 without a message')],
    ['STREAM|1\nERR|500|cut', failed('aicf', '500', 'tool-failed', 'cut')],
    ['OK|{"success":false,"error":"no luck"}', failed('aicf', undefined, undefined, 'no luck')],
    ['OK|{"success":false,"error":{"message":"deep"}}', failed('aicf', undefined, undefined, 'deep')],
    ['OK|{"success":true,"error":"ignored"}', { kind: 'result' }],
  ];
  for (const [body, expected] of aicf) {
    it(`AICF ${body.replace(/\n/g, ' ⏎ ')}`, () => assert.deepEqual(fromAicf(foldAicfReply(body)), expected));
  }

  const aicl: readonly (readonly [string, Outcome | object])[] = [
    ['[d:[s:msg_type]:[s:result],[s:data]:[i:1]]', { kind: 'result' }],
    [
      error('[s:code]:[i:3001],[s:reason]:[s:TOOL_UNAVAILABLE]'),
      failed('aicl', '3001', 'no-such-tool', 'TOOL_UNAVAILABLE'),
    ],
    [
      error('[s:code]:[i:5017],[s:detail]:[s:out of memory]'),
      failed('aicl', '5017', 'tool-failed', 'out of memory'),
    ],
    [
      error('[s:code]:[i:1001]'),
      failed('aicl', '1001', 'invalid-tensor', "A tensor's type, shape and data do not agree."),
    ],
    [
      error('[s:code]:[i:404]'),
      failed(
        'aicl',
        '404',
        undefined,
        'The agent answered with an error and did not say why; look at its reply',
      ),
    ],
  ];
  for (const [body, expected] of aicl) {
    it(`AICL ${body.slice(-60)}`, () => assert.deepEqual(fromAicl(foldAiclReply(body)), expected));
  }
});

describe('codes across protocols', () => {
  it('every code of a protocol has one meaning, and a number counts in its own column only', () => {
    for (const row of AICL_ERRORS)
      assert.notEqual(findMeaning(protocolRow('aicl').errors, String(row.code)), undefined, row.name);
    for (const row of AICF_ERROR_CODES)
      assert.notEqual(findMeaning(protocolRow('aicf').errors, String(row.code)), undefined, row.title);
    assert.equal(findMeaning(protocolRow('aicl').errors, '404'), undefined);
    assert.equal(findMeaning(protocolRow('aicf').errors, '3001'), undefined);
    assert.equal(findMeaning(protocolRow('aicf').errors, 'ECONNREFUSED'), undefined);
    assert.equal(new Set(ERROR_MEANINGS.map(row => row.aicl)).size, ERROR_MEANINGS.length);
  });
});
