import { execFileSync } from 'node:child_process';
import { existsSync, openSync, closeSync, ftruncateSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reply, startRawAgent } from '../../agents/support/raw-agent.ts';
import type { CliFolder } from '../../cli/support/run-cli.ts';
import {
  inFolder,
  joinOutcomes,
  judge,
  PLANTED,
  sizeIn,
  type Attack,
  type Expected,
  type Form,
  type Outcome,
} from '../support/attack.ts';
import { findPlanted, requestFor, startOther } from '../support/http-agent.ts';
import { MIB, runParley } from '../support/measure.ts';

/** A file that hangs or fills the memory of a reader is found after this, in milliseconds. */
const TIME_CAP = 30_000;

/** Memory above which a reader is ended, in bytes, beside 40 times its input. */
const MEMORY_CAP = 768 * MIB;

const USAGE: Expected = { end: [2] };

/** What a hostile folder holds, and the commands that meet it. */
interface FolderAttack {
  readonly name: string;
  readonly does: string;
  readonly group: 'folders' | 'traces' | 'terminals';
  readonly through: string;
  make(folder: CliFolder, form: Form): Promise<void> | void;
  readonly commands: readonly (readonly string[])[];
  readonly expected: Expected;
  /** How much of what is there a command may be expected to read. */
  readonly input?: number;
  readonly isTerminal?: true;
  readonly isShort?: true;
  /** The gate runs it as a process of its own: what hangs or eats memory has to be ended from outside. */
  readonly isMeasured?: true;
}

function toRow(attack: FolderAttack): Attack {
  const { name, does, group, through, expected, isTerminal, isShort = false } = attack;
  return {
    name,
    group,
    protocol: through,
    does,
    expected,
    isShort,
    isMeasured: attack.isMeasured ?? false,
    run: form =>
      inFolder(USUAL, async folder => {
        await attack.make(folder, form);
        const outcomes: Outcome[] = [];
        // One command of each row is enough for the gate.
        for (const words of form === 'full' ? attack.commands : attack.commands.slice(0, 1)) {
          const start = {
            cwd: folder.path,
            timeCap: TIME_CAP,
            memoryCap: MEMORY_CAP + 40 * sizeIn(form, attack.input ?? 0),
            form,
            env: { PLANTED },
            ...(isTerminal ? { isTerminal } : {}),
          };
          const run = await runParley(words, start);
          const faults = await findHurt(folder);
          const outcome = await judge(run, expected, {
            input: sizeIn(form, attack.input ?? 0) + 10_000,
            faults,
          });
          outcomes.push({ ...outcome, faults: outcome.faults.map(fault => `${words.join(' ')}: ${fault}`) });
        }
        return joinOutcomes(outcomes);
      }),
  };
}

/** The file that a hostile folder creates where it had its way. */
async function findHurt(folder: CliFolder): Promise<string[]> {
  const found = await findPlanted(folder.path);
  if (!existsSync(join(folder.path, 'hurt'))) return found;
  await rm(join(folder.path, 'hurt'));
  return [...found, 'a program of the folder was started'];
}

const USUAL = { 'request.aicf': 'CALL|echo|{"a":1}\n', 'request.aicl': requestFor('aicl')[1] };

const AGENTS = '.vscode/agents.json';
const ENVIRONMENTS = '.vscode/parley.env.json';
const GOOD = {
  '.vscode/agents.json': '{"agents":{"a":{"protocol":"aicf","type":"http","url":"http://127.0.0.1:9/"}}}',
};

/** What reads an agents file, named and found. */
const AGENT_COMMANDS = [
  ['agents'],
  ['agents', '--agents', AGENTS],
  ['send', 'request.aicf', '--agent', 'a'],
  ['tools', 'a'],
] as const;
const ENVIRONMENT_COMMANDS = [
  ['send', 'request.aicf', '--agent', 'a', '--environment', 'x'],
  ['check', 'request.aicf'],
] as const;

type Make = (path: string, form: Form) => Promise<void> | void;

