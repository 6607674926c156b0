import { findFieldSpan, isRequestLine } from '../aicf/ast.ts';
import { readLine } from '../aicf/parse.ts';
import { contentSpan, topValues, type AiclNode, type AtomNode } from '../aicl/ast.ts';
import { parseAicl, readUnit } from '../aicl/parse.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { holdsVariable } from '../variables.ts';
import type { Span } from '../../core/text/span.ts';

/** A value of a request that contains variables: the raw span without brackets or delimiters. */
export interface VariableSlot extends Span {
  readonly form: SlotForm;
}

export type SlotForm = Exclude<AtomNode['kind'], 'tensor'> | 'field';

/** Message types of replies, in which variables are not replaced, because agents wrote the text. */
const REPLIES: ReadonlySet<string> = new Set(['result', 'error']);

/** The values with variables in a message, in order; `isReply` is true if they are not replaced. */
export interface SlotList {
  readonly slots: readonly VariableSlot[];
  readonly isReply: boolean;
}

const SLOTS: Readonly<Record<LanguageId, (text: string) => SlotList>> = {
  aicl: readAiclSlots,
  aicf: readAicfSlots,
};

const NO_SLOTS: SlotList = { slots: [], isReply: false };

/**
 * The values with variables in a message (reading of requests in files, section 9): texts and literals of
 * AICL, fields of AICF. Excludes keys, so that no value becomes a key, and tensors.
 */
export function readSlots(language: LanguageId, message: string): SlotList {
  return holdsVariable(message) ? SLOTS[language](message) : NO_SLOTS;
}

function readAicfSlots(line: string): SlotList {
  const tree = readLine(line);
  const slots = tree.pipes
    .map((_, index) => findFieldSpan(tree, index))
    .filter(span => span !== undefined)
    .filter(({ start, end }) => holdsVariable(line.slice(start, end)))
    .map(span => ({ ...span, form: 'field' as const }));
  return { slots, isReply: !isRequestLine(tree) };
}

function readAiclSlots(message: string): SlotList {
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  if (unit?.kind !== 'message') return NO_SLOTS;
  const reading = readUnit(doc, unit);
  const slots: VariableSlot[] = [];
  for (const value of topValues(reading.tree)) addSlots(slots, value, unit.start);
  return {
    slots: slots.filter(({ start, end }) => holdsVariable(message.slice(start, end))),
    isReply: REPLIES.has(unit.summary.messageType),
  };
}

function addSlots(slots: VariableSlot[], node: AiclNode, base: number): void {
  if (node.kind === 'list') for (const item of node.items) addSlots(slots, item, base);
  else if (node.kind === 'dict') {
    for (const { value } of node.pairs) if (value) addSlots(slots, value, base);
  } else if (node.kind !== 'tensor') {
    const { start, end } = contentSpan(node);
    slots.push({ start: start + base, end: end + base, form: node.kind });
  }
}
