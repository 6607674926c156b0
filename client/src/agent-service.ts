import type { Disposable, Event, Uri } from 'vscode';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { AgentType, ProtocolName } from '../../core/catalog/protocols.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import type { CallStatus } from '../../core/events/events.ts';
import type { Secret } from '../../core/text/secret.ts';
import type { NamedReply } from '../../language/variables/reply-value.ts';
import type { Resolution } from '../../language/variables/resolve.ts';
import type { EnvironmentVariable, Scope } from '../../language/variables/scope.ts';

/** A configured agent, as views and pickers show it. */
export interface AgentInfo {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly type: AgentType;
  /** Its URL or command line as the file writes it, variables included and credentials replaced. */
  readonly address: string;
  /** The agents file that names it. */
  readonly file: Uri;
}

/** An agent that somebody adds to the agents file. */
export interface AgentDraft {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly type: AgentType;
  /** Its address, or the command line of its process. */
  readonly where: string;
}

/** A tool as its agent describes it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** What it takes, as far as the agent says. */
  readonly declaration: ToolDeclaration | undefined;
  /** The JSON Schema of its arguments as JSON text; undefined where the agent gives none. */
  readonly schema: string | undefined;
}

/** A resource or a prompt as its agent describes it. */
export interface OfferedItem {
  readonly name: string;
  readonly description: string;
  /** The URI of a resource, or what a prompt takes. */
  readonly detail: string;
}

/** How we stand with an agent, and what it offers. What was known of one that failed is kept. */
export interface AgentOffer {
  readonly state: 'idle' | 'connecting' | 'connected' | 'failed';
  /** What the agent said of itself. */
  readonly peer: { readonly version?: string; readonly name?: string } | undefined;
  /** Undefined where the agent was not asked, or did not tell. */
  readonly tools: readonly ToolInfo[] | undefined;
  readonly resources: readonly OfferedItem[];
  readonly prompts: readonly OfferedItem[];
  /** When it told its tools, as milliseconds since 1970. */
  readonly at: number | undefined;
  /** One sentence: why it could not be reached, or why its tools are not known. */
  readonly problem: string | undefined;
  /** What the last answer changed in its tools; undefined where nothing did. */
  readonly change: OfferChange | undefined;
}

/** The names of tools that came, went and changed. */
export interface OfferChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Something wrong in an agents file, for people. */
export interface AgentsProblem {
  readonly file: Uri;
  /** From 0. */
  readonly line: number;
  readonly message: string;
  /** The agent whose entry it is about; undefined for the rest of the file. */
  readonly agent: string | undefined;
}

/** All that the agents files say now. Where two files name an agent, the first file's counts. */
export interface AgentList {
  readonly agents: readonly AgentInfo[];
  readonly problems: readonly AgentsProblem[];
}

/** A request on its way to an agent. */
export interface AgentRequest {
  readonly agent: string;
  /** What a list of calls shows. */
  readonly title: string;
  readonly wireText: string;
  /** The language of the text, in which the reply comes as well; undefined for the agent's own protocol. */
  readonly language: LanguageId | undefined;
  /** Whether a request about which there is a doubt goes out all the same. */
  readonly doubtful: 'hold' | 'send';
  /** Milliseconds; undefined takes the agent's. */
  readonly timeout: number | undefined;
  /** The conversation with the agent that it continues, by the name that `# @session` gives it. */
  readonly session?: string;
  /** Where the request stands in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
  /** The W3C id of the trace that it belongs to; without it it is a trace of its own. */
  readonly trace?: string;
  /** Values in it that are never stored nor shown. */
  readonly secrets?: readonly Secret[];
}

/** A request in one of our languages. */
export interface CallRequest extends AgentRequest {
  readonly language: LanguageId;
}

/** A request whose variables are to be replaced before it goes to an agent. */
export interface VariableTask {
  readonly agent: string;
  readonly language: LanguageId;
  readonly wireText: string;
  /** What its file defines. */
  readonly scope: Scope;
  /** The last reply to a named request of its file. */
  readonly reply: (request: string) => NamedReply | undefined;
}

