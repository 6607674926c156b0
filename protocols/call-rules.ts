import type { MessageKind } from '../core/catalog/message-kinds.ts';
import type { Message } from '../core/message/message.ts';
import type { Report } from '../core/message/report.ts';
import type { Value } from '../core/values/value.ts';
import type { ListedItem, ToolDeclaration } from '../language/tools.ts';
import type { Parameter } from './conversation/parameters.ts';
import type { Conversion } from './message/shape.ts';

/** Reads a document that an agent publishes, and converts it to the reply to a request. */
export interface PublishedReader {
  readonly isProtocol: boolean;
  push(text: string): readonly Message[];
  end(): readonly Message[];
  endSteps(): Generator<undefined, readonly Message[]>;
}

/** What agents of a protocol take: calls of tools, tasks in words, or both. */
export interface Takes {
  readonly tools: boolean;
  readonly tasks: boolean;
}

/** How requests in files become messages of the protocol. Each member is optional; the defaults fit most protocols. */
export interface CallRules {
  /** What an agent with these capabilities takes, if that is not the same for all of its agents. */
  readonly takes?: (capabilities: readonly string[]) => Takes;
  /** The parameters that its requests for a task have. */
  readonly parameters?: readonly Parameter[];
  /** The kinds of requests that its agents answer with a message; all kinds if missing. */
  readonly answers?: readonly MessageKind[];
  /** The kinds that are answered by a document which its agents publish. */
  readonly publishes?: {
    readonly kinds: readonly MessageKind[];
    /** The text of such a request: the HTTP request for the document. */
    readonly request: string;
    readonly open: (report: Report) => PublishedReader;
  };
  /** What its agents would refuse in a written request, as sentences; a request with such faults is held back. */
  readonly findFaults?: (request: Value) => readonly string[];
  /** True where a kind without a message of its own is written as a call of the tool with its name. */
  readonly callsKindsByName?: true;
  /** True where a list of tools has names only, so that each tool needs a `describe` request. */
  readonly describesEach?: true;
  /** The lists that its agents may have besides that of tools. */
  readonly itemLists?: readonly ItemList[];
  /** The reply to a request for a resource or a prompt as MCP has it; missing where that is the form of the reply. */
  readonly readItem?: (kind: 'resource' | 'prompt', name: string, reply: Message) => Value;
  /** The answer to a task, where a reply has it in members of its own. */
  readonly readAnswer?: (reply: Message) => Message;
  /** True where numbers keep the spelling of their source text. */
  readonly keepsNumbers?: true;
  /** True where a declaration without optional arguments does not say which ones are required. */
  readonly hidesRequired?: true;
  /** The request for the next page of a list; undefined after the last one. */
  readonly nextPage?: (page: Message) => string | undefined;
  /** Recognises a call of a method of the protocol instead of a tool; undefined for any other call. */
  readonly asMethod?: (call: Message, conversion: Conversion) => MethodCall | undefined;
  /** The methods that calls may name besides tools, for an agent that reports these capabilities. */
  readonly listMethods?: (capabilities: readonly string[]) => readonly ToolDeclaration[];
  /** Reads tools from the reply to a list or describe request, where the protocol has no message for them. */
  readonly readTools?: (request: Message, reply: Message) => Message;
}

/** A list of resources, templates or prompts, which is requested page by page. */
export interface ItemList {
  readonly kind: ListedItem['kind'];
  /** The capability that an agent with such a list reports. */
  readonly capability: string;
  /** The method that requests it, for notes. */
  readonly method: string;
  /** The request for a page; `cursor` is what the page before it returned. */
  readonly writeRequest: (cursor: string | undefined) => string;
  /** The items of a reply and the cursor of the next page; undefined for a reply without such a list. */
  readonly readPage: (
    reply: string,
  ) => { readonly items: readonly ListedItem[]; readonly cursor: string | undefined } | undefined;
}

/** A call of a method of the protocol. */
export interface MethodCall {
  /** The call in the form in which the protocol writes it. */
  readonly call: Message;
  /** Its parameters, with which the arguments are checked; undefined if they are not. */
  readonly declaration?: ToolDeclaration;
  /** Warnings to confirm before sending, each a sentence without a full stop. */
  readonly warnings: readonly string[];
  /** False where a list of the agent's tools may show that it is a tool after all. */
  readonly isSettled: boolean;
}
