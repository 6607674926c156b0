import { dirname, resolve } from 'node:path';
import type { Reply, WireListener } from '../../../agents/connection.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { Protocol } from '../../../protocols/protocol.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { findFiles, readLanguage, readSource, type SourceFile } from '../files.ts';
import { toFinding } from '../findings.ts';
import { openSource } from '../languages.ts';
import { printJson } from '../print/json.ts';
import { printText } from '../print/text.ts';
import { findAgent, loadAgents, printFaults } from '../sending/agents-source.ts';
import { checkConsent, checkEnvironmentConsent } from '../sending/consent.ts';
import { planSteps, PreparedAnswers, type HeldStep, type SendStep, type Step } from '../sending/plan.ts';
import { loadEnvironment, RequestVariables } from '../sending/request-variables.ts';
import { describeEnd } from '../sending/describe-end.ts';
import { negotiationOf, Negotiations } from '../sending/negotiations.ts';
import { openSession, titleOf, type SendSession } from '../sending/session.ts';
import { isTyped, TYPED_REQUEST_OPTIONS, writeTypedRequest } from '../sending/typed-request.ts';
import type { Terminal } from '../terminal.ts';
import { closing, codeOf } from '../traces/trace-out.ts';
import {
  ALLOWED_AGENTS_OPTION,
  FORMAT_OPTION,
  LANGUAGE_OPTION,
  onlyPath,
  PROFILE_OPTION,
  readProfile,
  type Command,
  type CommandLine,
} from './command.ts';

/** `parley send`: sends the requests of a file and prints the replies as they arrive. */
export const send: Command = {
  name: 'send',
  usage: 'PATH',
  summary:
    'Sends the requests of a file, with FILE:N the Nth message, or a tool call of --tool, and prints the replies.',
  options: [
    {
      name: 'agent',
      value: 'NAME',
      isRepeatable: true,
      summary:
        'Allows an agent and sends all requests to it; of several, each request names its own with `# @agent`.',
    },
    ALLOWED_AGENTS_OPTION,
    {
      name: 'allow-env',
      value: 'X',
      isRepeatable: true,
      summary: 'Allows requests to send the environment variable X, as `{{$env X}}`.',
    },
    {
      name: 'environment',
      value: 'NAME',
      summary: 'The environment of .vscode/parley.env.json whose variables the requests use.',
    },
    ...TYPED_REQUEST_OPTIONS,
    { name: 'trace', value: 'FILE', summary: 'Writes the calls to a trace file.' },
    {
      name: 'chunk-bytes',
      value: 'N',
      summary: 'Sends AICL messages of more than N bytes in chunks; by default those above 10 MB.',
    },
    { name: 'negotiate', summary: 'Agrees on a version with each AICL agent before its first request.' },
    { name: 'force', summary: 'Sends requests with errors too.' },
    PROFILE_OPTION,
    FORMAT_OPTION,
    LANGUAGE_OPTION,
  ],
  async run(terminal, line) {
    const typed = isTyped(line) ? await typeRequest(terminal, line) : undefined;
    const file = typed ?? (await readOne(terminal, line));
    if (!file) return EXIT.findings;
    // No limit here: errors beyond a report limit must hold a request back too.
    const settings = { ...readProfile(line), maxIssues: Number.MAX_SAFE_INTEGER };
    const document = await openSource(file, settings);
    const agents = await loadAgents(terminal, line.option('agents'), file.name);
    const faulty = line.has('force') ? 'send' : 'hold';
    const named = line.options('agent');
    const steps = planSteps(file, document, { agents, named, faulty });
    const sent = steps.filter(step => step.kind === 'send');
    const used = sent.map(({ agent }) => agent);
    checkConsent({ line, agents, named }, used);
    printFaults(terminal, agents, used);
    const options = { language: file.language, warningPolicy: faulty } as const;
    const environment = await loadEnvironment(agents.workspaceFolder, line.option('environment'));
    const variables = new RequestVariables(terminal, document, environment, {
      folder: file.name === '-' ? terminal.cwd : dirname(resolve(terminal.cwd, file.name)),
      workspace: agents.workspaceFolder,
    });
    checkEnvironmentConsent(
      line,
      sent.flatMap(({ request }) => [...variables.listEnvironmentNames(request)]),
    );
    const session = await openSession(terminal, agents, line.option('trace'), options);
    const json = line.option('format') === 'json';
    const chunkBytes = readChunkBytes(line.option('chunk-bytes'));
    const negotiations = line.has('negotiate') ? new Negotiations(terminal, session) : undefined;
    const run = { terminal, file, document, session, variables, json, chunkBytes, negotiations };
    return codeOf(await closing(terminal, session, () => runSteps(run, steps)));
  },
};

function readChunkBytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`'--chunk-bytes ${text}' is not a number of bytes between 1 and 999999999`);
}

