import type { Disposable, Event, Uri } from 'vscode';
import type { AgentQuestion, ProgressStep } from '../../../core/message/message.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import type { AgentType, ProtocolName } from '../../../core/catalog/protocols.ts';
import type { ListedItem, ToolDeclaration } from '../../../language/tools.ts';
import type { AgentEntries, AgentMistake } from './agent-draft.ts';
import type { CallStatus } from '../../../core/events/events.ts';
import type { Secret } from '../../../core/text/secret.ts';
import type { NamedReply } from '../../../language/variables/reply-value.ts';
import type { Resolution } from '../../../language/variables/resolve.ts';
import type { EnvironmentVariable, Scope } from '../../../language/variables/scope.ts';

/** A configured agent, as shown in views and pickers. */
export interface AgentInfo {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly type: AgentType;
  /** Its URL or command line as written in the file, with variables unresolved and credentials redacted. */
  readonly address: string;
  /** The agents file that names it. */
  readonly file: Uri;
  /** The line of its entry there, from 0. */
  readonly line: number;
}

/** A tool as its agent describes it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** Its arguments, as far as the agent declares them. */
  readonly declaration: ToolDeclaration | undefined;
  /** The JSON Schema of its arguments as JSON text; undefined if the agent sends none. */
  readonly schema: string | undefined;
}

/** The connection state and the capabilities of an agent. After a failure the known data is retained. */
export interface AgentCapabilities {
  readonly state: 'idle' | 'connecting' | 'connected' | 'failed';
  /** The name and version that the agent reports, and its capabilities besides tools. */
  readonly peer:
    | { readonly version?: string; readonly name?: string; readonly capabilities?: readonly string[] }
    | undefined;
  /** Undefined if the agent was not asked or did not answer. */
  readonly tools: readonly ToolInfo[] | undefined;
  readonly resources: readonly ListedItem[];
  readonly prompts: readonly ListedItem[];
  /** When the tools were received, in milliseconds since 1970. */
  readonly at: number | undefined;
  /** One sentence: why the agent could not be reached, or why its tools are unknown. */
  readonly problem: string | undefined;
  /** Set if it speaks another protocol than its entry says. */
  readonly mistake?: AgentMistake | undefined;
  /** The changes of its tools since the previous answer; undefined if there are none. */
  readonly change: ToolChange | undefined;
}

/** The names of added, removed and changed tools. */
export interface ToolChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** A problem in an agents file. */
export interface AgentsProblem {
  readonly file: Uri;
  /** From 0. */
  readonly line: number;
  readonly message: string;
  /** The agent whose entry has the problem; undefined for the rest of the file. */
  readonly agent: string | undefined;
}

/** The current content of all agents files. If two files name an agent, the first one applies. */
export interface AgentList {
  readonly agents: readonly AgentInfo[];
  readonly problems: readonly AgentsProblem[];
}

/** Whether a request with errors or warnings is held until the user has seen them, or sent anyway. */
export type WarningPolicy = 'hold' | 'send';

/** A request to be sent to an agent. */
export interface AgentRequest {
  readonly agent: string;
  /** The title in lists of calls. */
  readonly title: string;
  readonly wireText: string;
  /** The language of the text and of the reply; undefined for the agent's own protocol. */
  readonly language: LanguageId | undefined;
  /** Whether a request with warnings is sent. */
  readonly warningPolicy: WarningPolicy;
  /** Time-out in milliseconds; by default that of the agent. */
  readonly timeout?: number | undefined;
  /** The name of the session that it continues, from `# @session`. */
  readonly session?: string;
  /** The position of the request in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
  /** The W3C id of the trace that it belongs to; without it, it starts a new trace. */
  readonly trace?: string;
  /** Values in it that must not be stored or shown. */
  readonly secrets?: readonly Secret[];
}

/** A request in AICF or AICL. */
export interface CallRequest extends AgentRequest {
  readonly language: LanguageId;
}

/** A request whose variables must be replaced before it is sent. */
export interface VariableTask {
  readonly agent: string;
  readonly language: LanguageId;
  readonly wireText: string;
  /** The definitions that apply to it in its file. */
  readonly scope: Scope;
  /** The last reply to a named request of its file. */
  readonly reply: (request: string) => NamedReply | undefined;
  /** The file of the request, as a URI. */
  readonly uri: string;
}

/** The combined content of the environments files of the workspace. */
export interface EnvironmentList {
  /** The available environments. */
  readonly names: readonly string[];
  /** The environment in the setting; empty for none. */
  readonly chosen: string;
  /** The shared variables, followed by those of the chosen environment. */
  readonly variables: readonly EnvironmentVariable[];
  /** Problems in the files or with the choice, each with its location. */
  readonly problems: readonly string[];
}

