import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeField, encodeField } from '../../../protocol/src/aicf/codec.ts';
import { findFieldEnd } from '../../../protocol/src/aicf/characters.ts';
import { encodeJson, isAmbiguousJson } from '../../../protocol/src/aicf/json-field.ts';
import { readLine } from '../../../protocol/src/aicf/parse.ts';
import { fieldText } from '../../../protocol/src/aicf/ast.ts';
import { printMessage } from '../../../protocol/src/aicf/print.ts';
import { nastyText } from './nasty.ts';

describe('AICF codec', () => {
  it('escapes backslash, pipe, LF and CR and nothing else', () => {
    assert.equal(encodeField('a\\b|c\nd\re\tf"\u0000'), 'a\\\\b\\|c\\nd\\re\tf"\u0000');
  });

  it('reads the five escapes and keeps every other backslash', () => {
    assert.equal(decodeField('\\|\\\\\\n\\t\\r\\d\\"\\u0041\\'), '|\\\n\t\r\\d\\"\\u0041\\');
  });

  it('reads what it wrote, for every text', () => {
    fc.assert(
      fc.property(
        fc.oneof(nastyText(), fc.string({ unit: 'binary' })),
        text => decodeField(encodeField(text)) === text,
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
          ['CALL', [], fields],
        );
      }),
    );
  });

  it('encodes JSON so that it has one meaning, for every value', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        const field = encodeJson(json);
        assert.equal(isAmbiguousJson(field), false);
        assert.deepEqual(JSON.parse(decodeField(field)), JSON.parse(json));
      }),
    );
  });
});