/** The request of `--tool` or `--method`. Throws a UsageError unless it goes to one agent. */
async function typeRequest(terminal: Terminal, line: CommandLine): Promise<SourceFile> {
  const [name, another] = line.options('agent');
  if (name === undefined || another !== undefined)
    throw new UsageError('--tool and --method are for one agent: name it with --agent');
  const agents = await loadAgents(terminal, line.option('agents'));
  return writeTypedRequest(line, findAgent(agents, name));
}

/** Reads the file. Returns undefined if it is not UTF-8, after reporting that on `err`. */
async function readOne(terminal: Terminal, line: CommandLine): Promise<SourceFile | undefined> {
  const [target, another] = await findFiles(terminal, [onlyPath('send', line)]);
  if (!target || another) throw new UsageError("'parley send' takes one file, not a folder");
  const read = await readSource(terminal, target, readLanguage(line.option('language')));
  if (read.ok) return read.file;
  terminal.err(printText([read.finding]));
  return undefined;
}

interface Run {
  readonly terminal: Terminal;
  readonly file: SourceFile;
  readonly document: OpenDocument;
  readonly session: SendSession;
  readonly variables: RequestVariables;
  readonly json: boolean;
  readonly chunkBytes: number | undefined;
  /** Undefined if no version is negotiated. */
  readonly negotiations: Negotiations | undefined;
}

async function runSteps(run: Run, steps: readonly Step[]): Promise<ExitCode> {
  const signal = run.terminal.catchInterrupts();
  // Opens all agents first: if one cannot be opened, nothing is sent.
  for (const step of steps) if (step.kind === 'send') await run.session.open(step.agent);
  const answers = new PreparedAnswers(run.document);
  const replies: unknown[] = [];
  let failed = false;
  try {
    for (const step of steps) {
      if (signal.aborted) break;
      if (step.kind === 'held') {
        failed = true;
        reportHeld(run, step);
        continue;
      }
      for (let next: SendStep | undefined = step; next && !signal.aborted;) {
        const mayBeSent: boolean = (await run.negotiations?.agree(next, run, signal)) ?? true;
        const reply: Reply | undefined = mayBeSent ? await sendOne(run, next, signal) : undefined;
        failed ||= reply?.status !== 'ok';
        if (!reply) break;
        const { status, code, message, text, question }: Reply = reply;
        replies.push({ agent: next.agent.name, title: titleOf(next.request), status, code, message, text });
        const protocol: Protocol | undefined = ALL_PROTOCOLS.find(next.agent.protocol);
        next = question && protocol && answers.take(next, protocol, question.session);
      }
    }
  } finally {
    if (run.json) run.terminal.out(printJson(replies));
  }
  return failed || signal.aborted ? EXIT.findings : EXIT.fine;
}

function reportHeld({ terminal, file, document }: Run, step: HeldStep): void {
  const findings = step.errors.map(issue => toFinding(file.name, document, issue));
  const advice = step.canForce ? '; --force sends it anyway' : '';
  const reason = step.refusal === undefined ? ` because of errors in it${advice}` : `. ${step.refusal}`;
  terminal.err(`${printText(findings)}Not sent${reason}\n`);
}

/** Sends a request. Returns undefined if a variable of it cannot be resolved, after reporting that on `err`. */
async function sendOne(run: Run, step: SendStep, signal: AbortSignal): Promise<Reply | undefined> {
  const { terminal, session, variables } = run;
  const label = `${step.agent.name} ${titleOf(step.request)}`;
  const resolved = await variables.resolve(step.request);
  if (!resolved.ok) {
    terminal.err(`${label}: not sent. ${resolved.problems.join('. ')}\n`);
    return undefined;
  }
  for (const note of resolved.notes) terminal.err(`${label}: note: ${note}\n`);
  const { wireText, secrets } = resolved;
  const chunked = run.chunkBytes === undefined ? {} : { chunkBytes: run.chunkBytes };
  const printer = new ReplyPrinter(run.json ? () => undefined : text => terminal.out(text));
  const listener: WireListener = {
    head: () => undefined,
    bytes: () => undefined,
    note: text => terminal.err(`${label}: note: ${text}\n`),
    progress: added => printer.show(added),
  };
  const reply = await session.send(step, { wireText, secrets, ...chunked }, run, listener, signal);
  variables.keepReply(step.request, reply.text);
  printer.end(reply.text);
  if (reply.status !== 'ok') {
    terminal.err(`${label}: ${describeEnd(reply)}\n`);
    if (!run.negotiations && negotiationOf(step, run.file)?.mayHelp(wireText, reply.code))
      terminal.err(`${label}: note: The agent may speak another version: '--negotiate' agrees on one\n`);
  }
  return reply;
}

/** Prints a text in pieces, then the part that no piece contained, and ends it with a line break. */
class ReplyPrinter {
  readonly #out: (text: string) => void;
  /** The count of characters shown so far; the text itself is not stored. */
  #shown = 0;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  show(added: string): void {
    this.#shown += added.length;
    this.#out(added);
  }

  /** Prints the rest of the whole text, which begins with the pieces shown so far. */
  end(text: string): void {
    if (text.length > this.#shown) this.#out(text.slice(this.#shown));
    if (text !== '' && !text.endsWith('\n')) this.#out('\n');
  }
}
