import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeField } from '../../../language/aicf/codec.ts';
import { readCall } from '../../../language/aicf/call.ts';
import { NO_TOOLS } from '../../../language/aicf/file-tools.ts';
import { listLines, parseAicf, type AicfDocument } from '../../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../core/catalog/settings.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { checkArguments } from '../../../language/rules/aicf/arguments.ts';
import { buildIssue, type IssueDraft, type RuleContext } from '../../../language/rules/aicf/report.ts';
import { NO_NAMES } from '../../../language/rules/aicf/similar-names.ts';
import { listSurroundings } from '../../../language/rules/aicf/surroundings.ts';
import { checkSyntax } from '../../../language/rules/aicf/syntax.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { CappedIssues } from '../../../language/rules/cap.ts';
import { checkAicf } from '../../support/at-once.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

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

/** What rules share about a file of one block. */
function contextOf(doc: AicfDocument, report: RuleContext['report']): RuleContext {
  const [around] = listSurroundings(doc);
  assert.ok(around);
  return { doc, around, report };
}

describe('AICF messages and fixes', () => {
  it('say what is wrong and what to do', () => {
    assert.deepEqual(messages('list'), ["'list' is not a command; write 'LIST' (error 400)"]);
    assert.deepEqual(messages('CALL|'), [
      "After 'CALL' the name of a tool is missing; write 'CALL|tool' (error 400)",
    ]);
    assert.deepEqual(messages('CALLS|t'), [
      "'CALLS' is not a command of AICF-RPC 1.0; did you mean 'CALL'? (error 400)",
    ]);
    assert.deepEqual(messages('LIST\ncal l|t'), [
      "'cal l|t' does not begin with a command; begin the line with a command, or with '#' for a note (error 400)",
    ]);
    assert.deepEqual(messages('TOOLS|figma.getFile\nCALL|figma.getfile'), [
      "The file lists no tool 'figma.getfile'; did you mean 'figma.getFile'? (error 404)",
    ]);
  });

  it('mend lines', () => {
    assert.deepEqual(fixes('Call|t'), ['CALL|t']);
    assert.deepEqual(fixes('CALL t|x'), ['CALL|t|x']);
    assert.deepEqual(fixes('  Request:  LIST'), ['LIST']);
    assert.deepEqual(fixes('OK|a|b\\|c|d'), ['OK|a\\|b\\|c\\|d']);
    assert.deepEqual(fixes('CALL|t|\\d\\n\\w'), ['CALL|t|\\\\d\\n\\\\w']);
    assert.deepEqual(fixes('CALL|t|C:\\new\\dir'), ['CALL|t|C:\\\\new\\\\dir']);
    assert.deepEqual(fixes('OK|\\\\host\\temp'), ['OK|\\\\\\\\host\\\\temp']);
    assert.deepEqual(fixes('OK|{\r\n"a|b": 1\r\n}\r\n\r\nLIST'), [
      'OK|{\\n"a\\|b": 1\\n}\r\n\r\nLIST',
      'OK|{\r\n# "a|b": 1\r\n# }\r\n\r\nLIST',
    ]);
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
        "'LIST' takes no text; remove it, or begin the line with '#' for a note (error 400)",
        ['INFO|a\nLIST', 'INFO|a\n# LIST x'],
      ],
    ]);
    assert.deepEqual(shown('LIST\nTOOLS  a'), [
      [
        "After 'TOOLS' a '|' is missing; fields are separated by '|' (error 400)",
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
      'The backslash stays, so the JSON is read as written; double it for readers that drop it',
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

  it('list the first issues of a file, also one that is known late', () => {
    const text = `STREAM|a\n#\n${'PING\n'.repeat(50)}`;
    const doc = parseAicf(text, { ...DEFAULT_SETTINGS, maxIssues: 4 });
    const capped = new CappedIssues(4);
    for (const issue of checkAicf(doc)) capped.add(issue);
    assert.deepEqual(validateAicf(doc), capped.list());
    assert.deepEqual(
      validateAicf(doc).map(issue => issue.code),
      ['aicf/stream-without-end', 'aicf/unknown-command', 'aicf/unknown-command', 'parley/more-issues'],
    );
  });

  /** How many of so many lines with an unknown word get a similar command suggested. */
  function countAdvised(line: string, lines: number): number {
    const text = `LIST\n${line}\n#\n`.repeat(lines);
    return checkAicf(parseAicf(text, DEFAULT_SETTINGS)).filter(({ message }) =>
      message.includes('did you mean'),
    ).length;
  }

  it('compare each of a few unknown words with the commands', () => {
    assert.deepEqual([countAdvised('CALLS|x', 25), countAdvised('calls|x', 25)], [25, 25]);
  });

  itAtFullSize('compare so many unknown words with the commands, and no more', () => {
    assert.deepEqual([countAdvised('CALLS|x', 2_500), countAdvised('calls|x', 2_500)], [2_000, 2_000]);
  });

  it('join JSON over any number of raw pipes, whatever its texts contain', () => {
    const table = Array.from({ length: 15 }, (_, row) => `| a${row} | b \\"}] |`).join('');
    const json = `{"text":"${table}","end":[1,{"x":"|"}]}`;
    assert.deepEqual(
      fixes(`CALL|t|${json}`).map(text => decodeField(text.slice('CALL|t|'.length), 'request')),
      [json],
    );
    assert.deepEqual(fixes('CALL|t|{"a":"C:\\\\|x"}'), ['CALL|t|{"a":"C:\\\\\\\\\\|x"}']);
    assert.deepEqual(
      validate('CALL|t|{"a":"x|y"} z|{"a":1}').map(({ code, span }) => [code, span]),
      [['aicf/probable-json', { start: 12, end: 14 }]],
    );
  });

  it('search a line once for the ends of JSON, however often it begins', () => {
    const line = (count: number): string => `CALL|t${'|{"a":"b c'.repeat(count)}`;
    assert.equal(validate(line(60)).length, 60);
    const count = sized(999, 300);
    assert.equal(checkAicf(parseAicf(line(count), DEFAULT_SETTINGS)).length, count + 1);
  });

  it('write the words of an issue for who reads them, and for no others', () => {
    const doc = parseAicf('call|t\n'.repeat(30), DEFAULT_SETTINGS);
    const drafts: IssueDraft[] = [];
    let written = 0;
    const visitor = checkSyntax(
      contextOf(doc, ({ words, ...draft }) => {
        drafts.push({ ...draft, words: names => (written++, words(names)) });
      }),
    );
    for (const line of listLines(doc)) visitor.visit({ ...line, call: undefined, tools: NO_TOOLS });
    assert.deepEqual([drafts.length, written], [30, 0]);
    assert.deepEqual(
      drafts.map(draft => buildIssue(draft, NO_NAMES)),
      validateAicf(doc),
    );
    assert.equal(written, 30);
  });

  it('read the code that an error was meant to have', () => {
    assert.deepEqual(fixes('ERR|Tool not found: x'), ['ERR|404|Tool not found: x']);
    assert.deepEqual(fixes('ERR|no luck'), ['ERR|500|no luck']);
    assert.deepEqual(fixes('ERR|no luck|Invalid arguments'), ['ERR|422|no luck|Invalid arguments']);
    assert.deepEqual(fixes('ERR| 404|x'), ['ERR|404|x']);
    assert.deepEqual(fixes('ERR|     |x'), ['ERR|500|x']);
    assert.deepEqual(fixes('ERR'), ['ERR|500']);
  });

  it('write line ends as the file does', () => {
    assert.deepEqual(fixes('STREAM|a\r\nSTREAM|b\r\n\r\nLIST'), ['STREAM|a\r\nSTREAM|b\r\nEND\r\n\r\nLIST']);
    assert.deepEqual(fixes('LIST\rSTREAM|b'), ['LIST\rSTREAM|b\rEND']);
    assert.deepEqual(fixes('LIST\r\nSTREAM|b'), ['LIST\r\nSTREAM|b\r\nEND']);
    assert.deepEqual(fixes('STREAM|b'), ['STREAM|b\nEND']);
    assert.deepEqual(fixes('STREAM|a\nEND  b|c '), ['STREAM|a\nEND', 'STREAM|a\nSTREAM|b|c\nEND']);
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
        "'t (a0: any, a1: any, a2: any, a3: any, a…' requires what has no '?' (error 422)",
    ]);
    assert.deepEqual(messages('TOOL|t|d|a:string|b:number|c?\nCALL|t||'), [
      "The call lacks 'b'; 't (a: string, b: number, c?: any)' requires what has no '?' (error 422)",
    ]);
    assert.deepEqual(messages('TOOL|t|d|a|b\nCALL|t|1'), [
      "The call leaves out 'b' of 't (a: any, b: any)'; give what the tool needs",
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
        span: { start: 0, end: 0 },
      }));
      const tool = { name: 't', description: '', arguments: declared };
      const tools = { ...NO_TOOLS, isComplete: true, tools: new Map([['t', tool]]) };
      let found = 0;
      const visitor = checkArguments(contextOf(doc, () => void found++));
      for (const line of listLines(doc)) {
        const call = line.tree.command === 'CALL' ? readCall(line.text, line.tree, tools) : undefined;
        visitor.visit({ ...line, call, tools });
      }
      assert.equal(found, calls);
      return reads;
    };
    assert.equal(countReads(500), countReads(1));
  });
});
