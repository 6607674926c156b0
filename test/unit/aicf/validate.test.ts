import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAicf } from '../../../protocol/src/aicf/parse.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../protocol/src/catalog/settings.ts';
import { applyEdits } from '../../../protocol/src/text/edit.ts';
import type { Issue } from '../../../protocol/src/text/issue.ts';
import { validateAicf } from '../../../protocol/src/validate/aicf/validate.ts';

function validate(text: string, settings: Settings = DEFAULT_SETTINGS): readonly Issue[] {
  return validateAicf(parseAicf(text, settings));
}

function messages(text: string): string[] {
  return validate(text).map(issue => issue.message);
}

/** The text after each fix of its only issue. */
function fixes(text: string): string[] {
  const [issue, ...others] = validate(text);
  assert.deepEqual(others, []);
  return (issue?.fixes ?? []).map(fix => applyEdits(text, fix.edits));
}

describe('AICF messages and fixes', () => {
  it('say what is wrong and what to do', () => {
    assert.deepEqual(messages('list'), ["'list' is not a command; write 'LIST' (400)"]);
    assert.deepEqual(messages('CALL|'), [
      "After 'CALL' the name of a tool is missing; write 'CALL|tool' (400)",
    ]);
    assert.deepEqual(messages('CALLS|t'), [
      "'CALLS' is not a command of AICF-RPC 1.0; did you mean 'CALL'? (400)",
    ]);
    assert.deepEqual(messages('LIST\ncal l|t'), [
      "No command begins 'cal l|t'; begin the line with a command, or with '#' for a note (400)",
    ]);
    assert.deepEqual(messages('TOOLS|figma.getFile\nCALL|figma.getfile'), [
      "The file lists no tool 'figma.getfile'; did you mean 'figma.getFile'? (404)",
    ]);
  });

  it('mend lines', () => {
    assert.deepEqual(fixes('Call|t'), ['CALL|t']);
    assert.deepEqual(fixes('CALL t|x'), ['CALL|t|x']);
    assert.deepEqual(fixes('  Request:  LIST'), ['LIST']);
    assert.deepEqual(fixes('OK|a|b\\|c|d'), ['OK|a\\|b\\|c\\|d']);
    assert.deepEqual(fixes('CALL|t|\\d\\n\\w'), ['CALL|t|\\\\d\\n\\\\w']);
    assert.deepEqual(fixes('CALL|t|C:\\new\\dir'), ['CALL|t|C:\\\\new\\\\dir']);
    assert.deepEqual(fixes('CALL|t|\\\\host\\temp'), ['CALL|t|\\\\\\\\host\\\\temp']);
    assert.deepEqual(fixes('OK|{\r\n"a|b": 1\r\n}\r\n\r\nLIST'), ['OK|{\\n"a\\|b": 1\\n}\r\n\r\nLIST']);
    assert.deepEqual(fixes('LIST\none\n\ntwo'), ['LIST\n# one\n\n# two']);
    assert.deepEqual(fixes('CALL|t|{"a":"x|y|z"}|q'), ['CALL|t|{"a":"x\\|y\\|z"}|q']);
    assert.deepEqual(fixes('CALL|t|{"a":"x\\ny"}'), ['CALL|t|{"a":"x\\u000ay"}']);
    assert.deepEqual(fixes('CALL|t|{"p":"C:\\\\new"}'), [
      'CALL|t|{"p":"C:\\u005cnew"}',
      'CALL|t|{"p":"C:\\u000aew"}',
    ]);
  });

  it('never show a credential', () => {
    const found = validate('CALL|t|AUTH:hunter2');
    assert.equal(found.length, 1);
    assert.ok(!JSON.stringify(found).includes('hunter2'));
  });

  it('join foreign lines to one issue across blank lines, not across container lines', () => {
    assert.deepEqual(
      validate('LIST\na\n\nb\n# c\nd').map(({ code, span }) => [code, span.start, span.end]),
      [
        ['aicf/foreign-text', 5, 9],
        ['aicf/foreign-text', 14, 15],
      ],
    );
  });

  it('follow the limits of the settings', () => {
    const settings: Settings = { ...DEFAULT_SETTINGS, 'aicf.maxFields': 2, 'aicf.maxBodyBytes': 12 };
    const codes = (text: string): string[] => validate(text, settings).map(issue => issue.code);
    assert.deepEqual(codes('CALL|t|a'), []);
    assert.deepEqual(codes('CALL|t|a|b'), ['aicf/too-many-fields']);
    assert.deepEqual(codes('CALL|t|界界'), ['aicf/body-too-long']);
    assert.deepEqual(codes('TOOLS|a|b|c|d|e|f|g'), []);
  });

  it('count a credential neither as an argument nor as a field too many', () => {
    assert.deepEqual(
      validate('TOOL|t|d|a\nCALL|t|1|AUTH:x\nLIST|AUTH:x').map(issue => issue.code),
      ['aicf/auth-field', 'aicf/auth-field'],
    );
  });

  it('find nothing in the examples of the protocol, prefixes apart', () => {
    const text = [
      'Request:  CALL|figma.getFile|abc123',
      'Response: OK|{"name":"My Design","lastModified":"2025-10-21"}',
      'CALL|figma.getFile|abc123|1.0',
      'CALL|playwright.screenshot|test.png|1920|1080',
      'CALL|tool|{"key":"value","nested":{"data":true}}',
      'CALL|tool|arg1,arg2,arg3',
      'CALL|tool|["arg1","arg2","arg3"]',
      'ERR|404|File not found: invalid',
      'TOOL|figma.getFile|Get Figma file data|fileKey:string|version:string',
      'STREAM|chunk1',
      'STREAM|chunk2',
      'END',
    ].join('\n');
    assert.deepEqual(
      validate(text).map(({ code, severity }) => [code, severity]),
      [
        ['aicf/prefix', 'hint'],
        ['aicf/fewer-arguments', 'hint'],
        ['aicf/prefix', 'hint'],
      ],
    );
  });
});
