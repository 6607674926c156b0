import { PbfReader, PbfWriter } from 'pbf';
import { asList, readFields } from '../../core/text/fields.ts';

/** The wire types of protocol buffers. */
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

/** Reads and writes a value of one type. The JSON forms are those of protocol buffers. */
interface Scalar {
  readonly wire: number;
  readonly read: (reader: PbfReader) => unknown;
  /** Writes a value that `fits`, given as text. */
  readonly write: (writer: PbfWriter, value: string) => void;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isInteger = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isSafeInteger(value)
    : isText(value) && /^-?\d{1,20}$/.test(String(value));

/** Bytes that are a text of an encoding in JSON. */
function inText(encoding: 'base64' | 'hex'): Scalar {
  return {
    wire: DELIMITED,
    read: reader => viewOf(reader.readBytes()).toString(encoding),
    write: (writer, value) => writer.writeBytes(Buffer.from(value, encoding)),
    fits: isText,
  };
}

const SCALARS = {
  string: {
    wire: DELIMITED,
    // Invalid UTF-8 becomes U+FFFD.
    read: reader => viewOf(reader.readBytes()).toString('utf8'),
    write: (writer, value) => writer.writeString(value),
    fits: isText,
  },
  bool: {
    wire: VARINT,
    read: reader => reader.readBoolean(),
    write: (writer, value) => writer.writeBoolean(value === 'true'),
    fits: value => typeof value === 'boolean',
  },
  /** A number of at most 32 bits, or an enumeration. */
  uint32: {
    wire: VARINT,
    read: reader => reader.readVarint(),
    write: (writer, value) => writeLongVarint(writer, BigInt(value)),
    fits: isInteger,
  },
  /** A signed 64-bit number; in JSON a text of digits, which a double would round. */
  int64: {
    wire: VARINT,
    read: reader => String(BigInt.asIntN(64, readLongVarint(reader))),
    write: (writer, value) => writeLongVarint(writer, BigInt(value)),
    fits: isInteger,
  },
  fixed32: {
    wire: FIXED32,
    read: reader => reader.readFixed32(),
    write: (writer, value) => writer.writeFixed32(Number(BigInt.asUintN(32, BigInt(value)))),
    fits: isInteger,
  },
  /** A 64-bit number; in JSON a text of digits. */
  fixed64: {
    wire: FIXED64,
    read(reader) {
      reader.pos += 8;
      return String(reader.dataView.getBigUint64(reader.pos - 8, true));
    },
    write(writer, value) {
      writer.realloc(8);
      writer.dataView.setBigUint64(writer.pos, BigInt.asUintN(64, BigInt(value)), true);
      writer.pos += 8;
    },
    fits: isInteger,
  },
  double: {
    wire: FIXED64,
    read(reader) {
      const value = reader.readDouble();
      // A number that JSON cannot represent becomes a text.
      return Number.isFinite(value) ? value : String(value);
    },
    write: (writer, value) => writer.writeDouble(Number(value)),
    fits: value => typeof value === 'number' || isText(value),
  },
  bytes: inText('base64'),
  /** Bytes that are hex in OTLP's JSON. */
  id: inText('hex'),
} satisfies Readonly<Record<string, Scalar>>;

/** A field of a message. */
export interface FieldRow<Message extends string> {
  readonly number: number;
  /** The name of the field in JSON. */
  readonly name: string;
  readonly type: keyof typeof SCALARS | { readonly message: Message };
  readonly isList?: true;
}

/** Messages by their names. */
export type Schema<Message extends string> = Readonly<Record<Message, readonly FieldRow<Message>[]>>;

export type Decoded =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  /** A sentence for the user. */
  | { readonly ok: false; readonly message: string };

/** The maximum depth of nested messages that are read. */
const DEEPEST = 200;

/** Why bytes are no message: the end of a sentence. */
class Fault extends Error {}

const CUT = 'it is cut off or broken';

/** Decodes and encodes messages of protocol buffers, version 3, as values of JSON. */
export class Protobuf<Message extends string> {
  readonly #messages: Schema<Message>;
  readonly #byNumber = new Map<Message, ReadonlyMap<number, FieldRow<Message>>>();

