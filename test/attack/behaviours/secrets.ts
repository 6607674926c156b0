import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { reply, startRawAgent } from '../../agents/support/raw-agent.ts';
import { inFolder, judge, type Attack, type Expected } from '../support/attack.ts';
import { requestFor } from '../support/http-agent.ts';
import { startParley } from '../support/measure.ts';
import { readAddress } from './pages.ts';

const FINE: Expected = { end: [0] };
const TRACE = 't.agenttrace.jsonl';

/** Names of values, and where they are in a request or a reply; each gets a value of its own. */
interface NameRow {
  readonly name: string;
  readonly does: string;
  readonly names: readonly string[];
  readonly is: 'hidden' | 'visible';
  readonly where: 'headers' | 'reply headers' | 'query' | 'form';
  readonly isShort?: true;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const SECRET_HEADERS =
  words(`Authorization Proxy-Authorization Cookie X-API-Key X-AIP-API-Key api-key apikey X-Goog-Api-Key
  X-Goog-IAM-Authorization-Token X-Amz-Security-Token X-Amz-Signature x-amzn-oidc-data x-amzn-oidc-accesstoken Ocp-Apim-Subscription-Key X-Functions-Key
  x-ms-client-secret X-Auth-Token X-Auth-Key X-Access-Token X-Refresh-Token X-ID-Token X-Session-Token X-CSRF-Token X-XSRF-Token
  X-GitHub-Token PRIVATE-TOKEN JOB-TOKEN X-Gitlab-Token X-Vault-Token X-Shopify-Access-Token X-Slack-Signature X-Hub-Signature-256 Stripe-Signature
  X-Twilio-Signature X-Line-Signature X-Figma-Token Notion-Token X-Airtable-Key Linear-Api-Key X-Datadog-Api-Key DD-API-KEY DD-APPLICATION-KEY
  X-Honeycomb-Team-Secret x-portkey-api-key Helicone-Auth xi-api-key X-Cohere-Api-Key anthropic-api-key OpenAI-Api-Key X-Pinecone-Api-Key
  X-A2A-Notification-Token X-Api-Secret X-Client-Secret X-App-Key X-App-Token X-Access-Key X-Secret-Key X-Password X-Passphrase X-OTP
  X-Auth-Password DPoP X-WSSE X-Signature Signature X-User-Token X-Admin-Token X-Bot-Token X-Bearer-Token X-JWT-Assertion Cf-Access-Jwt-Assertion
  CF-Access-Client-Secret X-Plex-Token X-Security-Token X-Credential X-Master-Key X-Service-Key X-RapidAPI-Key X-Parse-Master-Key X-Figma-Signature`);

const VISIBLE_HEADERS =
  words(`Accept-Signature X-Request-Id X-Correlation-Id Idempotency-Key X-Idempotency-Key Surrogate-Key Cache-Key X-Cache-Key
  X-Partition-Key X-Continuation-Token X-Next-Page-Token X-Sync-Token X-Resume-Token X-RateLimit-Limit-Tokens X-RateLimit-Remaining-Tokens
  X-RateLimit-Reset-Tokens X-Token-Count X-Token-Usage X-Max-Tokens X-Token-Type X-Auth-Type X-Auth-Scheme X-Auth-Method X-Auth-User X-Auth-Expires
  X-Api-Key-Id X-Signature-Algorithm X-Key-Algorithm X-Project-Key X-Object-Key X-Public-Key X-Row-Key X-Prompt-Key traceparent tracestate User-Agent
  If-Match X-Author X-Keyboard X-Monkey X-Tokenizer X-Passage X-Compass X-Design X-Keynote X-Turkey X-Assigned-To X-Secretary-Name`);

const SECRET_QUERIES =
  words(`key token api_key apiKey apikey access_token accessToken refresh_token id_token auth auth_token authToken client_secret clientSecret
  secret password passwd pwd passphrase signature sig X-Amz-Signature X-Amz-Credential X-Amz-Security-Token X-Goog-Signature code code_verifier device_code
  assertion client_assertion SAMLResponse jwt ticket otp subscription-key app_key appKey session_token sessionToken user_token private_key`);

const VISIBLE_QUERIES =
  words(`pageToken page_token nextPageToken next_token nextToken continuation_token continuationToken sync_token resume_token resumeToken
  start_token max_tokens maxTokens token_type tokenType token_count cache_key cacheKey partitionKey partition_key sort_key sortKey primaryKey foreign_key
  object_key project_key issueKey file_key fileKey row_key prompt_key page_key nextKey cursor cursorToken idempotency_key key_id keyId api_key_id
  signature_algorithm X-Amz-Algorithm X-Amz-Expires X-Amz-Date author keyboard monkey tokens passage design assignee auth_type authScheme`);

const NAME_ROWS: readonly NameRow[] = [
  {
    name: 'secret names of headers',
    does: 'Callers send credentials in the headers of vendors and registries.',
    names: SECRET_HEADERS,
    is: 'hidden',
    where: 'headers',
    isShort: true,
  },
  {
    name: 'other names of headers',
    does: 'Callers send pages, cache keys, counts and algorithms in headers, which stay readable.',
    names: VISIBLE_HEADERS,
    is: 'visible',
    where: 'headers',
  },
  {
    name: 'secret names of reply headers',
    does: 'Agents send credentials in headers.',
    names: ['Set-Cookie', 'Set-Cookie2', ...SECRET_HEADERS.filter(name => name.startsWith('X-'))],
    is: 'hidden',
    where: 'reply headers',
  },
  {
    name: 'secret names of queries',
    does: 'Callers send credentials in the query.',
    names: SECRET_QUERIES,
    is: 'hidden',
    where: 'query',
  },
  {
    name: 'other names of queries',
    does: 'Callers send cursors and counts in the query, which stay readable.',
    names: VISIBLE_QUERIES,
    is: 'visible',
    where: 'query',
    isShort: true,
  },
  {
    name: 'secret names of forms',
    does: 'Callers send credentials in a form.',
    names: SECRET_QUERIES,
    is: 'hidden',
    where: 'form',
  },
  {
    name: 'other names of forms',
    does: 'Callers send cursors and counts in a form, which stay readable.',
    names: VISIBLE_QUERIES,
    is: 'visible',
    where: 'form',
  },
];

const valueOf = (index: number): string => `v${index}wqzkplm${index}xhtr`;

function nameRow(row: NameRow): Attack {
  return {
    name: row.name,
    group: 'secrets',
    protocol: 'recording',
    does: row.does,
    expected: FINE,
    isShort: row.isShort ?? false,
    run: async () => {
      const values = row.names.map(
        (name, index) => `${name}${row.where.endsWith('headers') ? ': ' : '='}${valueOf(index)}`,
      );
      const agent = await startRawAgent(
        socket =>
          void socket.end(
            row.where === 'reply headers'
              ? `HTTP/1.1 200 OK\r\n${values.join('\r\n')}\r\nContent-Length: 4\r\n\r\nOK|1`
              : reply('OK|1'),
          ),
      );
      const body = row.where === 'form' ? values.join('&') : 'LIST';
      const type = row.where === 'form' ? 'application/x-www-form-urlencoded' : 'text/plain';
      const requests =
        row.where === 'query'
          ? [`POST /x?${values.join('&')} HTTP/1.1\r\nHost: HERE\r\nContent-Length: 4\r\n\r\nLIST`]
          : [
              `POST /x HTTP/1.1\r\nHost: HERE\r\nContent-Type: ${type}\r\n${row.where === 'headers' ? `${values.join('\r\n')}\r\n` : ''}Content-Length: ${body.length}\r\n\r\n${body}`,
            ];
      try {
        return await recordRequests(agent.origin, requests, trace => {
          const wrong = row.names.filter(
            (_, index) => trace.includes(valueOf(index)) === (row.is === 'hidden'),
          );
          if (wrong.length === 0) return [];
          return [
            `${wrong.length} of ${row.names.length} are ${row.is === 'hidden' ? 'stored in plain text' : 'hidden'}: ${wrong.join(' ')}`,
          ];
        });
      } finally {
        await agent.close();
      }
    },
  };
}

/** A message whose credential is VALUE; its reply, where that is what holds it. */
interface BodyRow {
  readonly type: string;
  readonly body: string;
  readonly reply?: string;
}

const part = (head: string, value = 'VALUE', end = '\r\n'): BodyRow => ({
  type: 'multipart/form-data; boundary=x',
  body: ['--x', head, '', value, '--x--', ''].join(end),
});
const form = (body: string, more: Partial<BodyRow> = {}): BodyRow => ({
  type: 'application/x-www-form-urlencoded',
  body,
  ...more,
});
const text = (body: string, more: Partial<BodyRow> = {}): BodyRow => ({ type: 'text/plain', body, ...more });
const json = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`;

/** Credentials in the forms of bodies, headers behind bodies, and addresses within addresses. */
const BODY_ROWS: readonly BodyRow[] = [
  part('Content-Disposition: form-data; name="token"'),
  part('Content-Disposition: form-data; name=token'),
  part('content-disposition: form-data; filename="k.pem"; NAME="private_key"'),
  part('Content-Disposition: form-data; name="private_key"; filename="k.pem"\r\nContent-Type: x/y'),
  part('Content-Disposition: form-data; name="password"\r\nA: b\r\nC: d\r\nE: f\r\nG: h'),
  part('Content-Disposition: form-data; name="password"', 'first line\r\nVALUE'),
  part('Content-Disposition: form-data; name="private_key"', '-----BEGIN A-----\r\nVALUE\r\n-----END A-----'),
  part('Content-Disposition: form-data; name="token"', 'VALUE', '\n'),
  ...[']', '|', '<', '`', '"', '\\', '#', ' ', ';', '\t', '=', '?', '/'].map(mark =>
    form(`password=a${mark}VALUE`),
  ),
  form('a=b&api+key=VALUE'),
  form('a=b&pass%77ord=VALUE'),
  form('grant_type=x', { reply: json('{"sessionToken":"VALUE"}') }),
  form('grant_type=x', { reply: json('{"n":{"otp":"VALUE"}}') }),
  text('{"grant_type":"x","passcode":"VALUE"}'),
  { type: 'text/json', body: '{"passcode":"VALUE","grant_type":"x"}' },
  text(`{"password":${' '.repeat(100)}"VALUE"}`),
  text('{"u":"https://h.x/?a\\u003D1\\u0026sig\\u003dVALUE"}'),
  text('/?to=https%3A%2F%2Fme%3AVALUE%40h.x%2F'),
  text(`/?${'a_'.repeat(60)}token=VALUE`),
  text('use Bearer   VALUE1 now'),
  text('use bEARER VALUE1 now'),
  text('LIST|AUTH:VALUE'),
  text('CALL|x|AUTH: is text|y\nCALL|x|AUTH:VALUE\n'),
  text('hi', {
    reply: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Auth-Token: VALUE\r\n\r\n',
  }),
];

