import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { folds } from '../../language/aicf/features/folds.ts';
import { requests } from '../../language/aicf/features/requests.ts';
import { symbols } from '../../language/aicf/features/symbols.ts';
import { editAicf, parseAicf, toDocument, type AicfDocument } from '../../language/aicf/parse.ts';
import { collectTools, listAgentTools, toolsAt } from '../../language/aicf/file-tools.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { NO_AGENT_TOOLS, type AgentTools } from '../../language/tools.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { validateAicf } from '../../language/rules/aicf/validate.ts';
import { placeEdit } from '../support/fuzz-edit.ts';
import { fuzzLoop } from '../support/fuzz-loop.ts';
import { runs, sized } from '../support/size.ts';

/** Files of which each is edited EDITS times; more by FUZZ_RUNS. A failure prints its seed and path. */
const RUNS = { numRuns: runs(1000) };
const EDITS = 12;
const TIMEOUT = 60_000 * Math.max(1, RUNS.numRuns / 1000);

const MESSAGES = [
  'CALL|t|1',
  'CALL|u|{"a":[1]}',
  'CALL||t',
  'INFO|tt',
  'LIST',
  'OK|{"a":1}',
  'ERR|404|x',
  'STREAM|a',
  'END',
  'END x',
  'TOOLS|t|u',
  'TOOL|t|what it does|a:number|b?',
  'TOOL|t|d|a:object',
  'tool|v|d|c',
  'call|t|x',
  'CALLS|t',
  'CALL t',
  'Request: LIST',
  'Response: OK|C:\\new|x',
  '"a": 1}',
];
const CONTEXT = ['@NOTES', '@SCHEMA|a|b', '@DATA', 'x|y|z', '@DATA_END', '1|@STATE', '2|a|b', '4|c'];
const CONTAINERS = [
  '',
  ' \t',
  '# @agent one',
  '# @agent two',
  '# @agent',
  '# @name x',
  '# note',
  '```',
  '```aicf',
];
const PIECES = [
  ...['|', '\\', ' ', '\t', '#', '@', 'a', '1', '', '\ufeff', '\ud83d', '\ude00', 'Request: ', 'STREAM|'],
  ...['\n', '\r', '\r\n', '\n\n', '\u2028', '1|', 'CALL|t|1|AUTH:x\r\nOK\n', 'STREAM|a\nSTREAM|b\n'],
];

const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r');
const linesOf = (lines: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...lines), lineEnd), { maxLength: 30 })
    .map(pairs => pairs.map(pair => pair.join('')).join(''));

/** A file of messages or a context file, of lines sound and broken, in short chunks: most edits lie near a seam. */
const file = fc.record({
  first: fc.constantFrom('', '', '', '\ufeff', '\n  \n \n'),
  text: fc.oneof(
    { weight: 3, arbitrary: linesOf([...MESSAGES, ...CONTAINERS]) },
    linesOf([...CONTEXT, ...CONTAINERS]),
    linesOf(['STREAM|a', '# x', 'text', '']),
    linesOf(['@SCHEMA|a|b', '@SCHEMA', '@DATA', '@DATA', 'x|y', 'x|y|z', '@NOTES', '']),
    fc.array(fc.nat(2)).map(steps => steps.map((step, line) => `${line + step}|x\n`).join('')),
  ),
  last: fc.constantFrom('', '', 'STREAM|z', 'END x', ' '),
  chunkLength: fc.integer({ min: 4, max: 80 }),
  maxIssues: fc.constantFrom(1, 3, 1000),
});

/** What other files say of the agents that a file may name. */
const OTHERS: readonly AgentTools[] = [
  NO_AGENT_TOOLS,
  NO_AGENT_TOOLS,
  listAgentTools(parseAicf('# @agent one\nINFO|u\nTOOL|u|d|a:number\nTOOL|t|d|', DEFAULT_SETTINGS)),
  listAgentTools(parseAicf('# @agent one\nTOOLS|v\n# @agent two\nTOOL|t|d|x', DEFAULT_SETTINGS)),
];

