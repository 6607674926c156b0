import type { ShapedName } from '../shapes.ts';
import { AICF_COMMANDS } from '../../../core/catalog/aicf.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { findConversion } from '../../../core/catalog/conversions.ts';
import { findMessageKind, type MessageKind } from '../../../core/catalog/message-kinds.ts';
import type { Protocol } from '../../protocol.ts';
import type { ToolTable } from '../../../language/tools.ts';
import type { Message } from '../../../core/message/message.ts';
import { textIn } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { readMessages } from '../read-text.ts';
import { KIND_WORDS } from '../../message/kind-words.ts';
import { Report } from '../../../core/message/report.ts';
import { writeMessage } from '../write-message.ts';
import { writeMessages } from '../write-text.ts';
import { printForAgent } from './agent-json.ts';
import { listCallFaults } from './call-faults.ts';
import { nameFromObject } from './named-arguments.ts';
import { listOddNumbers } from './odd-numbers.ts';
import { CARD_REQUEST, isPublished } from './published.ts';

/** A request of a file as the neutral message that it is. */
export type AskedRequest =
  | {
      readonly ok: true;
      readonly message: Message;
      /** What stands in the text and is not of the message, each as a sentence without a full stop. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the one request of a text in one of our languages. `reason` is a sentence without a full stop, for a person, where
 * it holds none.
 */
export function readAsked(text: string, language: LanguageId, tools: ToolTable): AskedRequest {
  const report = new Report();
  const { messages } = readMessages(text, { from: language, tools, report });
  const [first, ...others] = messages.map(source => source.message);
  if (!first || others.length > 0 || findMessageKind(first.kind)?.role !== 'request')
    return {
      ok: false,
      reason: findUnknownCommand(text, language) ?? 'what is sent to an agent is one request',
    };
  return {
    ok: true,
    message: language === 'aicf' ? nameFromObject(first, tools) : first,
    notes: report.losses.filter(({ kind }) => kind !== 'guessed').map(loss => loss.message),
  };
}

/** What is said of a line of AICF that only an agent of AICF could understand. */
function findUnknownCommand(text: string, language: LanguageId): string | undefined {
  if (language !== 'aicf' || /[\r\n]./.test(text)) return undefined;
  const command = text.trim().split('|', 1)[0] ?? '';
  if (!/^[A-Z]+$/.test(command) || AICF_COMMANDS.some(({ name }) => name === command)) return undefined;
  return `AICF-RPC 1.0 has no command ${quote(command)}, so it cannot be said in another protocol; write CALL, LIST or INFO`;
}

/** A request in an agent's own protocol. */
export interface WrittenRequest {
  readonly text: string;
  /** What the agent does not get as it was written, each as `place: reason`. */
  readonly notes: readonly string[];
  /** Why somebody should look before it is sent: names that are a guess, a kind that the protocol does not have. */
  readonly doubts: readonly string[];
  /** True where to know more of the agent's tools would change nothing. */
  readonly isSettled: boolean;
}

/**
 * Writes a request as an agent gets it: what serves us alone, to find the same request again, is left out, and of what the
 * request said and the protocol has no place for there is a note. Total.
 */
export function writeAsked(asked: Message, to: Protocol, tools: ToolTable): WrittenRequest {
  if (isPublished(to, asked.kind)) return { text: CARD_REQUEST, notes: [], doubts: [], isSettled: true };
  const report = new Report();
  const name = findConversion(to.facts.name)?.name ?? 'json';
  const source = { message: asked, protocol: name, span: { start: 0, end: 0 }, tools };
  const text =
    to.facts.language !== 'json'
      ? writeMessages({ messages: [source], tools }, { to: name, layout: 'compact', report }).text.trimEnd()
      : printRequest(asked, to, tools, report);
  const isMethod = to.calls.asMethod?.(asked) !== undefined;
  const unfit = isMethod ? [] : [...listUnfit(asked, to, tools), ...listCallFaults(asked, to, tools)];
  const guesses = report.losses.filter(loss => loss.kind === 'guessed').map(describeGuess);
  const losses = report.losses.filter(({ kind, path }) => kind !== 'guessed' && !OURS.has(path));
  const odd = listOddNumbers(asked, to);
  return {
    text,
    notes: [...losses.map(loss => tell(loss.path, loss.message)), ...odd.notes],
    // What an agent would refuse says more than what was guessed for want of it.
    doubts: unfit.length > 0 ? unfit : [...guesses, ...odd.doubts],
    isSettled: isMethod || !answers(to, 'list') || isKnown(asked, to, tools),
  };
}

/** A guess as the middle of a sentence, with what to do about it. */
function describeGuess({ path, message: told }: { readonly path: string; readonly message: string }): string {
  const said = `${told.slice(0, 1).toLowerCase()}${told.slice(1)}`;
  return path === 'arguments' ? `${said}; give them by name, as in CALL|tool|{"name":"value"}` : said;
}

function printRequest(asked: Message, to: Protocol, tools: ToolTable, report: Report): string {
  const writing = { report, tools, id: 1, numbers: 'kept' } as const;
  const value = writeMessage(shapedName(to), to.calls.asMethod?.(asked) ?? asked, writing);
  return printForAgent(value, report);
}

/** The name by which the protocol's shape is found. */
function shapedName({ facts }: Protocol): ShapedName {
  const name = findConversion(facts.name)?.name ?? 'json';
  return name === 'aicf' ? 'json' : name;
}

/** True for all but a call of a tool of which the agent may still tell something. */
function isKnown({ kind, fields }: Message, to: Protocol, { isComplete, tools }: ToolTable): boolean {
  const name = kind === 'call' ? textIn(fields.tool) : isCalledByName(kind, to) ? kind : undefined;
  if (name === undefined) return true;
  return isComplete ? tools.has(name) : tools.get(name) !== undefined;
}

/**
 * What becomes of a request that is no matter of its agent: its id and its time-out are ours, the one tool is picked from the
 * list of all, and a kind that its protocol does not have is told as one.
 */
const OURS: ReadonlySet<string> = new Set(['', 'id', 'timeout', 'tool']);

/** True where agents of a protocol tell which tools they have: in a message, or by what they publish. */
export function listsTools(protocol: Protocol): boolean {
  return answers(protocol, 'list') || isPublished(protocol, 'list');
}

/** True where agents of a protocol answer requests of a kind with a message. */
export function answers({ calls }: Protocol, kind: MessageKind): boolean {
  return calls.answers?.includes(kind) !== false;
}

function listUnfit({ kind }: Message, to: Protocol, { tools }: ToolTable): readonly string[] {
  if (answers(to, kind) || (isCalledByName(kind, to) && tools.has(kind))) return [];
  return [`${to.facts.title} has no message for ${KIND_WORDS[kind]}, and its agents refuse one`];
}

/** AICF writes what it has no command for as a call of a tool of that name. */
function isCalledByName(kind: MessageKind, to: Protocol): boolean {
  return to.calls.callsKindsByName === true && !answers(to, kind);
}

function tell(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`;
}