/** Credentials in bodies and behind them, of requests and of replies. */
const IN_BODIES: Attack = {
  name: 'credentials in bodies',
  group: 'secrets',
  protocol: 'recording',
  does: 'Callers and agents send credentials in forms of all kinds, in JSON, in addresses and behind bodies.',
  expected: FINE,
  isShort: true,
  run: async () => {
    const agent = await startRawAgent(
      (socket, index) =>
        void socket.end(BODY_ROWS[index]?.reply?.replace('VALUE', valueOf(index)) ?? reply('OK|1')),
    );
    const requests = BODY_ROWS.map(({ type, body }, index) => {
      const sent = body.replace('VALUE', valueOf(index));
      return `POST /${index} HTTP/1.1\r\nHost: HERE\r\nContent-Type: ${type}\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`;
    });
    try {
      return await recordRequests(agent.origin, requests, trace =>
        BODY_ROWS.filter((_, index) => trace.includes(valueOf(index))).map(
          ({ body, reply: said = '' }) => `stored in plain text: ${JSON.stringify(`${body} ${said}`)}`,
        ),
      );
    } finally {
      await agent.close();
    }
  },
};

/** Records requests to an agent, and looks at what the trace file holds afterwards. */
function recordRequests(
  origin: string,
  requests: readonly string[],
  look: (trace: string) => readonly string[],
): ReturnType<Attack['run']> {
  return inFolder({}, async folder => {
    const recording = startParley(
      ['record', '--listen', '0', '--to', origin, '--out', TRACE, '--format', 'json'],
      {
        cwd: folder.path,
        timeCap: 60_000,
      },
    );
    const here = await readAddress(recording);
    for (const request of requests) await exchange(here, request.replaceAll('HERE', here));
    recording.child.kill('SIGINT');
    const run = await recording.ended;
    const trace = await readFile(join(folder.path, TRACE), 'utf8');
    return judge(run, FINE, { input: requests.join('').length, faults: look(trace) });
  });
}

