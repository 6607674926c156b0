import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { BOOLEAN, INTEGER, TEXT, type ParameterType } from '../conversation/parameters.ts';
import { CONTENT_TYPES, ROLES, type ContentType } from './builder/events.ts';
import { AGENT_API_PARAMETERS } from './parameters.ts';

/** The maximum number of faults of one request that are listed. */
const MAX_FAULTS = 10;

/** What the value of a member must be. */
type MemberType = Pick<ParameterType, 'words' | 'fits'>;

const OBJECT: MemberType = { words: 'an object', fits: ({ kind }) => kind === 'dict' };

/** The types of members; null is allowed for each. */
type MemberTypes = Readonly<Record<string, MemberType>>;

const MESSAGE_MEMBERS: MemberTypes = {
  id: TEXT,
  type: TEXT,
  status: TEXT,
  role: oneOf(ROLES),
  code: TEXT,
  message: TEXT,
};

const CONTENT_MEMBERS: MemberTypes = { index: INTEGER, delta: BOOLEAN, msg_id: TEXT };

const OF_TYPE: Readonly<Record<ContentType, MemberTypes>> = {
  text: { text: TEXT },
  data: { data: OBJECT },
  image: { image_url: TEXT },
  audio: { data: TEXT, format: TEXT },
  file: { file_url: TEXT, file_id: TEXT, filename: TEXT, file_data: TEXT },
  refusal: { refusal: TEXT },
  video: { video_url: TEXT },
};

/** What a request of the Agent API has of a wrong type or out of range, as sentences. Linear in the request. */
export function checkRequest(request: Value): readonly string[] {
  const faults = new Faults();
  const input = findEntry(request, 'input');
  if (input?.kind !== 'list') faults.add(`input must be a list of messages, and is ${wordsOf(input)}`);
  for (const { name, type } of AGENT_API_PARAMETERS) faults.check(request, name, '', type);
  faults.check(request, 'session_id', '', TEXT);
  const messages = input?.kind === 'list' ? input.items : [];
  for (const [index, message] of messages.entries()) checkMessage(message, `input[${index}]`, faults);
  return faults.list();
}

function checkMessage(message: Value, path: string, faults: Faults): void {
  if (message.kind !== 'dict') return faults.add(`${path} must be a message, and is ${wordsOf(message)}`);
  for (const [name, type] of Object.entries(MESSAGE_MEMBERS)) faults.check(message, name, `${path}.`, type);
  const content = findEntry(message, 'content');
  if (!content || content.kind === 'null') return;
  if (content.kind !== 'list')
    return faults.add(`${path}.content must be a list of contents, and is ${wordsOf(content)}`);
  for (const [index, each] of content.items.entries())
    checkContent(each, `${path}.content[${index}]`, faults);
}

function checkContent(content: Value, path: string, faults: Faults): void {
  if (content.kind !== 'dict') return faults.add(`${path} must be a content, and is ${wordsOf(content)}`);
  const type = CONTENT_TYPES.find(each => each === textIn(findEntry(content, 'type')));
  if (!type) return faults.check(content, 'type', `${path}.`, oneOf(CONTENT_TYPES), 'required');
  for (const [name, member] of Object.entries({ ...CONTENT_MEMBERS, ...OF_TYPE[type] }))
    faults.check(content, name, `${path}.`, member);
}

/** Faults of a request, of which the first are listed and the others counted. */
class Faults {
  readonly #listed: string[] = [];
  #unlisted = 0;

  add(fault: string): void {
    if (this.#listed.length < MAX_FAULTS) this.#listed.push(fault);
    else this.#unlisted++;
  }

  check(
    holder: Value,
    name: string,
    path: string,
    { words, fits }: MemberType,
    need: 'optional' | 'required' = 'optional',
  ): void {
    const value = findEntry(holder, name);
    const isAbsent = !value || value.kind === 'null';
    if (isAbsent ? need === 'required' : !fits(value))
      this.add(`${path}${name} must be ${words}, and is ${wordsOf(value)}`);
  }

  list(): readonly string[] {
    const { length } = this.#listed;
    return this.#unlisted === 0
      ? this.#listed
      : [...this.#listed, `The request has ${countOf(this.#unlisted, 'more fault')} besides these ${length}`];
  }
}

function oneOf(values: readonly string[]): MemberType {
  const words = `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
  return { words, fits: value => values.some(each => each === textIn(value)) };
}

const KIND_WORDS: Readonly<Record<Exclude<Value['kind'], 'text' | 'int' | 'float' | 'bool'>, string>> = {
  null: 'null',
  tensor: 'a tensor',
  list: 'a list of another form',
  dict: 'an object of another form',
};

/** A value for a sentence: texts, numbers and truth values themselves, of others the kind. */
function wordsOf(value: Value | undefined): string {
  if (!value) return 'missing';
  switch (value.kind) {
    case 'text':
      return quote(value.text, 40);
    case 'int':
      return String(value.int).slice(0, 40);
    case 'float':
      return String(value.float);
    case 'bool':
      return String(value.bool);
    default:
      return KIND_WORDS[value.kind];
  }
}
