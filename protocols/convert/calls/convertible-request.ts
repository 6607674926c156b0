import { AICF_COMMANDS } from '../../../core/catalog/aicf.ts';
import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { findMessageKind, type MessageKind } from '../../../core/catalog/message-kinds.ts';
import { Protocols, type Protocol } from '../../protocol.ts';
import type { ToolDeclaration, ToolTable } from '../../../language/tools.ts';
import type { Message } from '../../../core/message/message.ts';
import { textIn } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { readSteps } from '../read-text.ts';
import type { ReadOptions } from '../text-reader.ts';
import { KIND_WORDS } from '../../message/kind-words.ts';
import { Report } from '../../../core/message/report.ts';
import type { Writing } from '../../message/shape.ts';
import { writeMessage } from '../write-message.ts';
import { writeMessages } from '../write-text.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { listCallFaults } from './call-faults.ts';
import { nameFromObject } from './named-arguments.ts';
import { listForeignValues } from '../../message/foreign-values.ts';
import { listInexactNumbers } from './inexact-numbers.ts';
import { isPublished } from './answer.ts';

/** A request from a file as a neutral message. */
export type ConvertibleRequest =
  | {
      readonly ok: true;
      readonly message: Message;
      /** What the text has beyond the message, each as a sentence without a full stop. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the one request of a text in AICL or AICF, in slices. If there is no such request, `reason` says why
 * in a sentence without a full stop.
 */
export function* readConvertibleSteps(
  text: string,
  language: MessageLanguage,
  { protocols, tools }: Pick<ReadOptions, 'protocols'> & { readonly tools: ToolTable },
): Generator<undefined, ConvertibleRequest> {
  const report = new Report();
  const { messages } = yield* readSteps(text, { protocols, from: language, tools, report });
  const [first, ...others] = messages.map(source => source.message);
  if (!first || others.length > 0 || findMessageKind(first.kind)?.role !== 'request')
    return {
      ok: false,
      reason: findUnknownCommand(text, language) ?? 'exactly one request is sent to an agent',
    };
  return {
    ok: true,
    message: language === 'aicf' ? nameFromObject(first, tools) : first,
    notes: report.losses.filter(({ kind }) => kind !== 'guessed').map(loss => loss.message),
  };
}

/** The reason for a line with a command that AICF-RPC 1.0 does not have; undefined for any other text. */
function findUnknownCommand(text: string, language: MessageLanguage): string | undefined {
  if (language !== 'aicf' || /[\r\n]./.test(text)) return undefined;
  const command = text.trim().split('|', 1)[0] ?? '';
  if (!/^[A-Z]+$/.test(command) || AICF_COMMANDS.some(({ name }) => name === command)) return undefined;
  return `AICF-RPC 1.0 has no command ${quote(command)}, so it cannot be converted to another protocol; write CALL, LIST or INFO`;
}

/** A request in an agent's own protocol. */
export interface WrittenRequest {
  readonly text: string;
  /** What the agent does not get as written, each as `place: reason`. */
  readonly notes: readonly string[];
  /** Warnings to confirm before sending, such as guessed names or a kind that the protocol does not have. */
  readonly warnings: readonly string[];
  /** True where more knowledge of the agent's tools would not change the request. */
  readonly isSettled: boolean;
}

/**
 * Writes a request in the form that an agent gets. Fields that only identify the request to us are left out;
 * parts that the protocol has no place for become notes. Total.
 */
export function writeConverted(
  asked: Message,
  to: Protocol,
  tools: ToolTable,
  fixedParameters?: readonly string[],
): WrittenRequest {
  return runAtOnce(writeConvertedSteps(asked, to, tools, fixedParameters));
}

/** The same in slices; the arguments are checked after the text is written. */
export function* writeConvertedSteps(
  asked: Message,
  to: Protocol,
  tools: ToolTable,
  fixedParameters?: readonly string[],
): Generator<undefined, WrittenRequest> {
  const { publishes } = to.calls;
  if (publishes?.kinds.includes(asked.kind))
    return { text: publishes.request, notes: [], warnings: [], isSettled: true };
  const report = new Report();
  const { name } = to.facts;
  const protocols = new Protocols([to]);
  const method = to.calls.asMethod?.(asked, { report, protocols, tools });
  const source = { message: asked, protocol: name, span: { start: 0, end: 0 }, tools };
  const { text, faults } =
    to.facts.language === 'json'
      ? yield* printSteps(method?.call ?? asked, to, { tools, report, fixedParameters })
      : {
          text: writeMessages(
            { messages: [source], tools },
            { protocols, to: name, layout: 'compact', report },
          ).text.trimEnd(),
          faults: [],
        };
  yield;
  const unfit = method
    ? [
        ...method.warnings,
        ...(method.declaration ? listCallFaults(asked, to, tableOf(method.declaration)) : []),
      ]
    : [...listUnfit(asked, to, tools), ...listCallFaults(asked, to, tools)];
  const guesses = report.losses.filter(loss => loss.kind === 'guessed').map(describeGuess);
  const losses = report.losses.filter(({ kind, path }) => kind !== 'guessed' && !OURS.has(path));
  return {
    text,
    notes: [
      ...losses.map(loss => describeLoss(loss.path, loss.message)),
      ...listForeignValues(asked, to.facts, 'agent'),
    ],
    // Faults that the agent would reject are more specific than the guesses.
    warnings: unfit.length > 0 ? unfit : [...faults, ...guesses, ...listInexactNumbers(asked, to)],
    isSettled: method?.isSettled ?? (!answers(to, 'list') || isKnown(asked, to, tools)),
  };
}

function tableOf(method: ToolDeclaration): ToolTable {
  return { isComplete: true, tools: new Map([[method.name, method]]) };
}

/** A guess in the form of a clause, with advice. */
function describeGuess({
  path,
  message: reported,
}: {
  readonly path: string;
  readonly message: string;
}): string {
  const said = `${reported.slice(0, 1).toLowerCase()}${reported.slice(1)}`;
  return path === 'arguments' ? `${said}; give them by name, as in CALL|tool|{"name":"value"}` : said;
}

function* printSteps(
  asked: Message,
  to: Protocol,
  options: Pick<Writing, 'tools' | 'report' | 'fixedParameters'>,
): Generator<undefined, { readonly text: string; readonly faults: readonly string[] }> {
  const writing = { ...options, protocols: new Protocols([to]), id: 1, numbers: 'exact' } as const;
  const value = writeMessage(to.facts.name, asked, writing);
  yield;
  return { text: printForAgent(value, options.report), faults: to.calls.findFaults?.(value) ?? [] };
}

/** False for a call of a tool whose declaration a list of the agent's tools may still provide. */
function isKnown({ kind, fields }: Message, to: Protocol, { isComplete, tools }: ToolTable): boolean {
  const name = kind === 'call' ? textIn(fields.tool) : isCalledByName(kind, to) ? kind : undefined;
  if (name === undefined) return true;
  return isComplete ? tools.has(name) : tools.get(name) !== undefined;
}

/**
 * Paths whose losses do not concern the agent: id and time-out are used on our side only, a tool is picked
 * from the list of all, and the empty path is a kind that the protocol lacks, which is reported separately.
 */
const OURS: ReadonlySet<string> = new Set(['', 'id', 'timeout', 'tool']);

/** True where agents of a protocol list their tools: in a message, or in a published document. */
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

/** True for a kind without a command of its own, which is written as a call of the tool with its name. */
function isCalledByName(kind: MessageKind, to: Protocol): boolean {
  return to.calls.callsKindsByName === true && !answers(to, kind);
}

function describeLoss(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`;
}
