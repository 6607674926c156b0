import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { complete } from '../../../language/aicf/features/completion.ts';
import { describe as describeTopic } from '../../../language/aicf/features/topics.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { AICF_COMMANDS, AICF_TYPES, CONTEXT_SECTIONS, findCommand } from '../../../core/catalog/aicf.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { MAX_COMPLETIONS, type Completion } from '../../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { readOffset } from '../../support/cursor.ts';

function proposals(marked: string): readonly Completion[] {
  const { text, offset } = readOffset(marked);
  const doc = parseAicf(text, DEFAULT_SETTINGS);
  const found = complete(doc, offset);
  for (const { span, topic } of found) {
    assert.ok(span.start <= offset && offset <= span.end);
    assert.ok(topic === undefined || describeTopic(doc, topic) !== undefined, topic);
  }
  return found.toSorted((a, b) => a.rank - b.rank);
}

function labels(marked: string): readonly string[] {
  return proposals(marked).map(item => item.label);
}

/** The text after the first proposal with this label was accepted. */
function accept(marked: string, label: string): string | undefined {
  const item = proposals(marked).find(candidate => candidate.label === label);
  return item && applyEdits(readOffset(marked).text, [{ span: item.span, newText: item.newText }]);
}

const FIGMA = 'TOOL|figma.getFile|Get a file|fileKey:string|depth:integer?\n';
const MAKE = 'TOOL|make|Make it|name:string|on:boolean|data:object|list:array\n';
const REQUESTS = ['CALL', 'LIST', 'INFO'];
const RESPONSES = ['OK', 'ERR', 'TOOLS', 'TOOL', 'STREAM', 'END'];
const SECTIONS = CONTEXT_SECTIONS.map(row => `@${row.name}`);

describe('AICF completion: what is proposed', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['commands in an empty file, requests first', '$0', [...REQUESTS, ...RESPONSES]],
    ['commands for a word', 'CA$0', [...REQUESTS, ...RESPONSES]],
    ['commands after a prefix', 'Request: $0', [...REQUESTS, ...RESPONSES]],
    ['commands before fields', 'ca$0ll|x', [...REQUESTS, ...RESPONSES]],
    ['what fits a call', 'CALL|t\n$0', [...REQUESTS, 'OK', 'ERR', 'STREAM', 'TOOLS', 'TOOL', 'END']],
    ['what fits a list', '# x\nLIST\n\n$0', [...REQUESTS, 'ERR', 'TOOLS', 'OK', 'TOOL', 'STREAM', 'END']],
    [
      'what fits a question for a tool',
      'INFO|t\n$0',
      [...REQUESTS, 'ERR', 'TOOL', 'OK', 'TOOLS', 'STREAM', 'END'],
    ],
    [
      'what goes on with a stream',
      'STREAM|a\n$0',
      ['ERR', 'STREAM', 'END', ...REQUESTS, 'OK', 'TOOLS', 'TOOL'],
    ],
    ['whole calls of declared tools', `${FIGMA}\n$0`, [...REQUESTS, ...RESPONSES, 'CALL|figma.getFile']],
    ['tools of the file', `${FIGMA}TOOLS|a|b\nCALL|$0`, ['figma.getFile', 'a', 'b']],
    ['tools that hold what was typed', `${FIGMA}TOOLS|a|b\nINFO|GETF$0`, ['figma.getFile']],
    [
      'tools that are called, behind those that are listed',
      'TOOLS|a\nCALL|near\nCALL|$0\nINFO|far',
      ['a', 'near', 'far'],
    ],
    ['names of tools that are called', 'CALL|one|x\nTOOLS|$0', ['one']],
    ['names of tools that are called, to declare them', 'CALL|one|x\nTOOL|$0', ['one']],
    ['booleans', `${MAKE}CALL|make|x|$0`, ['true', 'false', 'on|data|list']],
    ['booleans in the place of another text', `${MAKE}CALL|make|x|y$0|`, ['true', 'false']],
    ['a skeleton of an object', `${MAKE}CALL|make|x|true|$0|`, ['{"key":"value"}']],
    ['skeletons of an array', `${MAKE}CALL|make|x|true||$0`, ['["value"]', 'a,b']],
    ['the arguments that are left', `${FIGMA}CALL|figma.getFile|$0`, ['fileKey|depth']],
    ['codes', 'ERR|$0', ['400', '404', '422', '500']],
    ['the title of a code as its message', 'ERR|404|$0', ['Tool Not Found']],
    ['types', 'TOOL|t|d|a:$0', AICF_TYPES.map(row => row.name)],
    ['directives', '# @$0', ['@agent', '@default', '@name', '@timeout', '@session', '@literal', '@var']],
    ['agents that other directives name', '# @agent one\n# @agent $0\nLIST\n# @agent two', ['one', 'two']],
    [
      'conversations that other directives name',
      '# @session one\n# @session $0\nLIST\n# @session two',
      ['one', 'two'],
    ],
    ['nothing in a text argument', `${FIGMA}CALL|figma.getFile|a$0`, []],
    ['nothing in a number', `${FIGMA}CALL|figma.getFile|a|$0`, []],
    ['nothing for a tool that is not declared', 'CALL|t|$0', []],
    ['nothing past the last argument', `${FIGMA}CALL|figma.getFile|a|1|$0`, []],
    ['nothing in data', 'OK|$0', []],
    ['nothing in a message that stands', 'ERR|404|no$0', []],
    ['nothing in the name of a declared argument', 'TOOL|t|d|a$0', []],
    ['nothing in a comment', '# note $0', []],
    ['nothing behind text', 'CALL t $0', []],
    ['the known sections', '@STATE\na=b\n\n@$0', ['@STATE_END', ...SECTIONS]],
    ['the known sections behind a line number', '1|@STATE\n2|@DE$0', ['@STATE_END', ...SECTIONS]],
    ['sections of the file', '@$0\n@OWN\nx', [...SECTIONS, '@OWN']],
    ['nothing elsewhere in a context file', '@STATE\n$0', []],
    ['nothing in the JSON form of a context file', '{"a":1}\n@$0', []],
  ];
  for (const [name, marked, expected] of cases) it(name, () => assert.deepEqual(labels(marked), expected));

  it('a blank asks only for values of directives', () => {
    const doc = parseAicf('LIST\n \n# @agent one\n# @agent ', DEFAULT_SETTINGS);
    assert.deepEqual(complete(doc, 6, { typed: ' ' }), []);
    assert.deepEqual(
      complete(doc, doc.text.length, { typed: ' ' }).map(item => item.label),
      ['one'],
    );
  });

  it('the documentation of a topic that is none is none', () => {
    const doc = parseAicf(FIGMA, DEFAULT_SETTINGS);
    for (const topic of ['', 'command', 'command x', 'tool x', '__proto__ x', 'code 1', 'section x']) {
      assert.equal(describeTopic(doc, topic), undefined, topic);
    }
    assert.match(describeTopic(doc, 'tool figma.getFile') ?? '', /fileKey: string/);
  });
});

