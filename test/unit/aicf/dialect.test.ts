import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { dialect } from '../../../language/aicf/features/dialect.ts';
import { symbols } from '../../../language/aicf/features/symbols.ts';
import { editAicf, parseAicf } from '../../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../core/catalog/settings.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';

const CONTEXT = '@NOTES\nfree text\n';
const RPC = 'CALL|math.add|1|2\n';

function withDialect(name: Settings['aicf.dialect']): Settings {
  return { ...DEFAULT_SETTINGS, 'aicf.dialect': name };
}

describe('AICF dialect', () => {
  const reasons: readonly (readonly [text: string, name: string, reason: string])[] = [
    ['\n\n# hello\nLIST\n@STATE\n', 'rpc', 'Line 4 is a message.'],
    ['a\n\n@STATE\nb\n', 'context', 'Line 3 begins a section. No message in 3 lines checked.'],
    ['@STATE', 'context', 'Line 1 begins a section. No message in 1 line checked.'],
    ['\n{\n}', 'context', 'Line 2 is how a context file begins. No message in 2 lines checked.'],
    ['', 'rpc', 'No message and no section in 0 lines checked.'],
    [
      `@STATE\n${'x\n'.repeat(300)}${RPC}`,
      'context',
      'Line 1 begins a section. No message in 200 lines checked.',
    ],
  ];
  for (const [text, name, reason] of reasons) {
    it(`of ${JSON.stringify(text.slice(0, 30))} is ${name}, and says why`, () => {
      assert.deepEqual(dialect(parseAicf(text, DEFAULT_SETTINGS)), { name, reason });
    });
  }

  it('counts lines over all blocks of a large file', () => {
    const text = `\n${`${'x'.repeat(2_000)}\n`.repeat(100)}${RPC}`;
    assert.equal(dialect(parseAicf(text, DEFAULT_SETTINGS)).reason, 'Line 102 is a message.');
  });

  it('is the one that the setting names, whatever the file looks like', () => {
    const reason = 'The setting parley.aicf.dialect says so.';
    const asContext = parseAicf(RPC, withDialect('context'));
    const asRpc = parseAicf(CONTEXT, withDialect('rpc'));
    assert.deepEqual(
      [dialect(asContext), dialect(asRpc)],
      [
        { name: 'context', reason },
        { name: 'rpc', reason },
      ],
    );
    assert.deepEqual([validateAicf(asContext), symbols(asContext)], [[], []]);
    assert.deepEqual(
      validateAicf(asRpc).map(({ code }) => code),
      ['aicf/foreign-text'],
    );
  });

  it('stays the named one after an edit, and follows the text without a name', () => {
    const edit = { span: { start: 0, end: CONTEXT.length }, newText: RPC };
    const names = (['auto', 'rpc', 'context'] as const).map(
      name => editAicf(parseAicf(CONTEXT, withDialect(name)), edit).dialect,
    );
    assert.deepEqual(names, ['rpc', 'rpc', 'context']);
  });
});
