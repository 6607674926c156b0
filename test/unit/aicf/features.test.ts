import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { complete } from '../../../protocol/src/aicf/features/completion.ts';
import { folds } from '../../../protocol/src/aicf/features/folds.ts';
import { hover } from '../../../protocol/src/aicf/features/hover.ts';
import { requests } from '../../../protocol/src/aicf/features/requests.ts';
import { symbols } from '../../../protocol/src/aicf/features/symbols.ts';
import { parseAicf, type AicfDocument } from '../../../protocol/src/aicf/parse.ts';
import {
  AICF_COMMANDS,
  AICF_ERROR_CODES,
  AICF_TYPES,
  findCommand,
} from '../../../protocol/src/catalog/aicf.ts';
import {
  describeArgumentType,
  describeCommand,
  describeErrorCode,
} from '../../../protocol/src/catalog/aicf-describe.ts';
import { DEFAULT_SETTINGS } from '../../../protocol/src/catalog/settings.ts';
import type { OutlineSymbol } from '../../../protocol/src/language/support.ts';

/** The document without `$0`, which marks the cursor. */
function open(marked: string): { doc: AicfDocument; offset: number } {
  const offset = marked.indexOf('$0');
  return { doc: parseAicf(marked.replace('$0', ''), DEFAULT_SETTINGS), offset };
}

function hoverAt(marked: string): readonly [string, string] | undefined {
  const { doc, offset } = open(marked);
  const found = hover(doc, offset);
  return found && [doc.text.slice(found.span.start, found.span.end), found.markdown];
}

function labelsAt(marked: string): string[] {
  const { doc, offset } = open(marked);
  return complete(doc, offset).map(proposal => proposal.label);
}

/** The text after the first proposal with this label was accepted. */
function accept(marked: string, label: string): string | undefined {
  const { doc, offset } = open(marked);
  const proposal = complete(doc, offset).find(candidate => candidate.label === label);
  if (!proposal) return undefined;
  assert.ok(proposal.span.start <= offset && offset <= proposal.span.end);
  return doc.text.slice(0, proposal.span.start) + proposal.newText + doc.text.slice(proposal.span.end);
}

const TOOL_LINE = 'TOOL|figma.getFile|Get *a* file|fileKey:string|depth:integer?\n';

describe('AICF hover', () => {
  it('explains every command', () => {
    for (const row of AICF_COMMANDS) {
      assert.deepEqual(hoverAt(`$0${row.example}`), [row.name, describeCommand(row)]);
    }
  });

  it('explains error codes and argument types', () => {
    for (const row of AICF_ERROR_CODES) {
      assert.deepEqual(hoverAt(`ERR|$0${row.code}|x`), [String(row.code), describeErrorCode(row)]);
    }
    for (const row of AICF_TYPES) {
      assert.deepEqual(hoverAt(`TOOL|t|d|a:${row.name}$0?`), [row.name, describeArgumentType(row)]);
    }
  });

  it('shows a tool that the file declares, its text as text', () => {
    assert.deepEqual(hoverAt(`${TOOL_LINE}CALL|figma.$0getFile|x`), [
      'figma.getFile',
      '```ts\nfigma.getFile (fileKey: string, depth?: integer)\n```\n\nGet \\*a\\* file',
    ]);
    assert.deepEqual(hoverAt(`${TOOL_LINE}CALL|figma.getFile|x|$02`), [
      '2',
      '**depth**: integer, optional\n\nArgument 2 of figma\\.getFile. A whole number in decimal digits. An empty field is absent.',
    ]);
  });

  it('says nothing elsewhere', () => {
    for (const text of [
      '$0',
      '# n$0ote',
      'CALL|$0unknown',
      'OK|da$0ta',
      'PI$0NG|x',
      'ERR|4$018|x',
      'te$0xt',
    ]) {
      assert.equal(hoverAt(text), undefined, text);
    }
  });

  it('explains sections of context files and says which names are known', () => {
    assert.deepEqual(hoverAt('@DEC$0ISIONS:x\na=b'), [
      '@DECISIONS',
      '**@DECISIONS** (known section of AI Context Format)\n\nWhat was decided, and why.',
    ]);
    assert.deepEqual(hoverAt('1|@MY_$0OWN\n2|a=b'), [
      '@MY_OWN',
      '**@MY\\_OWN** is not among the known sections of AI Context Format. Files may add their own.',
    ]);
    assert.equal(hoverAt('@DECISIONS\na=$0b'), undefined);
  });
});

