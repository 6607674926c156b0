import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  decodeField,
  encodeField,
  escapeField,
  printMessage,
  findFieldEnd,
} from '../../../language/aicf/codec.ts';
import { encodeJson, isAmbiguousJson } from '../../../language/aicf/json-field.ts';
import { readLine } from '../../../language/aicf/parse.ts';
import { fieldText } from '../../../language/aicf/ast.ts';
import { nastyText } from './nasty.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('AICF codec', () => {
  it('escapes backslash, pipe and LF, writes CRLF and CR as LF, and changes nothing else', () => {
    assert.equal(encodeField('a\\b|c\nd\te"\u0000'), 'a\\\\b\\|c\\nd\te"\u0000');
    assert.equal(encodeField('a\r\nb\rc\r\r\n\r\\n'), 'a\\nb\\nc\\n\\n\\n\\\\n');
  });

  it('reads the three escapes, in responses a fourth, and keeps every other backslash', () => {
    const raw = '\\|\\\\\\n\\t\\r\\d\\"\\u0041\\';
    assert.equal(decodeField(raw, 'request'), '|\\\n\\t\\r\\d\\"\\u0041\\');
    assert.equal(decodeField(raw, 'response'), '|\\\n\t\\r\\d\\"\\u0041\\');
  });

  it('reads what it wrote, for every text: CRs as line feeds', () => {
    fc.assert(
      fc.property(
        fc.oneof(nastyText(), fc.string({ unit: anyCharacter })),
        fc.constantFrom('request' as const, 'response' as const),
        (text, side) => {
          assert.equal(decodeField(escapeField(text), side), text);
          assert.equal(decodeField(encodeField(text), side), text.replace(/\r\n?/g, '\n'));
        },
      ),
    );
  });

  it('writes fields that no delimiter and no line end cuts', () => {
    fc.assert(
      fc.property(nastyText(), text => {
        const field = encodeField(text);
        assert.equal(findFieldEnd(field, 0), field.length);
        assert.ok(!/[\r\n]/.test(field));
      }),
    );
  });

  it('prints messages that read back to the same command and fields', () => {
    fc.assert(
      fc.property(fc.array(nastyText(), { maxLength: 6 }), fields => {
        const text = printMessage({ command: 'CALL', fields });
        const line = readLine(text);
        assert.deepEqual(
          [line.command, line.faults, fields.map((_, index) => fieldText(text, line, index))],
          ['CALL', [], fields.map(field => field.replace(/\r\n?/g, '\n'))],
        );
      }),
    );
  });

  it('encodes JSON so that it has one meaning, for every value', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        const field = encodeJson(json);
        for (const side of ['request', 'response'] as const) {
          assert.equal(isAmbiguousJson(field, side), false);
          assert.deepEqual(JSON.parse(decodeField(field, side)), JSON.parse(json));
        }
      }),
    );
  });
});
