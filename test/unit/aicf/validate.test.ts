import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCall } from '../../../protocol/src/aicf/call.ts';
import { listLines } from '../../../protocol/src/aicf/lines.ts';
import { parseAicf } from '../../../protocol/src/aicf/parse.ts';
import type { RuleCode } from '../../../protocol/src/catalog/rules.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../protocol/src/catalog/settings.ts';
import { applyEdits } from '../../../protocol/src/text/edit.ts';
import type { Issue } from '../../../protocol/src/text/issue.ts';
import { checkArguments } from '../../../protocol/src/validate/aicf/arguments.ts';
import { checkAicf, validateAicf } from '../../../protocol/src/validate/aicf/validate.ts';
import { capIssues } from '../../../protocol/src/validate/cap.ts';
import { FirstIssues } from '../../../protocol/src/validate/first-issues.ts';

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

  it('put the sign of a note before a prefix', () => {
    const text = 'LIST\nRequest: foo\n Request: bar';
    const [fix] = validate(text).find(issue => issue.code === 'aicf/foreign-text')?.fixes ?? [];
    const mended = applyEdits(text, fix?.edits ?? []);
    assert.deepEqual([mended, validate(mended)], ['LIST\n# Request: foo\n#  Request: bar', []]);
  });

  it('say of a command before a blank what is missing or too much', () => {
    const shown = (text: string): unknown =>
      validate(text).map(({ message, fixes }) => [message, fixes?.map(fix => applyEdits(text, fix.edits))]);
    assert.deepEqual(shown('INFO|a\nLIST x'), [
      [
        "'LIST' takes no text; remove it, or begin the line with '#' for a note (400)",
        ['INFO|a\nLIST', 'INFO|a\n# LIST x'],
      ],
    ]);
    assert.deepEqual(shown('LIST\nTOOLS  a'), [
      [
        "After 'TOOLS' a '|' is missing; fields are separated by '|' (400)",
        ['LIST\nTOOLS|a', 'LIST\n# TOOLS  a'],
      ],
    ]);
  });

  it('give advice on backslashes in JSON that ends', () => {
    const codes = (text: string): string[] => validate(text).map(issue => issue.code);
    const ambiguous = 'CALL|t|{"a":"C:\\\\new"}';
    assert.deepEqual(codes(ambiguous), ['aicf/ambiguous-json']);
    assert.deepEqual(fixes(ambiguous).map(codes), [[], []]);
    assert.deepEqual(messages('CALL|t|{"a":"\\""}'), [
      'The backslash is kept, so the JSON is read as written; double it for readers that drop it',
    ]);
    assert.deepEqual(fixes('CALL|t|{"a":"\\""}').map(codes), [[]]);
  });

  it('double a thousand backslashes of a field, and offer no fix for more', () => {
    const [most, more] = ['\\d'.repeat(1_000), '\\d'.repeat(1_001)];
    assert.deepEqual(fixes(`CALL|t|${most}`), [`CALL|t|${most.replaceAll('\\', '\\\\')}`]);
    assert.deepEqual(fixes(`CALL|t|${more}`), []);
    assert.deepEqual(fixes(`CALL|t|C:\\n${more}`), []);
    const long = validate(`CALL|t|\\d${'x'.repeat(1 << 20)}`).find(
      ({ code }) => code === 'aicf/stray-escape',
    );
    assert.deepEqual(long?.fixes, undefined);
  });

  it('keep few issues of many, the first ones, and count all', () => {
    const issues = new FirstIssues<RuleCode>(3);
    const all: Issue<RuleCode>[] = [];
    let most = 0;
    for (let index = 0; index < 100; index++) {
      const start = (index * 37) % 100;
      const issue: Issue<RuleCode> = {
        code: 'aicf/unknown-command',
        severity: 'warning',
        span: { start, end: start + 1 },
        message: `${index}`,
      };
      all.push(issue);
      issues.add(issue);
      most = Math.max(most, issues.kept.length);
    }
    assert.deepEqual([most, issues.count], [5, 100]);
    assert.deepEqual(capIssues(issues.kept, 3, issues.count), capIssues(all, 3));
  });

  it('list the first issues of a file, also one that is known late', () => {
    const text = `STREAM|a\n#\n${'PING\n'.repeat(50)}`;
    const doc = parseAicf(text, { ...DEFAULT_SETTINGS, maxIssues: 4 });
    assert.deepEqual(validateAicf(doc), capIssues(checkAicf(doc), 4));
    assert.deepEqual(
      validateAicf(doc).map(issue => issue.code),
      ['aicf/stream-without-end', 'aicf/unknown-command', 'aicf/unknown-command', 'parley/more-issues'],
    );
  });

  it('compare so many unknown words with the commands, and no more', () => {
    const advised = (line: string): number =>
      checkAicf(parseAicf(`LIST\n${line}\n#\n`.repeat(2_500), DEFAULT_SETTINGS)).filter(({ message }) =>
        message.includes('did you mean'),
      ).length;
    assert.deepEqual([advised('CALLS|x'), advised('calls|x')], [2_000, 2_000]);
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

  it('name what a call lacks, as far as a message shows it', () => {
    const tool = `TOOL|t|d|${Array.from({ length: 60 }, (_, index) => `a${index}`).join('|')}|o?`;
    assert.deepEqual(messages(`${tool}\nCALL|t|1|2`), [
      "The call lacks 'a2, a3, a4, a5, a6, a7, a8, a9, a10, a11…'; " +
        "'t (a0: any, a1: any, a2: any, a3: any, a…' requires what has no '?' (422)",
    ]);
    assert.deepEqual(messages('TOOL|t|d|a:string|b:number|c?\nCALL|t||'), [
      "The call lacks 'b'; 't (a: string, b: number, c?: any)' requires what has no '?' (422)",
    ]);
    assert.deepEqual(messages('TOOL|t|d|a|b\nCALL|t|1'), [
      "The call has 1 of 2 arguments of 't (a: any, b: any)'; give the others if the tool needs them",
    ]);
  });

  it('read the arguments of a tool once for all of its calls', () => {
    const countReads = (calls: number): number => {
      const doc = parseAicf('CALL|t\n'.repeat(calls), DEFAULT_SETTINGS);
      let reads = 0;
      const declared = Array.from({ length: 1000 }, (_, index) => ({
        name: `a${index}`,
        type: 'any' as const,
        get isOptional() {
          reads++;
          return false;
        },
        typeSpan: undefined,
      }));
      const tool = { name: 't', description: '', arguments: declared };
      const tools = { isComplete: true, tools: new Map([['t', tool]]) };
      let found = 0;
      const visitor = checkArguments({ doc, tools, report: () => void found++ });
      for (const line of listLines(doc)) {
        const call = line.tree.command === 'CALL' ? readCall(line.text, line.tree, tools) : undefined;
        visitor.visit({ ...line, call });
      }
      assert.equal(found, calls);
      return reads;
    };
    assert.equal(countReads(500), countReads(1));
  });
});
