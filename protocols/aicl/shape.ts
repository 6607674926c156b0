import { isFieldKey } from '../../language/aicl/known-fields.ts';
import { AICL_PROTOCOL, type MessageTypeName } from '../../core/catalog/aicl.ts';
import { findMessageKind, type MessageField, type MessageKind } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type BoolValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import {
  COMMON_ROWS,
  fillersOf,
  findType,
  fitsRow,
  KIND_OF_TYPE,
  memberRows,
  readPlace,
  TYPE_OF_KIND,
  writePlace,
  type MemberRow,
} from './members.ts';
import { chunkStream } from './stream.ts';
import { nameArguments } from '../tools/arguments.ts';
import {
  ENVELOPE,
  joinDicts,
  packEnvelope,
  readMessage,
  unpack,
  type Leftovers,
} from '../message/envelope.ts';
import { readError, writeError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import { Report } from '../../core/message/report.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';

/**
 * LightAICL messages (reading of LightAICL 3.3). Where the protocol wants a field that a message does not have, a filler
 * stands there: then the envelope names the message's kind, and the reader takes the fillers off again.
 */
export const aiclShape: ProtocolShape = {
  recognises,
  read,
  write,
  stream: chunkStream({
    read,
    write,
    writeAlone: (part, writing) => new MessageWriter(part, writing).write(undefined),
  }),
};

/** The session of a message that names none: the protocol wants one. */
const NO_SESSION = 'parley';
const DEFAULT_HEADER = { protocol: textValue(AICL_PROTOCOL), session_id: textValue(NO_SESSION) };
/** The member of the envelope that says what else than data stands as `data`. */
const AS = 'as';
const AS_DATA = ['items', 'tools', 'declaration'] as const;
const SIGNED = 'The message is signed; the signature does not fit the converted message, so sign it again';

function recognises(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  if (findType(findEntry(value, 'msg_type'))) return true;
  return textIn(findEntry(value, 'protocol'))?.startsWith(AICL_PROTOCOL) === true;
}

function read(value: Value, reading: Reading): Message | undefined {
  const type = findType(findEntry(value, 'msg_type'));
  if (type) return reading.number(readTyped(new Members(value), type, reading.report));
  // A message of a type that the protocol does not know is a value, so that all of it is carried.
  return recognises(value) ? reading.number(message('value', { data: value })) : undefined;
}

function readTyped(members: Members, type: MessageTypeName, report: Report): Message {
  const session = readHeader(members);
  const carried = members.take(ENVELOPE);
  const envelope = new Members(carried);
  const named = findMessageKind(textIn(envelope.peek('kind')))?.name;
  if (named) dropFillers(members, fillersOf(named, envelope));
  const found = takeFields(members, type, report);
  const isChunk = type === 'result' && found.index !== undefined;
  const other = carried && found.data && AS_DATA.find(name => envelope.takeWord(AS, name));
  const fields: FoundFields = other ? { ...found, data: undefined, [other]: found.data } : found;
  if (session) fields.session = session;
  return readMessage(
    {
      kind: isChunk ? 'chunk' : KIND_OF_TYPE[type],
      fields,
      rest: members.left(),
      envelope: carried?.kind === 'dict' ? envelope.left() : carried,
    },
    'aicl',
    report,
  );
}

/** Takes the header off; answers the session. What is not as the protocol wants it is left. */
function readHeader(members: Members): Value | undefined {
  members.take('msg_type');
  members.takeWord('protocol', AICL_PROTOCOL);
  if (members.takeWord('session_id', NO_SESSION)) return undefined;
  return textIn(members.peek('session_id')) === '' ? undefined : members.takeKind('session_id', 'text');
}

function dropFillers(members: Members, fillers: readonly Entry[]): void {
  for (const { key, value } of fillers) {
    const member = members.peek(key);
    if (member && isSameValue(member, value)) members.take(key);
  }
}

type FoundFields = Partial<Record<MessageField, Value | undefined>>;

/** Takes the fields of a type and the common ones, each if it has a type that the protocol gives it. */
function takeFields(members: Members, type: MessageTypeName, report: Report): FoundFields {
  const fields: FoundFields = type === 'error' ? takeError(members, report) : {};
  if (type !== 'error') takeRows(members, memberRows(type), fields);
  takeRows(members, COMMON_ROWS, fields);
  if (fields.signature) report.note(SIGNED);
  const place = readPlace(members.peek('stream_id'));
  if (place) members.take('stream_id');
  const final = members.takeKind('is_final', 'bool');
  if (place) Object.assign(fields, place);
  if (final && saysFinal(final, place)) fields.final = final;
  return fields;
}

function takeRows(members: Members, rows: readonly MemberRow[], fields: FoundFields): void {
  for (const row of rows) {
    const value = members.peek(row.key);
    if (value && fitsRow(row, value)) fields[row.field] = members.take(row.key);
  }
}

function takeError(members: Members, report: Report): FoundFields {
  return {
    ...readError(
      'aicl',
      { code: members.take('code'), text: members.take('reason'), data: members.take('detail') },
      report,
    ),
  };
}

type StreamPlace = ReturnType<typeof readPlace>;

/** That a chunk is not the last one, its place says already. */
function saysFinal(final: BoolValue, place: StreamPlace): boolean {
  return final.bool || !place || isSameValue(place.index, place.total);
}

function write(written: Message, writing: Writing): Value {
  const { data } = written.fields;
  const isBare = written.kind === 'value' && data && fieldNames(written).length === 1;
  // A value stands for itself where it is not read as a message.
  if (isBare && !findType(findEntry(data, 'msg_type'))) return data;
  const writer = new MessageWriter(written, writing);
  return writer.write(writePlace(writer.fields));
}

/** What is told to people of kinds that LightAICL has no message for. */
const NEAREST: Partial<Readonly<Record<MessageKind, string>>> = {
  list: 'LightAICL has no message that asks for the list of tools; it is written as a query for them',
  describe: 'LightAICL has no message that asks for one tool; it is written as a query for it',
  end: 'LightAICL has no message for the end of a stream; it is written as an empty result that is final',
};

/** Writes one message. */
class MessageWriter {
  readonly fields: Leftovers['fields'];
  readonly #kind: MessageKind;
  readonly #type: MessageTypeName;
  readonly #open: Leftovers;
  readonly #writing: Writing;
  /** What the rest says of the header. */
  readonly #header: { readonly key: keyof typeof DEFAULT_HEADER; readonly value: Value }[] = [];

  constructor(written: Message, writing: Writing) {
    this.#kind = written.kind;
    this.#type = TYPE_OF_KIND[written.kind];
    this.#open = unpack(written, 'aicl');
    this.#writing = writing;
    this.fields = this.#open.fields;
  }

  /** The message, its place in a stream said by this stream id. */
  write(streamId: Value | undefined): DictValue {
    const { report } = this.#writing;
    const nearest = NEAREST[this.#kind];
    if (nearest) report.note(nearest);
    if (this.fields.peek('signature')) report.note(SIGNED);
    if (this.#kind === 'call') this.fields.put('arguments', nameArguments(this.fields, this.#writing));
    const members = new Members(undefined);
    this.#writeHeader(members);
    const [named, as] =
      this.#kind === 'error' ? this.#writeError(members) : this.#writeFields(members, streamId);
    this.#writeCommon(members, streamId);
    this.#writeRest(members);
    const envelope = packEnvelope(this.#open, named);
    members.put(ENVELOPE, as ? joinDicts(envelope ?? dictValue([]), dictValue([as])) : envelope);
    return dictValue(members.entries());
  }

  #writeHeader(members: Members): void {
    const session = textIn(this.fields.peek('session'));
    const isName = session !== undefined && session !== '' && session !== NO_SESSION;
    members.add('protocol', this.#takeHeader('protocol') ?? DEFAULT_HEADER.protocol);
    if (isName) members.add('session_id', this.fields.take('session'));
    else members.add('session_id', this.#takeHeader('session_id') ?? DEFAULT_HEADER.session_id);
    members.add('msg_type', textValue(this.#type));
  }

  /** What a message has there that the protocol does not want stays as it was, if it was the first that is left. */
  #takeHeader(key: keyof typeof DEFAULT_HEADER): Value | undefined {
    const [first] = this.#open.rest.entries();
    if (first?.key !== key || isTaken(first, this.#type)) return undefined;
    this.#header.push({ ...first, key });
    return this.#open.rest.take(key);
  }

  #writeError(members: Members): readonly [undefined, undefined] {
    const { code, text, data } = writeError(this.fields, 'aicl', this.#writing.report);
    members.put('code', code);
    members.put('reason', textValue(text));
    members.put('detail', data);
    return [undefined, undefined];
  }

  /** Writes the fields of the type; answers the kind if the envelope has to name it, and what `data` stands for. */
  #writeFields(
    members: Members,
    streamId: Value | undefined,
  ): readonly [MessageKind | undefined, Entry | undefined] {
    const kind = this.#kind;
    const rows = this.#rows();
    const asData = this.#findAsData(rows);
    const fillers = fillersOf(kind, this.fields);
    const readAs = streamId && this.#type === 'result' ? 'chunk' : KIND_OF_TYPE[this.#type];
    const isNamed =
      readAs !== kind || (!asData && fillers.some(({ key }) => !rows.some(row => isInPlaceOf(row.key, key))));
    const isFiller = ({ key, field }: MemberRow): boolean =>
      fillers.some(filler => filler.key === key && isField(this.fields, field, filler.value));
    const natural = isNamed ? rows.filter(row => !isFiller(row)) : rows;
    const isLikeFiller =
      asData && isNamed && fillers.some(({ value }) => isField(this.fields, asData, value));
    const as = isLikeFiller ? undefined : asData;
    if (as) members.add('data', this.fields.take(as));
    for (const { key, field } of natural) members.add(key, this.fields.take(field));
    if (isNamed && !as) {
      const lacking = fillers.filter(({ key }) => !natural.some(row => isInPlaceOf(row.key, key)));
      for (const { key, value } of lacking) members.add(key, value);
    }
    return [isNamed ? kind : undefined, as && { key: AS, value: textValue(as) }];
  }

  /** The fields of the type that the message has, and that may stand there. */
  #rows(): readonly MemberRow[] {
    const { fields } = this;
    const kind = this.#kind;
    const isAside = kind === 'chunk' && ASIDE.has(textIn(fields.peek('event')) ?? '');
    // The nearest type of these kinds has fields of another meaning.
    if (kind === 'list' || kind === 'describe' || kind === 'end') return [];
    return memberRows(this.#type).filter(row => {
      const value = fields.peek(row.field);
      const isText = row.field === 'data' || row.field === 'content';
      return value !== undefined && fitsRow(row, value) && !(isAside && isText);
    });
  }

  /** What a reply has instead of data, and what stands as its data. */
  #findAsData(rows: readonly MemberRow[]): (typeof AS_DATA)[number] | undefined {
    // What a chunk opens is no part of the text that the chunks are joined to.
    if (this.#kind !== 'result') return undefined;
    if (rows.some(({ key }) => isInPlaceOf(key, 'data'))) return undefined;
    return this.fields.peek('data') ? undefined : AS_DATA.find(name => this.fields.peek(name) !== undefined);
  }

  #writeCommon(members: Members, streamId: Value | undefined): void {
    for (const row of COMMON_ROWS) {
      const value = this.fields.peek(row.field);
      if (value && fitsRow(row, value)) members.put(row.key, this.fields.take(row.field));
    }
    const place = readPlace(streamId);
    if (place) {
      members.put('stream_id', streamId);
      for (const name of ['stream', 'index', 'total'] as const) this.fields.take(name);
    }
    const final = this.fields.peek('final');
    if (final?.kind === 'bool' && !members.peek('is_final') && saysFinal(final, place))
      members.put('is_final', this.fields.take('final'));
  }

  /**
   * What only AICL knows goes back to where it was. What is taken there, or would be read as something else, stays in the
   * envelope, with all that stands before it, so that the order is kept.
   */
  #writeRest(members: Members): void {
    const entries = this.#open.rest.entries();
    const from = entries.findLastIndex(entry => members.peek(entry.key) || isTaken(entry, this.#type)) + 1;
    if (from > 0) {
      for (const { key } of this.#header) members.put(key, DEFAULT_HEADER[key]);
      const carried = dictValue([
        { key: 'aicl', value: dictValue([...this.#header, ...entries.slice(0, from)]) },
      ]);
      const others = this.fields.peek('rest');
      this.fields.put('rest', others ? joinDicts(others, carried) : carried);
    }
    for (const { key, value } of entries.slice(from)) members.put(key, value);
  }
}

/** Parts of a stream whose data is no text of the answer, which who joins the data of chunks would take it for. */
const ASIDE: ReadonlySet<string> = new Set(['reasoning', 'arguments']);

/** Data and content stand for each other. */
function isInPlaceOf(key: string, wanted: string): boolean {
  return key === wanted || (key === 'content' && wanted === 'data');
}

function isField(fields: Leftovers['fields'], field: MessageField, value: Value): boolean {
  const own = fields.peek(field);
  return own !== undefined && isSameValue(own, value);
}

/** True for a member that is read as more than a member that nobody knows. */
function isTaken({ key, value }: Entry, type: MessageTypeName): boolean {
  if (key === ENVELOPE || key === 'msg_type') return true;
  if (!isFieldKey(key)) return false;
  const probe = dictValue([{ key, value }]);
  return readTyped(new Members(probe), type, PROBE).fields.rest === undefined;
}

/** Nobody reads what probing tells. */
const PROBE = new Report();
