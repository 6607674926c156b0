import { findMessageKind, MESSAGE_FIELDS, type MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, listValue, textIn, textValue, type Entry, type Value } from '../../core/values/value.ts';
import { dictOf } from './dicts.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { messageItem } from '../content/flatten.ts';
import { dataPart, listParts, textPart, writeParts, type Part } from '../content/part.ts';
import type { Parameter } from '../conversation/parameters.ts';
import { KIND_WORDS } from './kind-words.ts';
import type { Report } from '../../core/message/report.ts';
import { toSchemaTool } from '../tools/tool-schema.ts';

/**
 * Converts messages of kinds that a protocol lacks to the nearest kind that it has, and reports each. The
 * fields of the result are those that the protocol's reader will find.
 */

/** Converts a part of a stream, its end or a bare value to a reply, for a protocol without streams. */
export function asResult(given: Message, title: string, report: Report): Message {
  const { kind, fields } = given;
  if (kind !== 'chunk' && kind !== 'end') return valueAsResult(given, title, report);
  report.lose('moved', '', `${title} has no message for ${KIND_WORDS[kind]}; it is written as a reply`);
  return message('result', fields);
}

/** Converts a bare value to the data of a reply. */
export function valueAsResult(given: Message, title: string, report: Report): Message {
  if (given.kind !== 'value') return given;
  report.lose('moved', '', `${title} has no bare values; it is written as the data of a reply`);
  return message('result', given.fields);
}

/** Moves tools of a reply to its data, for a protocol that lists none. */
export function toolsAsData(given: Message, title: string, report: Report): Message {
  const listed = given.fields.tools ?? given.fields.declaration;
  if (given.kind !== 'result' || !listed) return given;
  const { tools, declaration, data, content, ...others } = given.fields;
  const name = tools ? 'tools' : 'declaration';
  report.lose('moved', name, `${title} lists no tools; they are data`, listed);
  const stated = dictOf({ tools, tool: declaration && (toSchemaTool(declaration) ?? declaration) });
  return canonical(
    message('result', {
      ...others,
      content: writeParts([...listParts({ content, data }), dataPart(stated)]),
    }),
  );
}

/** Converts a request to a call of a tool with the name of its kind, as in AICF. */
export function asCall(given: Message, title: string, report: Report): Message {
  const { kind } = given;
  report.lose(
    'moved',
    '',
    `${title} has no message for ${KIND_WORDS[kind]}; it is written as a call of a tool '${kind}', which the agent may not have`,
  );
  const own = ownFields(kind);
  const entries = MESSAGE_FIELDS.flatMap(key => (own.has(key) ? [{ key, value: given.fields[key] }] : []));
  const others = Object.fromEntries(Object.entries(given.fields).filter(([key]) => !own.has(key)));
  return message('call', { ...others, tool: textValue(kind), arguments: dictValue(entries) });
}

/** Converts a request to text, for a protocol that has only conversations. */
export function asTask(given: Message, title: string, report: Report): Message {
  const { kind, fields } = given;
  const stated = kind === 'call' || kind === 'task' ? undefined : wordsOf(given);
  if (!stated) return given;
  report.lose(
    'moved',
    '',
    `${title} has no message for ${KIND_WORDS[kind]}; it is written as a message that says so, and agents answer in their own words`,
  );
  const own = ownFields(kind);
  const retained = Object.fromEntries(
    Object.entries(fields).filter(([key]) => !own.has(key) || (kind === 'query' && key === 'format')),
  );
  return canonical(message('task', { ...retained, content: writeParts(stated) }));
}

function wordsOf({ kind, fields }: Message): readonly Part[] | undefined {
  const { query, supported, selected, tool } = fields;
  const say = (text: string): readonly Part[] => [textPart(textValue(text))];
  switch (kind) {
    case 'list':
      return say('Which tools do you have?');
    case 'describe':
      return say(tool ? `What does the tool ${textIn(tool) ?? ''} do?` : 'What can you do?');
    case 'query':
      return query ? [query.kind === 'text' ? textPart(query) : dataPart(query)] : [];
    case 'negotiate':
      return [dataPart(dictOf({ supported, selected }))];
    default:
      return undefined;
  }
}

function ownFields(kind: MessageKind): ReadonlySet<string> {
  return new Set(findMessageKind(kind)?.fields);
}

/**
 * Moves the constraints of a task to the last part of its content, except for those that are parameters of requests
 * (`known`), which stay constraints.
 */
export function constraintsAsData(
  given: Message,
  title: string,
  report: Report,
  known: readonly Parameter[] = [],
): Message {
  const plain = canonical(given);
  const { constraints } = plain.fields;
  if (plain.kind !== 'task' || !constraints) return plain;
  const entries = constraints.kind === 'dict' ? constraints.entries : [];
  const isParameter = ({ key, value }: Entry): boolean =>
    known.some(({ constraint, type, isFixed }) => constraint === key && !isFixed && type.fits(value));
  const parameters = entries.filter(isParameter);
  if (parameters.length > 0 && parameters.length === entries.length) return plain;
  const others =
    parameters.length > 0 ? dictValue(entries.filter(entry => !isParameter(entry))) : constraints;
  report.lose('moved', 'constraints', describeOthers(others, title, known), others);
  const left = parameters.length > 0 ? dictValue(parameters) : undefined;
  const { items } = plain.fields;
  if (items?.kind === 'list') {
    const added = messageItem('user', writeParts([dataPart(others)]));
    return message('task', {
      ...plain.fields,
      constraints: left,
      items: listValue([...items.items, added]),
    });
  }
  const parts = writeParts([...contentOf(plain).parts, dataPart(others)]);
  return message('task', { ...plain.fields, task: undefined, constraints: left, content: parts });
}

const MAX_NAMES = 5;

/** Why constraints become data: no parameter has their name, its type is another one, or the agent's entry sets it. */
function describeOthers(others: Value, title: string, known: readonly Parameter[]): string {
  const names = others.kind === 'dict' ? others.entries.map(({ key }) => key) : [];
  const wrong = known.find(({ constraint }) => names.includes(constraint));
  if (wrong?.isFixed)
    return `The agent's entry sets ${wrong.constraint}; such constraints are data after the task`;
  if (wrong)
    return `${title} takes ${wrong.constraint} only as ${wrong.type.words}; such constraints are data after the task`;
  const listed = `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
  const noun = names.length === 1 ? 'parameter' : 'parameters';
  const what = known.length === 0 || names.length === 0 ? 'constraints' : `${noun} ${listed}`;
  return `${title} has no ${what}; they are data after the task`;
}