describe('AICF completion: what is written', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ...AICF_COMMANDS.map(row => ['$0', row.name, row.snippet] as const),
    ['ca$0|x', 'CALL', 'CALL|x'],
    ['LIST\nER$0', 'ERR', `LIST\n${findCommand('ERR')?.snippet}`],
    [`${FIGMA}$0`, 'CALL|figma.getFile', `${FIGMA}CALL|figma.getFile|\${1:fileKey}`],
    [`${FIGMA}CALL|fi$0`, 'figma.getFile', `${FIGMA}CALL|figma.getFile|\${1:fileKey}`],
    [`${MAKE}CALL|$0`, 'make', `${MAKE}CALL|make|\${1:name}|\${2|true,false|}|\${3:data}|\${4:list}`],
    [`${FIGMA}INFO|fig$0ma|x`, 'figma.getFile', `${FIGMA}INFO|figma.getFile|x`],
    [`${FIGMA}CALL|fig$0ma|x`, 'figma.getFile', `${FIGMA}CALL|figma.getFile|x`],
    ['TOOLS|a\\|b\nCALL|$0', 'a|b', 'TOOLS|a\\|b\nCALL|a\\|b'],
    ['TOOL|a$b|d|c\nCALL|$0', 'a$b', 'TOOL|a$b|d|c\nCALL|a\\$b|${1:c}'],
    [
      `${FIGMA}CALL|figma.getFile|$0`,
      'fileKey|depth',
      `${FIGMA}CALL|figma.getFile|\${1:fileKey}|\${2:depth}`,
    ],
    [`${MAKE}CALL|make||y$0`, 'false', `${MAKE}CALL|make||false`],
    [`${MAKE}CALL|make|||$0`, '{"key":"value"}', `${MAKE}CALL|make|||{"\${1:key}":\${2:"value"}\\}`],
    ['ERR|$0', '404', 'ERR|404|${1:Tool Not Found}'],
    ['ERR|4$0|x', '404', 'ERR|404|x'],
    ['TOOL|t|d|a:str$0ing?|b', 'number', 'TOOL|t|d|a:number?|b'],
    ['# @a$0gent\nLIST', '@timeout', '# @timeout \nLIST'],
    ['# @agent one\n# @agent o$0x', 'one', '# @agent one\n# @agent one'],
    ['@STATE\n12|@de$0x\n', '@DECISIONS', '@STATE\n12|@DECISIONS\n'],
  ];
  for (const [marked, label, expected] of cases) {
    it(`${label} at ${marked}`, () => assert.equal(accept(marked, label), expected));
  }

  it('closed sets are accepted by what follows them, others are not', () => {
    const commit = (marked: string): unknown => proposals(marked)[0]?.commit;
    assert.deepEqual(
      [
        commit('TOOLS|a\nCALL|$0'),
        commit('CALL|a\nCALL|$0'),
        commit(`${MAKE}CALL|make||$0`),
        commit('TOOL|t|d|a:$0'),
      ],
      ['|', undefined, '|', '|?'],
    );
  });
});

describe('AICF completion in a large file', () => {
  it('reads as much as in one of a quarter of its size, once the tools are known', () => {
    const workAt = (lines: number): number => {
      const work = { count: 0 };
      const side = 'CALL|figma.getFile|abc\n'.repeat(lines);
      const doc = parseAicf(`${FIGMA}${side}CALL|\n${side}`, DEFAULT_SETTINGS, work);
      const offset = FIGMA.length + side.length;
      complete(doc, offset + 5);
      const before = work.count;
      for (const step of [0, 2, 5]) complete(doc, offset + step);
      return work.count - before;
    };
    const [small, large] = [workAt(10_000), workAt(40_000)];
    assert.ok(small > 0);
    assert.equal(large, small);
  });

  it('lists so many tools at most, of those that hold what was typed', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `tool${index}`);
    const list = (typed: string): readonly Completion[] => {
      const text = `TOOLS|${names.join('|')}\nCALL|${typed}`;
      return LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS).complete(text.length);
    };
    assert.equal(list('').length, MAX_COMPLETIONS);
    assert.deepEqual(
      list('tool2999').map(item => item.label),
      ['tool2999'],
    );
  });
});
