import type { AgentType, ProtocolName } from '../../../core/catalog/protocols.ts';

/** Where an agent is; texts may contain variables. */
export type DraftPlace =
  | {
      readonly type: Extract<AgentType, 'http'>;
      readonly url: string;
      readonly headers?: ReadonlyMap<string, string>;
      readonly model?: string;
    }
  | {
      readonly type: Extract<AgentType, 'stdio'>;
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: ReadonlyMap<string, string>;
      readonly cwd?: string;
    };

/** An agent that may be added to the agents file. */
export interface AgentDraft {
  readonly name: string;
  /** Undefined for an address whose protocol is not known yet. */
  readonly protocol: ProtocolName | undefined;
  readonly place: DraftPlace;
  readonly inputs: readonly {
    readonly id: string;
    readonly description: string;
    readonly isPassword: boolean;
  }[];
  /** Credentials by the names of the secrets that replace them in `place`. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** A draft as it is shown before it is added. */
export interface ShownDraft {
  readonly draft: AgentDraft;
  /** Its address or command line, without credentials and with invisible characters made visible. */
  readonly shown: string;
  /** The host that is asked, for an address. */
  readonly host: string | undefined;
  /** Environment variables of this computer that it gets. */
  readonly variables: readonly string[];
}

/** What a text holds that the user pasted. */
export interface PastedDrafts {
  readonly drafts: readonly ShownDraft[];
  /** Each is a sentence. */
  readonly problems: readonly string[];
}

/** What was found at the address of a draft. */
export interface DiscoveredDraft {
  /** The draft with its protocol, and the address and name that were found; undefined if no protocol was found. */
  readonly draft: (AgentDraft & { readonly protocol: ProtocolName }) | undefined;
  readonly models: readonly string[];
  /** True if the agent requires credentials before it says more. */
  readonly isLocked: boolean;
  /** Why no protocol was found, as a sentence without its full stop. */
  readonly words: string;
}

/** A file of another program with agents that can be added. */
export interface AgentImport {
  /** Its program and path. */
  readonly title: string;
  readonly path: string;
  readonly found: PastedDrafts;
}

/** The entries of the agents file: adds, changes and removes them. Sentences are errors for the user. */
export interface AgentEntries {
  /** Reads agents from a pasted text. Nothing is started or sent. */
  readPasted(text: string): Promise<PastedDrafts>;
  /** The agents in files of other programs. */
  listImports(): Promise<readonly AgentImport[]>;
  /** Asks an address which protocol its agent speaks, by requests that change nothing. The user has named the host. */
  discover(draft: AgentDraft, signal: AbortSignal): Promise<DiscoveredDraft>;
  /**
   * Adds an agent. `consent` is `given` if the user has seen its command line or address and agreed that it is started
   * or called.
   */
  add(
    draft: AgentDraft & { readonly protocol: ProtocolName },
    consent: 'given' | 'open',
  ): Promise<string | undefined>;
  rename(agent: string, name: string): Promise<string | undefined>;
  /** Returns how to undo it, or an error sentence. */
  remove(agent: string): Promise<(() => Promise<string | undefined>) | string>;
  /** Changes the protocol of an agent, and its address if that is wrong. Its consent is for the same place. */
  correct(agent: string, mistake: AgentMistake): Promise<string | undefined>;
}

/** What is wrong in the entry of an agent that speaks another protocol. */
export interface AgentMistake {
  readonly protocol: string;
  /** What agents of that protocol are called. */
  readonly label: string;
  readonly address?: string;
}