  constructor(messages: Schema<Message>) {
    this.#messages = messages;
  }

  /** Decodes a message. Unknown fields are skipped, as the format requires. Never throws. */
  decode(message: Message, bytes: Uint8Array): Decoded {
    const reader = new PbfReader(bytes);
    try {
      return { ok: true, value: this.#read(message, reader, bytes.length, 0) };
    } catch (error) {
      const why = error instanceof Fault ? error.message : CUT;
      const at = Math.min(reader.pos, bytes.length);
      return { ok: false, message: `The body is not a valid OTLP protocol buffer: ${why}, at byte ${at}` };
    }
  }

  /**
   * Encodes a message. Unknown members, values of another type than the field's, and what is nested too deep
   * to be read are left out.
   */
  encode(message: Message, value: unknown): Buffer {
    const writer = new PbfWriter();
    this.#write(message, value, writer, 0);
    return viewOf(writer.finish());
  }

  /** Reads a message that ends at `end`. Throws if the bytes are no message. */
  #read(message: Message, reader: PbfReader, end: number, depth: number): Record<string, unknown> {
    if (depth > DEEPEST) throw new Fault(`its messages are nested more than ${DEEPEST} deep`);
    const fields = this.#fieldsOf(message);
    const value: Record<string, unknown> = {};
    for (let number = reader.nextField(end); number > 0; number = reader.nextField(end)) {
      const field = fields.get(number);
      const scalar: Scalar | undefined = typeof field?.type === 'string' ? SCALARS[field.type] : undefined;
      // A value that is not read is skipped.
      if (!field || reader.type !== (scalar?.wire ?? DELIMITED)) continue;
      const item =
        typeof field.type === 'string'
          ? scalar?.read(reader)
          : this.#read(field.type.message, reader, reader.readVarint() + reader.pos, depth + 1);
      const list = value[field.name];
      if (field.isList && Array.isArray(list)) list.push(item);
      else value[field.name] = field.isList ? [item] : item;
    }
    // The library reads on behind the end of its bytes, and ends a message at a field without a number.
    if (reader.pos !== end || end > reader.length) throw new Fault(CUT);
    return value;
  }

  #fieldsOf(message: Message): ReadonlyMap<number, FieldRow<Message>> {
    const known = this.#byNumber.get(message);
    const fields = known ?? new Map(this.#messages[message].map(field => [field.number, field]));
    this.#byNumber.set(message, fields);
    return fields;
  }

  #write(message: Message, value: unknown, writer: PbfWriter, depth: number): void {
    if (depth >= DEEPEST) return;
    const members = readFields(value);
    for (const { number, name, type, isList } of this.#messages[message]) {
      const given = members?.get(name);
      for (const item of isList ? asList(given) : [given]) {
        if (item === undefined || item === null) continue;
        if (typeof type === 'string') writeScalar(SCALARS[type], number, item, writer);
        else {
          writer.writeTag(number, DELIMITED);
          writer.writeRawMessage((each, inner) => this.#write(type.message, each, inner, depth + 1), item);
        }
      }
    }
  }
}

function writeScalar({ wire, fits, write }: Scalar, number: number, value: unknown, writer: PbfWriter): void {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isScalar || !fits(value)) return;
  writer.writeTag(number, wire);
  write(writer, String(value));
}

/** Reads a number of 64 bits, which `readVarint` would round. */
function readLongVarint(reader: PbfReader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.buf[reader.pos++];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new Fault(CUT);
}

/** Writes a number of 64 bits, of which `writeVarint` would write a rounded one. */
function writeLongVarint(writer: PbfWriter, value: bigint): void {
  writer.realloc(10);
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) writer.buf[writer.pos++] = Number(rest & 0x7fn) | 0x80;
  writer.buf[writer.pos++] = Number(rest);
}

/** A Buffer over the same memory. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
