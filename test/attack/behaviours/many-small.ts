import { inFolder, joinOutcomes, judge, sizeIn, type Attack, type Outcome } from '../support/attack.ts';
import { runParley } from '../support/measure.ts';

/** Bytes of a file at full size. */
const SIZE = 2_000_000;

/** A file that is made of as many small things as fit into it, of which none may cost as much as an object. */
interface ManySmall {
  readonly name: string;
  readonly file: 'x.aicf' | 'x.aicl' | 'x.json' | 'x.jsonl';
  /** The repeated text, and the text before and after it. */
  readonly piece: string;
  readonly before?: string;
  readonly after?: string;
  readonly commands?: readonly string[];
  readonly isShort?: true;
}

/** What reads a file of each kind. */
const COMMANDS: Readonly<Record<ManySmall['file'], readonly string[]>> = {
  'x.aicf': ['convert x.aicf --to mcp', 'check x.aicf', 'format x.aicf'],
  'x.aicl': ['convert x.aicl --to aicf', 'check x.aicl', 'format x.aicl', 'tensor x.aicl'],
  'x.json': ['convert x.json --to aicl', 'convert x.json --to json'],
  'x.jsonl': [
    'trace show x.jsonl --parts',
    'trace export x.jsonl --to aio',
    'trace export x.jsonl --to markdown',
  ],
};

/** The beginning of a trace of one call of LightAICL. */
const TRACE = `{"format":"agenttrace","version":1}
{"type":"call","call":"a","trace":"t","at":1,"agent":"b","protocol":"aicl","title":"c"}
`;

const FILES: readonly ManySmall[] = [
  { name: 'pipes', file: 'x.aicf', piece: '|' },
  { name: 'arguments', file: 'x.aicf', before: 'CALL|t', piece: '|a' },
  { name: 'results', file: 'x.aicf', piece: 'OK|1\n' },
  { name: 'lists of tools', file: 'x.aicf', piece: 'LIST\n' },
  { name: 'tools', file: 'x.aicf', piece: 'TOOL|\n' },
  { name: 'lists of tools in lower case', file: 'x.aicf', piece: 'list\n' },
  { name: 'empty arguments', file: 'x.aicf', before: 'CALL|t', piece: '|' },
  { name: 'comments', file: 'x.aicf', piece: '#\n' },
  {
    name: 'foreign lines',
    file: 'x.aicf',
    piece: 'x\n',
    commands: [...COMMANDS['x.aicf'], 'tokens x.aicf'],
  },
  { name: 'stray escapes', file: 'x.aicf', before: 'OK|', piece: '\\x' },
  { name: 'empty texts', file: 'x.json', before: '[', piece: '"",', after: '""]' },
  { name: 'numbers', file: 'x.json', before: '[', piece: '0,', after: '0]' },
  { name: 'repeated keys', file: 'x.json', before: '{', piece: '"":0,', after: '"":0}' },
  { name: 'broken escapes', file: 'x.json', before: '{"a":"', piece: '\\x', after: '"}', isShort: true },
  { name: 'escapes without an end', file: 'x.json', before: '{"a":"', piece: '\\' },
  {
    name: 'lists in lists',
    file: 'x.json',
    before: '[',
    piece: `${'['.repeat(100)}${']'.repeat(100)},`,
    after: '0]',
    commands: ['convert x.json --to aicl'],
  },
  { name: 'lists in one that does not end', file: 'x.json', before: '[', piece: '[],' },
  { name: 'lines of numbers', file: 'x.json', piece: '0\n' },
  { name: 'lines of empty objects', file: 'x.json', piece: '{}\n' },
  {
    name: 'messages in a batch',
    file: 'x.json',
    before: '[',
    piece: '{"jsonrpc":"2.0","method":"m"},',
    after: '0]',
  },
  { name: 'events', file: 'x.json', piece: 'data: {}\n\n' },
  {
    name: 'empty lists',
    file: 'x.json',
    piece: '[]',
    // The result of each is fifty times as long.
    commands: ['convert x.json --to mcp', 'convert x.json --to responses', 'convert x.json --to json-rpc'],
  },
  { name: 'empty messages', file: 'x.aicl', piece: '[s:]\n' },
  { name: 'brackets', file: 'x.aicl', piece: '[]' },
  { name: 'commas', file: 'x.aicl', before: '[l:', piece: ',', after: ']', isShort: true },
  { name: 'values without a type', file: 'x.aicl', before: '[l:', piece: '[x],', after: ']' },
  {
    name: 'messages in a reply',
    file: 'x.jsonl',
    before: TRACE,
    piece: `{"type":"wire","call":"a","at":2,"direction":"in","bytes":{"text":"${'[d:]'.repeat(1_000)}"}}\n`,
    after: '{"type":"end","call":"a","at":3,"status":"ok"}\n',
  },
  { name: 'repeated keys of AICL', file: 'x.aicl', before: '[d:', piece: '[s:]:[s:],', after: '[s:]:[s:]]' },
];

/** Rows of files whose reading must cost memory by their bytes, and not by the things in them. */
export const MANY_SMALL: readonly Attack[] = FILES.map(
  ({ name, file, piece, before = '', after = '', commands = COMMANDS[file], isShort = false }) => ({
    name: `a million ${name}`,
    group: 'folders',
    protocol: 'folder',
    does: `A file holds 2 MB of ${JSON.stringify(piece)}.`,
    expected: { end: [0, 1] },
    isShort,
    isMeasured: isShort,
    run: form => {
      const input = sizeIn(form, SIZE);
      const text = before + piece.repeat(Math.floor(input / piece.length)) + after;
      return inFolder({ [file]: text }, async folder => {
        const outcomes: Outcome[] = [];
        // One command of each row is enough for the gate.
        for (const command of form === 'full' ? commands : commands.slice(0, 1)) {
          const run = await runParley(command.split(' '), { cwd: folder.path, form });
          const outcome = await judge(run, { end: [0, 1] }, { input: text.length });
          outcomes.push({ ...outcome, faults: outcome.faults.map(fault => `${command}: ${fault}`) });
        }
        return joinOutcomes(outcomes);
      });
    },
  }),
);