/** The environments of the workspace. */
export interface EnvironmentService {
  /** A file or the choice changed. */
  readonly onDidChange: Event<void>;
  list(): Promise<EnvironmentList>;
}

/** The outcome of a call. `text` is everything that was received, whatever the status. */
export interface CallOutcome {
  readonly status: Exclude<CallStatus, 'open'>;
  readonly text: string;
  readonly code?: string;
  readonly message?: string;
  /** True if the text is in the protocol's own language. */
  readonly isProtocol: boolean;
  /** The request with which the agent waits for an answer. */
  readonly question?: AgentQuestion;
  /** Set if the agent speaks another protocol than its entry says. */
  readonly mistake?: AgentMistake;
}

/** A running call. */
export interface BegunCall {
  /** Its id in the traces. */
  readonly call: string;
  readonly outcome: Promise<CallOutcome>;
}

/** Whether requests for capabilities are traced; those that the user did not ask for are not. */
export type FetchHow = 'traced' | 'untraced';

/** Access to agents. Only the desktop host provides it, because a browser cannot reach agents. */
export interface AgentService extends Disposable {
  /** The agents files or the demo agents changed. */
  readonly onDidChange: Event<void>;
  readonly environments: EnvironmentService;
  list(): Promise<AgentList>;
  /**
   * Replaces the variables of a request. May ask the user for a secret for that agent, and for consent to send variables of
   * the environment to it; returns undefined if the user cancels.
   */
  resolve(task: VariableTask): Promise<Resolution | undefined>;
  /**
   * The value of a redacted secret or environment variable in a recorded request of an agent. May ask the
   * user for a secret or for consent. Returns an empty text if the variable has no value, and undefined if the user cancels.
   */
  findRecorded(agent: string, kind: 'secret' | 'env', name: string): Promise<string | undefined>;
  /**
   * Asks the user for everything that a call of an agent would ask first, such as consent and secrets, and sends
   * nothing. Returns the reason if the agent cannot be called (`cancelled` if the user cancels), else undefined.
   */
  prepare(agent: string, signal: AbortSignal): Promise<CallOutcome | undefined>;
  /**
   * Sends one request. Resolves once it is being sent, or with the outcome if it is not. `progress` receives
   * each addition to the reply's text, `step` how far the agent says that it is. Failures are returned as an
   * outcome; nothing is thrown.
   */
  call(
    request: AgentRequest,
    progress: (added: string) => void,
    signal: AbortSignal,
    step?: (step: ProgressStep) => void,
  ): Promise<BegunCall | CallOutcome>;
  /** The known capabilities of an agent, without any request. */
  capabilities(agent: string): AgentCapabilities;
  /** Fires with the name of an agent whose capabilities changed. */
  readonly onDidChangeCapabilities: Event<string>;
  /**
   * Connects to an agent and fetches its capabilities, with the same consent and secrets as a call; fetches
   * again if already connected. Never throws; errors are reported in `problem`.
   */
  connect(agent: string, how?: FetchHow): Promise<AgentCapabilities>;
  /** Closes the connection with its running calls, and discards the agent's capabilities. */
  disconnect(agent: string): Promise<void>;
  /**
   * Diagnoses the connection to an agent in steps, with the same consent and secrets as a call. Returns a
   * report; `onStep` receives the name of each step. Returns undefined if the user cancels.
   */
  diagnose(agent: string, onStep: (step: string) => void, signal: AbortSignal): Promise<string | undefined>;
  /** The entries of the agents file. */
  readonly entries: AgentEntries;
  /** The curl command that sends a text to an agent, without secrets; undefined for an agent without an address. */
  writeCurl(agent: string, wireText: string): Promise<string | undefined>;
  /** Starts the demo agents, or finds running ones. Returns their addresses by name. */
  startDemo(): Promise<ReadonlyMap<string, string>>;
  stopDemo(): Promise<void>;
  /**
   * Stores a credential as a secret and references it in the agent's entry. Returns an error sentence if that
   * fails.
   */
  moveCredential(
    agent: string,
    credential: { readonly name: string; readonly value: string },
  ): Promise<string | undefined>;
  /** The names of stored secrets that the user typed in. */
  listSecrets(): readonly string[];
  forgetSecret(name: string): Promise<void>;
  /** The agents with a stored sign-in. Asks the user nothing. */
  listSignIns(): Promise<readonly string[]>;
  /**
   * Deletes the sign-in to an agent's server and closes connections to it. Returns a sentence about what was
   * deleted.
   */
  signOut(agent: string): Promise<string>;
}