/** What is in the place of a file. */
const IN_PLACE_OF_A_FILE: readonly {
  readonly name: string;
  readonly does: string;
  readonly make: Make;
  readonly isShort?: true;
}[] = [
  {
    name: 'a link to /dev/zero',
    does: 'is a link to a device that never ends',
    make: path => symlink('/dev/zero', path),
    isShort: true,
  },
  {
    name: 'a link to /dev/urandom in two steps',
    does: 'is a link to a link to a device that never ends',
    make: async path => {
      await symlink('/dev/urandom', `${path}.2`);
      await symlink(`${path}.2`, path);
    },
  },
  {
    name: 'a named pipe',
    does: 'is a named pipe to which nobody writes',
    make: path => void execFileSync('mkfifo', [path]),
    isShort: true,
  },
  {
    name: 'a link to a named pipe',
    does: 'is a link to a named pipe',
    make: async path => {
      execFileSync('mkfifo', [`${path}.2`]);
      await symlink(`${path}.2`, path);
    },
  },
  { name: 'a folder', does: 'is a folder', make: path => void mkdir(path) },
  { name: 'a link in a circle', does: 'is a link to itself', make: path => symlink(path, path) },
  { name: 'a link to a terminal', does: 'is a link to /dev/tty', make: path => symlink('/dev/tty', path) },
  {
    name: 'a link to memory',
    does: 'is a link to /proc/self/mem',
    make: path => symlink('/proc/self/mem', path),
  },
];

/** What else a configuration file is. */
const CONFIGURATIONS: readonly {
  readonly name: string;
  readonly does: string;
  readonly make: Make;
  readonly isShort?: true;
}[] = [
  {
    name: 'a file of 3 GiB',
    does: 'is a file of 3 GiB with nothing in it',
    make: path => {
      const file = openSync(path, 'w');
      ftruncateSync(file, 3 * 2 ** 30);
      closeSync(file);
    },
    isShort: true,
  },
  {
    name: 'a file of 5 MB',
    does: 'is a file of 5 MB, which is more than is read',
    make: path => writeFile(path, `{"agents":{}}${' '.repeat(5_000_000)}`),
  },
];

