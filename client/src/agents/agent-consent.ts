import { type Memento } from 'vscode';
import type { AgentConfig, HttpAgentConfig, StdioAgentConfig } from '../../../agents/config/agent-config.ts';
import { printCommandLine } from '../../../agents/stdio/command-line.ts';
import { quote } from '../../../core/text/quote.ts';
import { describeReceiver } from './secrets.ts';
import { askInDialog } from '../window/messages.ts';
import { SharedWork } from '../base/shared-work.ts';

/** The memento key of the consents in this workspace, each with everything that its question named. */
const CONSENTS_KEY = 'commandConsents';

/** A question to the user before an agent is started, or before it receives data of this computer. */
interface Question {
  /** The keys under which consent is stored. */
  readonly keys: readonly string[];
  readonly text: string;
  readonly detail: string;
  readonly button: string;
}

/** Replaces variables whose value is a path on this computer. */
export type ShowPaths = (text: string) => string;

/** Asks a question. Returns true if the user chose its button. */
type AskConsent = (question: Question) => Promise<boolean>;

/**
 * Manages the user's consent to the agents of a workspace, because any folder may contain an agents file. Each command
 * line is confirmed before its first start, and each environment variable before it is first sent to an agent. The
 * stored consent covers everything that the question named, as written in the file, so a change asks again.
 */
export class AgentConsent {
  readonly #state: Memento;
  readonly #ask: AskConsent;
  readonly #asking = new SharedWork<boolean>();

  constructor(state: Memento, ask: AskConsent = askModally) {
    this.#state = state;
    this.#ask = ask;
  }

  /**
   * Returns true if an agent may be started or called. `file` is the agents file that names it; `show` replaces the
   * variables of a command line whose values are paths.
   */
  async get(file: string, agent: AgentConfig, show: ShowPaths): Promise<boolean> {
    const question = askFor(file, agent, show);
    return !question || this.#isGiven(question) || this.#askOnce(question);
  }

  /** Stores the consent of a user who has seen everything that the question would name. */
  async give(file: string, agent: AgentConfig): Promise<void> {
    const question = askFor(file, agent, text => text);
    if (question) await this.#keep(question);
  }

  /**
   * Returns true if requests may send environment variables with these names to the receiver of an agent. Asks about those
   * without consent.
   */
  async getVariables(names: readonly string[], agent: string, receiver: string): Promise<boolean> {
    const questions = names.filter(name => !this.#given().includes(variableKey(name, receiver)));
    return questions.length === 0 || this.#askOnce(askVariables(questions, agent, receiver));
  }

  #askOnce(question: Question): Promise<boolean> {
    return this.#asking.run(question.keys.join('\n'), async () => {
      if (!(await this.#ask(question))) return false;
      await this.#keep(question);
      return true;
    });
  }

  async #keep({ keys }: Question): Promise<void> {
    await this.#state.update(CONSENTS_KEY, [...new Set([...this.#given(), ...keys])]);
  }

  #isGiven({ keys }: Question): boolean {
    const given = this.#given();
    return keys.every(key => given.includes(key));
  }

  #given(): readonly string[] {
    const list = this.#state.get<unknown>(CONSENTS_KEY);
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [];
  }
}

function askFor(file: string, agent: AgentConfig, show: ShowPaths): Question | undefined {
  return agent.type === 'stdio' ? askStart(file, agent, show) : askEnvironment(file, agent);
}

/**
 * Shows everything that determines what runs, with paths in place of their variables. Other variables are not
 * resolved before the consent. The consent itself is for what the file says.
 */
function askStart(
  file: string,
  { name, command, args, env, cwd }: StdioAgentConfig,
  show: ShowPaths,
): Question {
  const lines = [
    printCommandLine(show(command), args.map(show)),
    '',
    ...(cwd === undefined ? [] : [`Folder: ${printCommandLine(show(cwd), [])}`]),
    ...[...env].map(([variable, value]) => `Environment: ${printCommandLine(`${variable}=${value}`, [])}`),
    `It is named in ${file} and runs with your rights on this computer. Start it only if you know what it does.`,
  ];
  return {
    keys: [JSON.stringify([file, command, args, [...env], cwd ?? null])],
    text: `Start this process for the agent ${quote(name)}?`,
    detail: lines.join('\n'),
    button: 'Start',
  };
}

/** Returns undefined for an agent that receives no environment variable with its requests. */
function askEnvironment(
  file: string,
  { name, url, headers, tls, oauth }: HttpAgentConfig,
): Question | undefined {
  const places = [
    ['the address', url],
    ...[...headers].map(([header, value]) => [`the header ${quote(header)}`, value]),
    ...Object.entries({ ...oauth }).map(([member, value]) => [`'oauth.${member}'`, String(value)]),
  ];
  const uses = places.flatMap(([place = '', text = '']) =>
    [...text.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, variable = '']) => `${quote(variable)} in ${place}`),
  );
  if (uses.length === 0) return undefined;
  const receiver = describeReceiver(url, file, tls);
  const reason = `The agent ${quote(name)} is named in ${file}.`;
  const keys = [JSON.stringify([file, receiver, [...new Set(uses)].sort()])];
  return { keys, ...askToSend(uses, receiver, reason, 'address') };
}

/** The question for variables in requests, which the agents file does not name. */
function askVariables(names: readonly string[], agent: string, receiver: string): Question {
  const uses = names.map(name => `${quote(name)} in the request`);
  const reason = `The request is for the agent ${quote(agent)}.`;
  const keys = names.map(name => variableKey(name, receiver));
  return { keys, ...askToSend(uses, receiver, reason, 'agent') };
}

function variableKey(name: string, receiver: string): string {
  return JSON.stringify(['request', receiver, name]);
}

function askToSend(
  uses: readonly string[],
  receiver: string,
  reason: string,
  known: 'address' | 'agent',
): Omit<Question, 'keys'> {
  const [what, them] = uses.length === 1 ? ['a variable', 'it'] : ['variables', 'them'];
  return {
    text: `Send ${what} of your environment to ${receiver}?`,
    detail: `${uses.join('\n')}\n\n${reason} Your environment may hold passwords and tokens. Send ${them} if you know that ${known}.`,
    button: 'Send',
  };
}

async function askModally({ text, detail, button }: Question): Promise<boolean> {
  return (await askInDialog(text, detail, button)) === button;
}