describe('AICF completion', () => {
  const commands = AICF_COMMANDS.map(row => row.name);

  it('proposes the commands at the start of a line, requests first', () => {
    for (const text of ['$0', 'CA$0', 'LIST\n$0', 'Request: $0', 'ca$0ll|x', ' $0'])
      assert.deepEqual(labelsAt(text), commands, text);
    const { doc, offset } = open('$0');
    assert.deepEqual(
      complete(doc, offset).map(({ newText, isSnippet, rank }) => ({ newText, isSnippet, rank })),
      AICF_COMMANDS.map(row => ({
        newText: row.snippet,
        isSnippet: true,
        rank: row.direction === 'request' ? 0 : 1,
      })),
    );
  });

  it('replaces the word and keeps the fields', () => {
    assert.equal(accept('ca$0|x', 'CALL'), 'CALL|x');
    assert.equal(accept('LIST\nER$0', 'ERR'), `LIST\n${findCommand('ERR')?.snippet}`);
  });

  it('proposes tools, codes, types and directives', () => {
    assert.deepEqual(labelsAt(`${TOOL_LINE}TOOLS|a|b\nCALL|$0`), ['figma.getFile', 'a', 'b']);
    assert.equal(accept(`${TOOL_LINE}INFO|fig$0ma|x`, 'figma.getFile'), `${TOOL_LINE}INFO|figma.getFile|x`);
    assert.equal(accept('TOOLS|a\\|b\nCALL|$0', 'a|b'), 'TOOLS|a\\|b\nCALL|a\\|b');
    assert.deepEqual(labelsAt('ERR|$0'), ['400', '404', '422', '500']);
    assert.deepEqual(
      labelsAt('TOOL|t|d|a:$0'),
      AICF_TYPES.map(row => row.name),
    );
    assert.equal(accept('TOOL|t|d|a:str$0ing?|b', 'number'), 'TOOL|t|d|a:number?|b');
    assert.equal(accept('# @a$0gent\nLIST', '@timeout'), '# @timeout \nLIST');
  });

  it('proposes nothing where nothing is known', () => {
    for (const text of ['CALL|t|$0', 'OK|$0', 'TOOL|t|d|a$0', '# note $0', 'CALL t $0', '@STATE\n$0']) {
      assert.deepEqual(labelsAt(text), [], text);
    }
  });
});

describe('AICF outline and folds', () => {
  const text = '# one\n# two\n\nCALL|t|x\nOK|1\n\nLIST\nSTREAM|a\nSTREAM|b\nEND\nERR|500|no';

  it('puts responses under their request, and a stream into one entry', () => {
    const show = (list: readonly OutlineSymbol[]): unknown =>
      list.map(({ name, detail, kind, children }) => [name, detail, kind, show(children)]);
    assert.deepEqual(show(symbols(parseAicf(text, DEFAULT_SETTINGS))), [
      ['t', 'CALL', 'call', [['OK', '1', 'reply', []]]],
      [
        'LIST',
        '',
        'call',
        [
          ['STREAM', '2 chunks', 'reply', []],
          ['ERR', '500|no', 'error', []],
        ],
      ],
    ]);
  });

  it('folds comments and requests with their responses', () => {
    assert.deepEqual(
      folds(parseAicf(text, DEFAULT_SETTINGS)).map(({ span, kind }) => [
        text.slice(span.start, span.end),
        kind,
      ]),
      [
        ['# one\n# two', 'comment'],
        ['CALL|t|x\nOK|1', 'region'],
        ['LIST\nSTREAM|a\nSTREAM|b\nEND\nERR|500|no', 'region'],
      ],
    );
  });
});

describe('AICF requests', () => {
  it('lists what can be sent with the directives directly above it', () => {
    const text = [
      '# @agent one',
      '',
      '# @agent two',
      '# @name first',
      'Request:  CALL|t| a \\| b ',
      'OK|1',
      'LIST ',
      '# @timeout 3',
      ' INFO|t',
      'CALL',
    ].join('\n');
    const doc = parseAicf(text, DEFAULT_SETTINGS);
    assert.deepEqual(
      requests(doc).map(({ title, directives, wireText, span }) => ({
        title,
        directives,
        wireText,
        at: text.slice(span.start, span.end),
      })),
      [
        {
          title: 't',
          directives: { agent: 'two', name: 'first' },
          wireText: 'CALL|t| a \\| b ',
          at: 'CALL|t| a \\| b ',
        },
        { title: 'LIST', directives: {}, wireText: 'LIST', at: 'LIST' },
        { title: 'INFO t', directives: { timeout: '3' }, wireText: 'INFO|t', at: 'INFO|t' },
        { title: 'CALL', directives: {}, wireText: 'CALL', at: 'CALL' },
      ],
    );
  });
});