function fileAttacks(): readonly FolderAttack[] {
  const rows: FolderAttack[] = [];
  const add = (
    what: string,
    path: string,
    commands: FolderAttack['commands'],
    kinds: readonly (typeof IN_PLACE_OF_A_FILE)[number][],
    more: Partial<FolderAttack> = {},
  ): void => {
    for (const kind of kinds)
      rows.push({
        name: `${what} is ${kind.name}`,
        does: `The ${what} ${kind.does}.`,
        group: 'folders',
        through: 'folder',
        make: async (folder, form) => {
          for (const [name, text] of Object.entries(GOOD)) if (name !== path) await folder.write(name, text);
          await mkdir(dirname(join(folder.path, path)), { recursive: true });
          await kind.make(join(folder.path, path), form);
        },
        commands,
        expected: USAGE,
        isMeasured: true,
        ...more,
        ...(kind.isShort && path === AGENTS ? { isShort: true as const } : {}),
      });
  };
  add('agents file', AGENTS, AGENT_COMMANDS, [...IN_PLACE_OF_A_FILE, ...CONFIGURATIONS]);
  add('environments file', ENVIRONMENTS, ENVIRONMENT_COMMANDS.slice(0, 1), [
    ...IN_PLACE_OF_A_FILE,
    ...CONFIGURATIONS,
  ]);
  add(
    'environments file beside a checked file',
    ENVIRONMENTS,
    ENVIRONMENT_COMMANDS.slice(1),
    IN_PLACE_OF_A_FILE.slice(0, 4),
    {
      expected: { end: [0, 2] },
    },
  );
  add(
    'request file',
    'x.aicf',
    [
      ['check', 'x.aicf'],
      ['send', 'x.aicf', '--agent', 'a'],
      ['format', 'x.aicf'],
    ],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  add(
    'checked folder',
    'sub/x.aicl',
    [
      ['check', 'sub'],
      ['format', '--check', 'sub'],
    ],
    IN_PLACE_OF_A_FILE.slice(0, 6),
    {
      expected: { end: [0, 1, 2] },
    },
  );
  add(
    'trace file',
    'x.agenttrace.jsonl',
    [
      ['trace', 'show', 'x.agenttrace.jsonl'],
      ['trace', 'export', 'x.agenttrace.jsonl', '--to', 'csv'],
      ['trace', 'diff', 'x.agenttrace.jsonl', 'x.agenttrace.jsonl'],
    ],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  add(
    'array file',
    'x.npy',
    [
      ['tensor', 'x.npy'],
      ['tensor', '--import', 'x.npy'],
    ],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  add(
    'file of tools',
    'x.json',
    [['convert', 'request.aicf', '--to', 'mcp', '--tools', 'x.json']],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  add(
    'message to convert',
    'x.json',
    [
      ['convert', 'x.json', '--to', 'aicl'],
      ['tokens', 'x.json'],
    ],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  add(
    'file of authorities',
    'x.pem',
    [['record', '--listen', '0', '--to', 'https://127.0.0.1:9/', '--tls-ca', 'x.pem']],
    IN_PLACE_OF_A_FILE.slice(0, 4),
  );
  return rows;
}

const config = (agent: Readonly<Record<string, unknown>>): string => JSON.stringify({ agents: { a: agent } });
const http = { protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:9/' };

/** Contents of files that somebody else wrote. */
const CONTENTS: readonly FolderAttack[] = [
  ...(
    ['Host', 'host', 'Content-Length', 'content-length', 'Transfer-Encoding', 'TRANSFER-ENCODING'] as const
  ).map((header): FolderAttack => ({
    name: `agents file sets ${header}`,
    does: `The agents file sets the header ${header}, so that a proxy reads another request than ours.`,
    group: 'folders',
    through: 'folder',
    make: folder =>
      folder.write(
        AGENTS,
        config({ ...http, headers: { [header]: header.startsWith('T') ? 'chunked' : '1' } }),
      ),
    commands: [['send', 'request.aicf', '--agent', 'a']],
    // The agent is called without the header.
    expected: { end: [1, 2], err: /'[\w-]+' cannot be set/ },
    ...(header === 'Host' ? { isShort: true as const } : {}),
  })),
  {
    name: 'agents file sets a header with a line end',
    does: 'The agents file sets a header whose value holds another header, and a name that is none.',
    group: 'folders',
    through: 'folder',
    make: folder =>
      folder.write(
        AGENTS,
        config({ ...http, headers: { 'X-A': 'a\r\nHost: evil', 'X B': '1', 'X\r\nC': '2' } }),
      ),
    commands: [['send', 'request.aicf', '--agent', 'a']],
    expected: { end: [1, 2], never: /connection refused/ },
  },
  {
    name: 'agents file opens lists without an end',
    does: "The agents file holds 3.9 MB of '['.",
    group: 'folders',
    through: 'folder',
    make: (folder, form) => folder.write(AGENTS, '['.repeat(sizeIn(form, 3_900_000))),
    commands: AGENT_COMMANDS.slice(0, 1),
    expected: { end: [0, 1, 2] },
    input: 3_900_000,
    isShort: true,
  },
  {
    name: 'agents file opens objects without an end',
    does: 'The agents file holds 2 MB of \'{"agents":\'.',
    group: 'folders',
    through: 'folder',
    make: (folder, form) => folder.write(AGENTS, '{"agents":'.repeat(sizeIn(form, 200_000))),
    commands: AGENT_COMMANDS.slice(0, 1),
    expected: { end: [0, 1, 2] },
    input: 2_000_000,
  },
  {
    name: 'agents file of many agents',
    does: 'The agents file names 30,000 agents.',
    group: 'folders',
    through: 'folder',
    make: (folder, form) =>
      folder.write(
        AGENTS,
        JSON.stringify({
          agents: Object.fromEntries(Array.from({ length: sizeIn(form, 30_000) }, (_, k) => [`a${k}`, http])),
        }),
      ),
    commands: AGENT_COMMANDS.slice(0, 1),
    expected: { end: [0, 1, 2] },
    input: 2_400_000,
  },
  {
    name: 'agents file of evil names',
    does: 'The agents file names agents by __proto__, escapes and links to commands.',
    group: 'folders',
    through: 'folder',
    make: folder =>
      folder.write(
        AGENTS,
        `{"agents":{"__proto__":${JSON.stringify(http)},"\\u001b[2J\\u202e$(alert)":${JSON.stringify(http)},"[x](command:y)":{"protocol":"\\u001b[2J"},"constructor":null}}`,
      ),
    commands: AGENT_COMMANDS,
    expected: { end: [0, 1, 2] },
    isShort: true,
  },
  {
    name: 'agents file is a link to the passwords',
    does: 'The agents file is a link to /etc/passwd, whose lines must not be printed.',
    group: 'folders',
    through: 'folder',
    make: async folder => {
      await mkdir(join(folder.path, '.vscode'));
      await symlink('/etc/passwd', join(folder.path, AGENTS));
    },
    commands: AGENT_COMMANDS.slice(0, 2),
    expected: { end: [0, 1, 2], never: /root:/ },
  },
  {
    name: 'agents file asks for secrets in the address',
    does: 'The agents file puts a variable of the environment into the address of an agent that nobody named.',
    group: 'folders',
    through: 'folder',
    make: folder => folder.write(AGENTS, config({ ...http, url: 'http://127.0.0.1:9/${env:PLANTED}' })),
    commands: [['agents'], ['agents', '--format', 'json'], ['send', 'request.aicf', '--agent', 'a']],
    expected: { end: [0, 1, 2] },
  },
  {
    name: 'folder that names a process',
    does: 'The folder names a process as its agent, for a request that nobody allowed to be sent.',
    group: 'folders',
    through: 'folder',
    make: async folder => {
      await folder.write(
        AGENTS,
        config({ protocol: 'aicl', type: 'stdio', command: 'touch', args: ['hurt'] }),
      );
      await folder.write('named.aicl', `# @agent a\n${requestFor('aicl')[1]}`);
    },
    commands: [['send', 'named.aicl'], ['send', 'request.aicl'], ['check', '.'], ['agents']],
    expected: { end: [0, 2] },
    isShort: true,
  },
  {
    name: 'folder with links in circles',
    does: 'The folder holds links to itself and to /.',
    group: 'folders',
    through: 'folder',
    make: async folder => {
      await symlink('.', join(folder.path, 'again'));
      await symlink('/', join(folder.path, 'root'));
      await symlink('..', join(folder.path, 'up'));
    },
    commands: [
      ['check', '.'],
      ['format', '--check', '.'],
    ],
    expected: { end: [0, 1] },
  },
  {
    name: 'folder that is deep',
    does: 'The folder is 300 folders deep.',
    group: 'folders',
    through: 'folder',
    make: async folder => {
      await mkdir(join(folder.path, ...Array<string>(300).fill('d')), { recursive: true });
    },
    commands: [['check', '.']],
    expected: { end: [0, 1] },
  },
  {
    name: 'request file of nested dictionaries',
    does: "A file holds 2 MB of '[d:[s:a]:'.",
    group: 'folders',
    through: 'folder',
    make: (folder, form) => folder.write('x.aicl', '[d:[s:a]:'.repeat(sizeIn(form, 222_000))),
    commands: [
      ['check', 'x.aicl'],
      ['format', 'x.aicl'],
      ['convert', 'x.aicl', '--to', 'json'],
      ['tokens', 'x.aicl'],
      ['tensor', 'x.aicl'],
    ],
    expected: { end: [0, 1, 2] },
    input: 2_000_000,
    isShort: true,
  },
  {
    name: 'request file of nested lists',
    does: 'A file of JSON holds 2 MB of closed lists.',
    group: 'folders',
    through: 'folder',
    make: (folder, form) => {
      const deep = sizeIn(form, 1_000_000);
      return folder.write(
        'x.json',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      );
    },
    commands: [
      ['convert', 'x.json', '--to', 'aicl'],
      ['convert', 'x.json', '--to', 'json'],
      ['tokens', 'x.json'],
    ],
    expected: { end: [0, 1, 2] },
    input: 2_000_000,
    isShort: true,
  },
  {
    name: 'array file of a shape that lies',
    does: 'An array file names a shape of 2^60 elements and a header of 4 GiB.',
    group: 'folders',
    through: 'folder',
    make: async folder => {
      const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,), }\n";
      await folder.write(
        'x.npy',
        Buffer.concat([
          Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
          Buffer.from([header.length, 0]),
          Buffer.from(header),
        ]),
      );
      await folder.write(
        'y.safetensors',
        Buffer.concat([Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]), Buffer.from('{}')]),
      );
      await folder.write(
        'z.safetensors',
        Buffer.concat([Buffer.from([255, 255, 255, 255, 255, 255, 255, 255]), Buffer.from('{}')]),
      );
    },
    commands: [
      ['tensor', 'x.npy'],
      ['tensor', 'y.safetensors'],
      ['tensor', 'z.safetensors'],
      ['tensor', '--import', 'x.npy'],
    ],
    expected: { end: [0, 1, 2] },
    isShort: true,
  },
];

const HEADER = '{"format":"agenttrace","version":1,"producer":"x"}\n';
const TRACE = 'x.agenttrace.jsonl';
const TRACE_COMMANDS = [
  ['trace', 'show', TRACE],
  ...['agenttrace', 'aio', 'otlp', 'har', 'mermaid', 'markdown', 'csv', 'totals'].map(to => [
    'trace',
    'export',
    TRACE,
    '--to',
    to,
  ]),
  ['trace', 'diff', TRACE, TRACE],
];
const SHORT_TRACE_COMMANDS = [
  ['trace', 'show', TRACE],
  ['trace', 'export', TRACE, '--to', 'markdown'],
  ['trace', 'export', TRACE, '--to', 'csv'],
  ['trace', 'export', TRACE, '--to', 'totals'],
];

const call = (id: string, more = ''): string =>
  `{"type":"call","call":"${id}","trace":"4bf92f3577b34da6a3ce929d0e0e4736","at":1760000000000,"agent":"a","protocol":"aicf","title":"t"${more}}\n`;
const wire = (id: string, seq: number, bytes: string, direction = 'in'): string =>
  `{"type":"wire","call":"${id}","at":1760000000001,"seq":${seq},"direction":"${direction}","bytes":${bytes}}\n`;
const ended = (id: string, seq: number, more = ''): string =>
  `{"type":"end","call":"${id}","at":1760000000002,"seq":${seq},"status":"ok"${more}}\n`;

/** Escapes, marks, markup, formulas. */
const EVIL = '\\u001b[2J\\u001b]0;x\\u0007\\u202e\\u009b31m<script>alert(1)</script>[x](command:y)|=1+1';

function traceAttack(
  name: string,
  does: string,
  text: (form: Form) => string,
  more: Partial<FolderAttack> = {},
): FolderAttack {
  return {
    name,
    does,
    group: 'traces',
    through: 'trace file',
    make: (folder, form) => folder.write(TRACE, text(form)),
    commands: TRACE_COMMANDS,
    expected: { end: [0, 1, 2] },
    ...more,
  };
}

const TRACES: readonly FolderAttack[] = [
  traceAttack(
    'trace that is torn',
    'The last line of the trace is torn.',
    () => `${HEADER}${call('a')}${wire('a', 1, '{"text":"x"}').slice(0, 60)}`,
  ),
  traceAttack(
    'trace that is damaged',
    'Every third line of the trace is noise, of another type or of members of wrong types.',
    () =>
      `${HEADER}${Array.from({ length: 60 }, (_, k) => (k % 3 === 0 ? `{"type":${k},"call":[]}\n` : k % 3 === 1 ? `\u0000\ufffd{[\n` : call(`__proto__${k % 5}`, ',"parent":"__proto__1","names":{},"session":7'))).join('')}`,
    { isShort: true },
  ),
  traceAttack(
    'trace of evil words',
    'All texts of the trace hold escapes, bidirectional marks, markup and formulas.',
    () =>
      `${HEADER}{"type":"call","call":"${EVIL}","trace":"${EVIL}","at":1760000000000,"agent":"${EVIL}","from":"${EVIL}","protocol":"aicf","title":"=1+1${EVIL}","session":"${EVIL}"}\n{"type":"head","call":"${EVIL}","at":1760000000001,"seq":1,"direction":"in","line":"200 ${EVIL}","headers":[{"name":"${EVIL}","value":"${EVIL}"}]}\n${wire(EVIL, 2, `{"text":"ERR|500|${EVIL}"}`)}{"type":"note","call":"${EVIL}","at":1760000000002,"seq":3,"text":"${EVIL}"}\n${ended(EVIL, 4, `,"code":"${EVIL}","message":"${EVIL}"`)}`,
    {
      commands: SHORT_TRACE_COMMANDS,

      expected: { end: [0, 1], never: /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]|^=1\+1/m },
      isShort: true,
    },
  ),
  traceAttack(
    'trace that opens lists without an end',
    "A line of the trace is 20 MB of '['.",
    form => `${HEADER}${'['.repeat(sizeIn(form, 20_000_000))}\n${call('a')}${ended('a', 1)}`,
    {
      commands: SHORT_TRACE_COMMANDS.slice(0, 1),
      input: 20_000_000,
      isShort: true,
    },
  ),
  traceAttack(
    'trace with a reply that opens lists',
    "A recorded reply is 2 MB of '['.",
    form =>
      `${HEADER}${call('a', ',"protocol":"mcp"')}${wire('a', 1, `{"text":"${'['.repeat(sizeIn(form, 2_000_000))}"}`)}${ended('a', 2)}`,
    {
      commands: [...SHORT_TRACE_COMMANDS, ['trace', 'show', TRACE, '--parts']],
      input: 2_000_000,
      isMeasured: true,
      isShort: true,
    },
  ),
  traceAttack(
    'trace with a reply of nested dictionaries',
    "A recorded reply is 2 MB of '[d:[s:a]:'.",
    form =>
      `${HEADER}${call('a').replace('aicf', 'aicl')}${wire('a', 1, `{"text":"${'[d:[s:a]:'.repeat(sizeIn(form, 222_000))}"}`)}${ended('a', 2)}`,
    {
      commands: [...SHORT_TRACE_COMMANDS, ['trace', 'show', TRACE, '--parts']],
      input: 2_000_000,
    },
  ),
  traceAttack(
    'trace of a long chain',
    'Each of 20,000 calls leads to the next.',
    form =>
      HEADER +
      Array.from({ length: sizeIn(form, 20_000) }, (_, k) => call(`c${k + 1}`, `,"parent":"c${k}"`)).join(''),
    {
      commands: TRACE_COMMANDS,
      input: 4_000_000,
      isShort: true,
    },
  ),
  traceAttack(
    'trace in circles',
    'Calls of the trace are their own parents, and those of each other.',
    () =>
      HEADER +
      call('a', ',"parent":"a"') +
      call('b', ',"parent":"c"') +
      call('c', ',"parent":"b"') +
      call('b', ',"parent":"a"'),
  ),
  traceAttack(
    'trace of many calls',
    'The trace has 50,000 calls.',
    form =>
      HEADER +
      Array.from({ length: sizeIn(form, 50_000) }, (_, k) => call(`c${k}`) + ended(`c${k}`, 1)).join(''),
    {
      commands: [
        ['trace', 'show', TRACE],
        ['trace', 'export', TRACE, '--to', 'csv'],
        ['trace', 'export', TRACE, '--to', 'otlp'],
      ],
      input: 12_000_000,
    },
  ),
  traceAttack(
    'trace of many events',
    'One call of the trace has 20,000 events.',
    form =>
      HEADER +
      call('a') +
      Array.from({ length: sizeIn(form, 20_000) }, (_, k) => wire('a', k + 1, '{"text":"x"}')).join(''),
    {
      commands: SHORT_TRACE_COMMANDS,
      input: 2_200_000,
    },
  ),
  traceAttack(
    'trace of one line',
    'A line of the trace has 32 MiB.',
    form =>
      `${HEADER}${call('a')}${wire('a', 1, `{"text":"${'x'.repeat(sizeIn(form, 32 * MIB))}"}`)}${ended('a', 2)}`,
    {
      commands: SHORT_TRACE_COMMANDS,
      input: 32 * MIB,
    },
  ),
  traceAttack(
    'trace of times that are impossible',
    'Times, numbers and lengths are negative, too large or no numbers.',
    () =>
      HEADER +
      call('a').replace('1760000000000', '-1e308') +
      wire('a', 2 ** 53, '{"base64":"!!!="}') +
      ended('a', -1).replace('1760000000002', '1e308') +
      `{"type":"head","call":"a","at":1e999,"seq":1e999,"direction":"in","line":7,"headers":{}}\n`,
    { isShort: true },
  ),
  traceAttack(
    'trace of a later version',
    'The trace names the version 999.',
    () => `{"format":"agenttrace","version":999}\n${call('a')}`,
    { expected: { end: [1, 2] } },
  ),
  traceAttack('trace that is no text', 'The trace is 1 MiB of 0xff.', () => '\u00ff'.repeat(500_000), {
    expected: { end: [1, 2] },
    commands: SHORT_TRACE_COMMANDS,
  }),
  traceAttack(
    'HAR of nested lists',
    'An archive of HTTP holds 2 MB of open lists.',
    form => `{"log":{"version":"1.2","entries":${'['.repeat(sizeIn(form, 2_000_000))}`,
    {
      commands: [
        ['trace', 'show', TRACE],
        ['trace', 'show', 'x.har'],
      ],
      make: async (folder, form) => {
        const text = `{"log":{"version":"1.2","entries":${'['.repeat(sizeIn(form, 2_000_000))}`;
        await folder.write(TRACE, text);
        await folder.write('x.har', text);
      },
      input: 2_000_000,
    },
  ),
];

const EVIL_AICL = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1\u001b[2J],[s:msg_type]:[s:\u202e\u001b]0;owned\u0007],[s:data]:[s:\u009b31m\u0007]]\n`;

const STEERED = /\x1b\[2J|\x1b\]|\u202e|\x9b|\x07/;

const terminal = (
  name: string,
  does: string,
  commands: FolderAttack['commands'],
  more: Partial<FolderAttack> = {},
): FolderAttack => ({
  name,
  does,
  group: 'terminals',
  through: 'terminal',
  make: async folder => {
    await folder.write('evil.aicl', EVIL_AICL);
    await folder.write('\u001b[2J\u202e.aicl', EVIL_AICL);
    await folder.write(
      'evil.aicf',
      'CALL|\u001b[2Jecho|\u202e\u001b]0;owned\u0007\nERR|1|\u009b31m\u0007\ncall|\u001b[2J\n',
    );
    await folder.write(
      AGENTS,
      config({ ...http, url: 'http://127.0.0.1:9/\u202e' }).replace('"a"', '"a\\u001b[2J\\u202e"'),
    );
    await folder.write(
      TRACE,
      `${HEADER}${call('a').replace('"t"', `"${EVIL}"`)}${wire('a', 1, `{"text":"ERR|500|${EVIL}"}`)}${ended('a', 2, `,"message":"${EVIL}"`)}`,
    );
  },
  commands,
  expected: { end: [0, 1, 2], never: STEERED },
  isTerminal: true,
  ...more,
});

const TERMINALS: readonly FolderAttack[] = [
  terminal(
    'check of a file with escapes',
    'A file that steers the terminal is checked.',
    [
      ['check', 'evil.aicl'],
      ['check', 'evil.aicf'],
      ['check', '.'],
    ],
    { isShort: true },
  ),
  terminal('format of a file with escapes', 'A file that steers the terminal is formatted.', [
    ['format', 'evil.aicl', '--profile', 'chat'].slice(0, 2),
    ['format', 'evil.aicf'],
    ['format', '--check', '.'],
  ]),
  terminal('conversion of a file with escapes', 'A file that steers the terminal is converted.', [
    ['convert', 'evil.aicl', '--to', 'aicf'],
    ['convert', 'evil.aicf', '--to', 'aicl'],
    ['convert', 'evil.aicl', '--to', 'mcp'],
  ]),
  terminal('list of agents with escapes', 'An agents file that steers the terminal is listed.', [
    ['agents'],
    ['send', 'evil.aicf'],
  ]),
  terminal('trace with escapes', 'A trace that steers the terminal is shown.', SHORT_TRACE_COMMANDS),
  terminal(
    'tensor of a file with escapes',
    'Tensors and tokens of a file that steers the terminal are shown.',
    [
      ['tensor', 'evil.aicl'],
      ['tokens', 'evil.aicl'],
    ],
  ),
  terminal('words with escapes', 'Words of the command line steer the terminal.', [
    ['explain', '\u001b[2J\u202e'],
    ['\u001b[2J'],
    ['check', '\u001b[2J\u202e.aicl'],
    ['send', 'evil.aicf', '--agent', '\u001b[2J'],
  ]),
];

/** Rows of a reply that is printed on a terminal. */
function replyRow(protocol: 'aicf' | 'aicl'): Attack {
  const expected: Expected = { end: [0, 1], never: STEERED };
  return {
    name: 'reply with escapes',
    group: 'terminals',
    protocol: `terminal, ${protocol}`,
    does: 'An agent steers the terminal by its reply, its notes and its errors.',
    expected,
    isShort: protocol === 'aicf',
    run: async form => {
      const text = '\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m\u0007';
      const agent = await startRawAgent(
        socket =>
          void socket.end(
            reply(
              protocol === 'aicf'
                ? `OK|${text}`
                : `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:${text.replace(']', ')')}]]`,
            ),
          ),
      );
      try {
        return await inFolder(
          { ...USUAL, 'a.json': config({ ...http, protocol, url: `${agent.origin}/` }) },
          async folder => {
            const words = ['send', requestFor(protocol)[0], '--agent', 'a', '--agents', 'a.json'];
            const run = await runParley(words, { cwd: folder.path, form, isTerminal: true });
            return judge(run, expected, { input: 1000 });
          },
        );
      } finally {
        await agent.close();
      }
    },
  };
}

interface ConsentRow {
  readonly name: string;
  readonly does: string;
  readonly words: readonly string[];
  readonly request: string;
  readonly isSent: 'sent' | 'not sent';
  readonly end: readonly number[];
  readonly isShort?: true;
}

const CONSENTS: readonly ConsentRow[] = [
  {
    name: 'sends without consent',
    does: 'A request names its agent, and the user neither the agent nor the file.',
    words: [],
    request: '# @agent a\nLIST\n',
    isSent: 'not sent',
    end: [2],
    isShort: true,
  },
  {
    name: 'sends to its only agent without consent',
    does: 'The folder has one agent, and the user named none.',
    words: [],
    request: 'LIST\n',
    isSent: 'not sent',
    end: [2],
  },
  {
    name: 'sends with the consent to a file',
    does: 'The user named the agents file.',
    words: ['--agents', AGENTS],
    request: '# @agent a\nLIST\n',
    isSent: 'sent',
    end: [0],
  },
  {
    name: 'sends with the consent to an agent',
    does: 'The user named the agent.',
    words: ['--agent', 'a'],
    request: '# @agent a\nLIST\n',
    isSent: 'sent',
    end: [0],
  },
  {
    name: 'sends the environment without consent',
    does: 'A request holds a variable of the environment that the user did not allow.',
    words: ['--agents', AGENTS],
    request: '# @agent a\nCALL|echo|{{$env PLANTED}}\n',
    isSent: 'not sent',
    end: [1, 2],
    isShort: true,
  },
  {
    name: 'sends the environment by a definition',
    does: 'A request holds a variable that is defined as one of the environment.',
    words: ['--agents', AGENTS],
    request: '# @x = {{$env PLANTED}}\n# @agent a\nCALL|echo|{{x}}\n',
    isSent: 'not sent',
    end: [1, 2],
  },
  {
    name: 'sends another variable than the allowed one',
    does: 'A request holds a variable of the environment, and the user allowed another one.',
    words: ['--agents', AGENTS, '--allow-env', 'PATH'],
    request: '# @agent a\nCALL|echo|{{$env PLANTED}}\n',
    isSent: 'not sent',
    end: [1, 2],
  },
  {
    name: 'sends the allowed variable',
    does: 'A request holds a variable of the environment that the user allowed.',
    words: ['--agents', AGENTS, '--allow-env', 'PLANTED'],
    request: '# @agent a\nCALL|echo|{{$env PLANTED}}\n',
    isSent: 'sent',
    end: [0],
  },
  {
    name: 'sends to another agent than the named one',
    does: 'A request names another agent than the user.',
    words: ['--agent', 'b'],
    request: '# @agent a\nLIST\n',
    isSent: 'not sent',
    end: [0, 1, 2],
  },
];

function consentRow(row: ConsentRow): Attack {
  const expected: Expected = { end: row.end };
  return {
    name: row.name,
    group: 'folders',
    protocol: 'consent',
    does: row.does,
    expected,
    isShort: row.isShort ?? false,
    run: async form => {
      const other = await startOther();
      const agent = await startRawAgent(socket => void socket.end(reply('OK|1')));
      const agents = {
        a: { ...http, quirks: 'off', url: `${agent.origin}/` },
        ...(row.words.includes('b') ? { b: { ...http, quirks: 'off', url: `${other.origin}/` } } : {}),
      };
      try {
        return await inFolder(
          { 'x.aicf': row.request, [AGENTS]: JSON.stringify({ agents }) },
          async folder => {
            const run = await runParley(['send', 'x.aicf', ...row.words], {
              cwd: folder.path,
              form,
              env: { PLANTED },
            });
            const faults =
              (agent.requests.length > 0 ? 'sent' : 'not sent') === row.isSent
                ? []
                : [`it was ${row.isSent === 'sent' ? 'not ' : ''}sent`];
            return await judge(run, expected, { input: 1000, faults });
          },
        );
      } finally {
        await Promise.all([agent.close(), other.close()]);
      }
    },
  };
}

/** Hostile folders, files, traces, and what is printed of them. */
export const FILES: readonly Attack[] = [
  ...[...fileAttacks(), ...CONTENTS, ...TRACES, ...TERMINALS].map(toRow),
  replyRow('aicf'),
  replyRow('aicl'),
  ...CONSENTS.map(consentRow),
];