/** Sends a request and waits for the reply to end. */
function exchange(here: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let came = '';
    const socket = connect(Number(here.split(':')[1]), '127.0.0.1', () => socket.write(request));
    socket.on('data', (bytes: Buffer) => {
      came += bytes.toString('latin1');
      if (came.includes('OK|1')) socket.end();
    });
    socket.on('close', () => resolve(came));
    socket.on('error', reject);
  });
}

const STUBBORN = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  setInterval(() => undefined, 1000); process.stdin.resume(); process.stdout.on('error', () => undefined); console.log('ready');`;
const QUIET = `setInterval(() => undefined, 1000); process.stdin.resume(); process.stdout.on('error', () => undefined); console.log('ready');`;

/** A command that is ended from outside while its process runs: nothing of it may be left. */
function endedRow(
  name: string,
  does: string,
  script: string,
  how: {
    readonly signal: NodeJS.Signals;
    readonly command: 'record' | 'send';
    /** What the command reports; it is ended by SIGKILL then, as the report says. */
    readonly report?: RegExp;
  },
  isShort = false,
): Attack {
  const expected: Expected = {
    end: [how.report ? 'SIGKILL' : how.signal, 0, 1, 128 + 15, 128 + 2, 128 + 1],
    isLeftReported: true,
  };
  return {
    name,
    group: 'stdio',
    protocol: 'aicl',
    does,
    expected,
    isShort,
    run: () => {
      const agents = {
        a: { protocol: 'aicl', type: 'stdio', command: process.execPath, args: ['agent.js'] },
      };
      const files = {
        'agent.js': script.replace(
          "console.log('ready')",
          "console.log('ready'); require('node:fs').writeFileSync('ready', '')",
        ),
        'request.aicl': requestFor('aicl')[1],
        'agents.json': JSON.stringify({ agents }),
      };
      return inFolder(files, async folder => {
        const command =
          how.command === 'record'
            ? ['record', '--out', TRACE, '--', process.execPath, 'agent.js']
            : ['send', 'request.aicl', '--agents', 'agents.json', '--agent', 'a'];
        const running = startParley(command, { cwd: folder.path, timeCap: 60_000 });
        while (
          (await readFile(join(folder.path, 'ready')).catch(() => undefined)) === undefined &&
          running.child.exitCode === null
        )
          await new Promise(resolve => setTimeout(resolve, 20));
        running.child.kill(how.signal);
        if (how.report) {
          while (!how.report.test(running.text().err) && running.child.exitCode === null)
            await new Promise(resolve => setTimeout(resolve, 20));
          running.child.kill('SIGKILL');
        }
        const run = await running.ended;
        // How a command says that it was interrupted is its own affair.
        return judge({ ...run, err: run.err === '' ? ' ' : run.err }, expected, { input: 1000 });
      });
    },
  };
}

/** A recording that is killed: what ended more than a second before is in its file, also on a busy machine. */
const KILLED: Attack = {
  name: 'a recording that is killed',
  group: 'secrets',
  protocol: 'recording',
  does: 'Kills a recording by SIGKILL 1.5 s after 20 calls, while other programs keep the machine busy.',
  expected: { end: ['SIGKILL'] },
  isShort: true,
  run: async form => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK|1')));
    const busy: ChildProcess[] = [];
    try {
      return await inFolder({}, async folder => {
        const recording = startParley(
          ['record', '--listen', '0', '--to', agent.origin, '--out', TRACE, '--format', 'json'],
          { cwd: folder.path, timeCap: 60_000 },
        );
        const here = await readAddress(recording);
        for (let k = 0; k < (form === 'full' ? 4 : 0); k++)
          busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
        const count = 20;
        for (let k = 0; k < count; k++)
          await exchange(
            here,
            `POST /${k} HTTP/1.1\r\nHost: ${here}\r\nContent-Length: 6\r\nConnection: close\r\n\r\nCALL|x`,
          );
        await new Promise(resolve => setTimeout(resolve, 1500));
        recording.child.kill('SIGKILL');
        const run = await recording.ended;
        const trace = await readFile(join(folder.path, TRACE), 'utf8').catch(() => '');
        const ends = trace.split('\n').filter(line => line.includes('"type":"end"')).length;
        const faults = ends === count ? [] : [`the file has the ends of ${ends} calls, not of ${count}`];
        return judge(run, { end: ['SIGKILL'] }, { input: 1000, faults });
      });
    } finally {
      for (const child of busy) child.kill('SIGKILL');
      await agent.close();
    }
  },
};

/** What recordings store, and what is left of commands that are ended. */
export const SECRETS: readonly Attack[] = [
  ...NAME_ROWS.map(nameRow),
  IN_BODIES,
  KILLED,
  endedRow(
    'a tap that is killed',
    'The tap of a process is ended by SIGKILL.',
    QUIET,
    { signal: 'SIGKILL', command: 'record' },
    true,
  ),
  endedRow(
    'a tap that is killed, of a stubborn process',
    'The tap of a process that ignores signals is ended by SIGKILL.',
    STUBBORN,
    { signal: 'SIGKILL', command: 'record' },
  ),
  endedRow(
    'a tap that ends, of a stubborn process',
    'The tap of a process that ignores signals gets SIGTERM, reports that the process goes on, and is ended by SIGKILL.',
    STUBBORN,
    { signal: 'SIGTERM', command: 'record', report: /keeps running in spite of the signal.*kill -9/ },
  ),
  endedRow(
    'a call that is killed',
    'The command that called a process is ended by SIGKILL.',
    QUIET,
    { signal: 'SIGKILL', command: 'send' },
    true,
  ),
  endedRow(
    'a call that is killed, of a stubborn process',
    'The command that called a process that ignores signals is ended by SIGKILL.',
    STUBBORN,
    { signal: 'SIGKILL', command: 'send' },
  ),
  endedRow(
    'a call that is interrupted, of a stubborn process',
    'The command that called a process that ignores signals is ended by SIGINT.',
    STUBBORN,
    { signal: 'SIGINT', command: 'send' },
  ),
];