/** What the environments files of the workspace say together. */
export interface EnvironmentList {
  /** The names that can be picked. */
  readonly names: readonly string[];
  /** The one that the setting names; empty for none. */
  readonly chosen: string;
  /** The variables of that one, after those that all share. */
  readonly variables: readonly EnvironmentVariable[];
  /** What is wrong in the files or with the choice, each with its place. */
  readonly problems: readonly string[];
}

/** The environments of the workspace. */
export interface EnvironmentService {
  /** A file or the choice changed. */
  readonly onDidChange: Event<void>;
  list(): Promise<EnvironmentList>;
}

/** What came of a call. `text` is all that came, whatever the status. */
export interface CallOutcome {
  readonly status: Exclude<CallStatus, 'open'>;
  readonly text: string;
  readonly code?: string;
  readonly message?: string;
  /** True where the text is the protocol's own language. */
  readonly isProtocol: boolean;
}

/** A call that is under way. */
export interface BegunCall {
  /** Its id in the traces. */
  readonly call: string;
  /** The request as it may be shown and kept: secrets replaced. */
  readonly shown: string;
  readonly outcome: Promise<CallOutcome>;
}

/** What the extension needs of agents. Only the desktop host has it: a browser cannot reach agents. */
export interface AgentService extends Disposable {
  /** The agents files or the demo agents changed. */
  readonly onDidChange: Event<void>;
  readonly environments: EnvironmentService;
  list(): Promise<AgentList>;
  /**
   * Replaces the variables of a request. It may ask for a secret, for that agent; undefined where the user left the
   * question.
   */
  resolve(task: VariableTask): Promise<Resolution | undefined>;
  /**
   * What a recorded request of an agent had in a place, by its name: a secret, for which it may ask the user, or a variable of
   * the environment. Undefined where it has no value or the user left the question.
   */
  findRecorded(agent: string, kind: 'secret' | 'env', name: string): Promise<string | undefined>;
  /**
   * Asks all that a call of an agent would ask first, consent and secrets, and sends nothing. Answers why it cannot be called,
   * `cancelled` where the user left a question; undefined where it can.
   */
  prepare(agent: string, signal: AbortSignal): Promise<CallOutcome | undefined>;
  /**
   * Sends one request, and answers once it goes out, or with the outcome where it does not. `progress` gets what the reply's
   * text grew by. A failure is an outcome, with a sentence for people; nothing is thrown.
   */
  call(
    request: AgentRequest,
    progress: (added: string) => void,
    signal: AbortSignal,
  ): Promise<BegunCall | CallOutcome>;
  /** What is known of an agent now. Asks nobody. */
  offer(agent: string): AgentOffer;
  /** The offers of agents that were asked, by name. */
  readonly onDidChangeOffer: Event<string>;
  /**
   * Connects to an agent and asks for all that it offers, with the same consent and secrets as a call; one that is
   * connected is asked again. Never throws: what came of it is in the offer.
   */
  connect(agent: string): Promise<AgentOffer>;
  /** Ends the connection, and what is under way on it; forgets what the agent offers. */
  disconnect(agent: string): Promise<void>;
  /**
   * Tries to reach an agent step by step, with the same consent and secrets as a call; a text tells what came of it. `onStep` hears what was tried. Undefined where the user left a question.
   */
  diagnose(agent: string, onStep: (step: string) => void, signal: AbortSignal): Promise<string | undefined>;
  /** Writes an agent into the agents file. Answers a sentence where it was not written. */
  add(draft: AgentDraft): Promise<string | undefined>;
  /** The command line that sends a text to an agent, without any secret; undefined for one that is no address. */
  writeCurl(agent: string, wireText: string): Promise<string | undefined>;
  /** Starts the demo agents, or finds those that run; their addresses by name. */
  startDemo(): Promise<ReadonlyMap<string, string>>;
  stopDemo(): Promise<void>;
  /** Keeps a credential as a secret and names it in the agent's entry. Answers a sentence where it could not. */
  moveCredential(
    agent: string,
    credential: { readonly name: string; readonly value: string },
  ): Promise<string | undefined>;
  /** Names of the secrets that were typed in and are kept. */
  listSecrets(): readonly string[];
  forgetSecret(name: string): Promise<void>;
  /** Forgets the sign-in to an agent's server, and ends connections to it. Answers a sentence that says what was forgotten. */
  signOut(agent: string): Promise<string>;
}