/** Where an edit lies, as shares of the text, what goes out and what comes in. */
const edits = fc.array(
  fc.record({
    at: fc.oneof({ weight: 4, arbitrary: fc.nat() }, fc.nat(8)),
    remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(60)),
    insert: fc.oneof(
      fc.constantFrom(...PIECES),
      fc.constantFrom(...MESSAGES, ...CONTEXT, '# @agent one').map(line => `${line}\n`),
    ),
    others: fc.constantFrom(...OTHERS),
  }),
  { minLength: 1, maxLength: EDITS },
);

/** All that a document answers about itself as a whole. */
function describeAll(doc: AicfDocument): unknown {
  const { isComplete, tools } = collectTools(doc).of('');
  return {
    dialect: doc.dialect,
    issues: validateAicf(doc),
    symbols: symbols(doc),
    folds: folds(doc),
    requests: requests(doc),
    firstRequests: requests(doc, 2),
    tools: [isComplete, [...tools]],
    // They are looked up by name: their order says nothing.
    agents: [...listAgentTools(doc)].sort(([one], [other]) => (one < other ? -1 : 1)),
    agentOf: Array.from({ length: doc.text.lineCount }, (_line, number) => toolsAt(doc, number).agent),
  };
}

/** What an editor asks after a key about a document as a whole. */
function describeShort(doc: AicfDocument): void {
  validateAicf(doc);
  symbols(doc);
  folds(doc);
  requests(doc, 100);
}

describe('AICF, edited', function () {
  this.timeout(TIMEOUT);

  it('the document after any edits answers as one whose text was read anew', () => {
    fc.assert(
      fc.property(file, edits, ({ first, text: middle, last, chunkLength, maxIssues }, changes) => {
        const source = first + middle + last;
        const settings = { ...DEFAULT_SETTINGS, maxIssues };
        const rest = { settings, work: undefined, lineage: {} };
        let doc = toDocument(SourceText.of(source, chunkLength), rest);
        describeAll(doc);
        for (const change of changes) {
          const edit = placeEdit(String(doc.text), change);
          const text = applyEdits(String(doc.text), [edit]);
          const { others } = change;
          doc = editAicf({ ...doc, others }, edit);
          assert.equal(String(doc.text), text);
          assert.deepEqual(
            describeAll(doc),
            describeAll({ ...parseAicf(text, settings), others }),
            JSON.stringify(text),
          );
        }
      }),
      fuzzLoop(),
    );
  });

  for (const [name, line] of Object.entries({
    calls: 'CALL|figma.getFile|abc|1.0\n',
    'a stream': 'STREAM|a piece of it\n',
    comments: '# a note that says little\n',
    'calls of an agent': '# @agent one\nCALL|figma.getFile|abc\n',
    'lines of a context file': '@NOTES\n',
  })) {
    it(`the work of an edit does not grow with the file: ${name}`, () => {
      const work = { count: 0 };
      const countEdits = (lines: number): number => {
        let doc = parseAicf(line.repeat(lines), DEFAULT_SETTINGS, work);
        describeShort(doc);
        work.count = 0;
        const at = Math.floor(lines / 2) * line.length;
        for (const newText of ['x', '\n', 'CALL|t', '|', 'OK|1\r\n', '']) {
          doc = editAicf(doc, { span: { start: at, end: at + (newText === '' ? 1 : 0) }, newText });
          describeShort(doc);
        }
        return work.count;
      };
      // Several of the chunks that store a text.
      const few = Math.ceil(60_000 / line.length);
      const [short, long] = [countEdits(sized(20_000, few)), countEdits(sized(60_000, 3 * few))];
      assert.ok(short > 0 && long <= short * 1.1, `${short} then ${long}`);
    });
  }
});
