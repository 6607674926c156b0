import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languageOf } from '../../../../client/src/conversion/result-language.ts';
import { countFindings } from '../../../../client/src/conversion/words.ts';
import type { ConversionFinding } from '../../../../wire/conversion-requests.ts';

describe('a conversion for people', () => {
  it('says how many things are not as they were', () => {
    const place = { line: 0, character: 0 };
    const find = (kind: ConversionFinding['kind']): ConversionFinding => ({
      kind,
      path: '',
      message: '',
      range: { start: place, end: place },
    });
    const count = (kinds: readonly ConversionFinding['kind'][], unreported = 0): unknown =>
      countFindings({ findings: kinds.map(find), unlisted: unreported });
    assert.deepEqual(
      [
        count([]),
        count(['dropped']),
        count(['note', 'note']),
        count(['rounded', 'moved', 'guessed', 'note'], 2000),
      ],
      [undefined, '1 loss', '2 notes', '2,002 losses, 1 guess, 1 note'],
    );
  });

  it('is in the language that shows it best', () => {
    assert.deepEqual(
      [
        languageOf('aicl', '[d:]'),
        languageOf('aicf', 'LIST'),
        languageOf('mcp', '{\n  "id": 1\n}\n'),
        languageOf('mcp', '{"id":1}\n'),
        languageOf('mcp', '{"id":1}\n{"id":2}\n'),
        languageOf('responses', 'event: a\ndata: {}\n\n'),
        languageOf('json', ''),
      ],
      ['aicl', 'aicf', 'json', 'json', 'jsonl', 'plaintext', 'json'],
    );
  });
});
