import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { asList, readFields } from '../../core/text/fields.ts';

/** Reads and writes a value of one type. The JSON forms are those of protocol buffers. */
interface Scalar {
  readonly wire: WireType;
  readonly read: (reader: BinaryReader) => unknown;
  /** Writes a value that `fits`. */
  readonly write: (writer: BinaryWriter, value: string) => void;
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
    wire: WireType.LengthDelimited,
    read: reader => viewOf(reader.bytes()).toString(encoding),
    write: (writer, value) => writer.bytes(Buffer.from(value, encoding)),
    fits: isText,
  };
}

/** A 64-bit number, which is a text of digits in JSON. */
function inDigits(wire: WireType, read: Scalar['read'], write: Scalar['write']): Scalar {
  return { wire, read: reader => String(read(reader)), write, fits: isInteger };
}

const SCALARS = {
  string: {
    wire: WireType.LengthDelimited,
    // Invalid UTF-8 becomes U+FFFD.
    read: reader => reader.string(false),
    write: (writer, value) => writer.string(value),
    fits: isText,
  },
  bool: {
    wire: WireType.Varint,
    read: reader => reader.bool(),
    write: (writer, value) => writer.bool(value === 'true'),
    fits: value => typeof value === 'boolean',
  },
  /** A number of at most 32 bits, or an enumeration. */
  uint32: {
    wire: WireType.Varint,
    read: reader => reader.uint32(),
    write: (writer, value) => writer.uint64(BigInt.asUintN(64, BigInt(value))),
    fits: isInteger,
  },
  int64: inDigits(
    WireType.Varint,
    reader => reader.int64(),
    (writer, value) => writer.int64(BigInt.asIntN(64, BigInt(value))),
  ),
  fixed32: {
    wire: WireType.Bit32,
    read: reader => reader.fixed32(),
    write: (writer, value) => writer.fixed32(Number(BigInt.asUintN(32, BigInt(value)))),
    fits: isInteger,
  },
  fixed64: inDigits(
    WireType.Bit64,
    reader => reader.fixed64(),
    (writer, value) => writer.fixed64(BigInt.asUintN(64, BigInt(value))),
  ),
  double: {
    wire: WireType.Bit64,
    read(reader) {
      const value = reader.double();
      // A number that JSON cannot represent becomes a text.
      return Number.isFinite(value) ? value : String(value);
    },
    write: (writer, value) => writer.double(Number(value)),
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

/** Decodes and encodes messages of protocol buffers, version 3, as values of JSON. */
export class Protobuf<Message extends string> {
  readonly #messages: Schema<Message>;
  readonly #byNumber = new Map<Message, ReadonlyMap<number, FieldRow<Message>>>();

  constructor(messages: Schema<Message>) {
    this.#messages = messages;
  }

  /** Decodes a message. Unknown fields are skipped, as the format requires. Never throws. */
  decode(message: Message, bytes: Uint8Array): Decoded {
    const reader = new BinaryReader(bytes);
    try {
      return { ok: true, value: this.#read(message, reader, bytes.length, 0) };
    } catch (error) {
      const why = error instanceof Fault ? error.message : 'it is cut off or broken';
      const at = Math.min(reader.pos, bytes.length);
      return { ok: false, message: `The body is not a valid OTLP protocol buffer: ${why}, at byte ${at}` };
    }
  }

  /**
   * Encodes a message. Unknown members, values of another type than the field's, and what is nested too deep
   * to be read are left out.
   */
  encode(message: Message, value: unknown): Buffer {
    const writer = new BinaryWriter();
    this.#write(message, value, writer, 0);
    return viewOf(writer.finish());
  }

  /** Reads a message that ends at `end`. Throws if the bytes are no message. */
  #read(message: Message, reader: BinaryReader, end: number, depth: number): Record<string, unknown> {
    if (depth > DEEPEST) throw new Fault(`its messages are nested more than ${DEEPEST} deep`);
    const fields = this.#fieldsOf(message);
    const value: Record<string, unknown> = {};
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      const field = fields.get(number);
      const scalar: Scalar | undefined = typeof field?.type === 'string' ? SCALARS[field.type] : undefined;
      if (!field || wire !== (scalar?.wire ?? WireType.LengthDelimited)) {
        reader.skip(wire, number);
        continue;
      }
      const item =
        typeof field.type === 'string'
          ? scalar?.read(reader)
          : this.#read(field.type.message, reader, reader.uint32() + reader.pos, depth + 1);
      const list = value[field.name];
      if (field.isList && Array.isArray(list)) list.push(item);
      else value[field.name] = field.isList ? [item] : item;
    }
    if (reader.pos > end || end > reader.len) throw new Fault('a field goes past the end of its message');
    return value;
  }

  #fieldsOf(message: Message): ReadonlyMap<number, FieldRow<Message>> {
    const known = this.#byNumber.get(message);
    const fields = known ?? new Map(this.#messages[message].map(field => [field.number, field]));
    this.#byNumber.set(message, fields);
    return fields;
  }

  #write(message: Message, value: unknown, writer: BinaryWriter, depth: number): void {
    if (depth >= DEEPEST) return;
    const members = readFields(value);
    for (const { number, name, type, isList } of this.#messages[message]) {
      const given = members?.get(name);
      for (const item of isList ? asList(given) : [given]) {
        if (item === undefined || item === null) continue;
        if (typeof type === 'string') writeScalar(SCALARS[type], number, item, writer);
        else {
          writer.tag(number, WireType.LengthDelimited).fork();
          this.#write(type.message, item, writer, depth + 1);
          writer.join();
        }
      }
    }
  }
}

function writeScalar(
  { wire, fits, write }: Scalar,
  number: number,
  value: unknown,
  writer: BinaryWriter,
): void {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (isScalar && fits(value)) write(writer.tag(number, wire), String(value));
}

/** A Buffer over the same memory. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
