import { asList, readFields } from '../../core/text/fields.ts';

/** The type of a field's value on the wire and in JSON. */
export type ScalarType =
  | 'string'
  | 'bool'
  /** A number of at most 32 bits, or an enumeration. */
  | 'uint32'
  /** A signed 64-bit number; in JSON a text of digits. */
  | 'int64'
  | 'fixed32'
  /** A 64-bit number; in JSON a text of digits. */
  | 'fixed64'
  | 'double'
  /** Base64 in JSON. */
  | 'bytes'
  /** Bytes that are hex in OTLP's JSON. */
  | 'id';

/** A field of a message. */
export interface FieldRow<Message extends string> {
  readonly number: number;
  /** The name of the field in JSON. */
  readonly name: string;
  readonly type: ScalarType | { readonly message: Message };
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

/** The wire types of protobuf, without the obsolete groups, 3 and 4. */
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

const WIRE_TYPES: Readonly<Record<ScalarType, number>> = {
  string: DELIMITED,
  bool: VARINT,
  uint32: VARINT,
  int64: VARINT,
  fixed32: FIXED32,
  fixed64: FIXED64,
  double: FIXED64,
  bytes: DELIMITED,
  id: DELIMITED,
};

/**
 * Decodes and encodes messages of protocol buffers, version 3, as values of JSON: only the features that
 * telemetry uses.
 */
export class Protobuf<Message extends string> {
  readonly #messages: ReadonlyMap<Message, readonly FieldRow<Message>[]>;
  readonly #byNumber: ReadonlyMap<Message, ReadonlyMap<number, FieldRow<Message>>>;

  constructor(schema: Schema<Message>, names: readonly Message[]) {
    this.#messages = new Map(names.map(name => [name, schema[name]]));
    this.#byNumber = new Map(
      names.map(name => [name, new Map(schema[name].map(field => [field.number, field]))]),
    );
  }

  /** Decodes a message. Unknown fields are skipped, as the format requires. Never throws. */
  decode(message: Message, bytes: Uint8Array): Decoded {
    const reader = new WireReader(bytes);
    const value = this.#read(message, reader, bytes.length, 0);
    return reader.fault === undefined ? { ok: true, value } : { ok: false, message: reader.fault };
  }

  /**
   * Encodes a message. Unknown members, values of another type than the field's, and what is nested too deep
   * to be read are left out.
   */
  encode(message: Message, value: unknown): Buffer {
    return this.#print(message, value, 0);
  }

  #print(message: Message, value: unknown, depth: number): Buffer {
    if (depth >= DEEPEST) return Buffer.alloc(0);
    const parts: Buffer[] = [];
    const members = readFields(value);
    for (const field of this.#messages.get(message) ?? []) {
      const given = members?.get(field.name);
      for (const item of field.isList ? asList(given) : [given]) {
        const written = this.#write(field, item, depth);
        if (written) parts.push(...written);
      }
    }
    return Buffer.concat(parts);
  }

  #read(message: Message, reader: WireReader, end: number, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const fields = this.#byNumber.get(message);
    if (depth > DEEPEST) reader.fail(`its messages are nested more than ${DEEPEST} deep`);
    while (reader.at < end && reader.fault === undefined) {
      const tag = reader.varint();
      const [number, wire] = [Math.floor(tag / 8), tag % 8];
      const field = fields?.get(number);
      const known = field && (typeof field.type === 'string' ? WIRE_TYPES[field.type] : DELIMITED);
      if (!field || wire !== known) reader.skip(wire, end);
      else {
        const item =
          typeof field.type === 'string'
            ? reader.scalar(field.type, end)
            : this.#read(field.type.message, reader, reader.span(end), depth + 1);
        if (!field.isList) value[field.name] = item;
        else {
          const list = value[field.name];
          if (Array.isArray(list)) list.push(item);
          else value[field.name] = [item];
        }
      }
    }
    return value;
  }

  #write({ number, type }: FieldRow<Message>, value: unknown, depth: number): readonly Buffer[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof type !== 'string') return delimit(number, this.#print(type.message, value, depth + 1));
    const bytes = writeScalar(type, value);
    if (!bytes) return undefined;
    const wire = WIRE_TYPES[type];
    return wire === DELIMITED ? delimit(number, bytes) : [printVarint(number * 8 + wire), bytes];
  }
}

/** Reads bytes from the wire, from their start. After a fault its results are meaningless. */
class WireReader {
  readonly #bytes: Buffer;
  at = 0;
  #fault: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** What is wrong with the bytes, and where. */
  get fault(): string | undefined {
    return this.#fault;
  }

  fail(what: string): void {
    this.#fault ??= `The body is not a valid OTLP protocol buffer: ${what}, at byte ${this.at}`;
    this.at = this.#bytes.length;
  }

  /** Reads a number that is known to be small: bits beyond 53 are lost. */
  varint(): number {
    let value = 0;
    for (let place = 1; place < 2 ** 70; place *= 128) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) {
        this.fail('a number is truncated');
        return 0;
      }
      this.at++;
      value += (byte & 0x7f) * place;
      if (byte < 0x80) return value;
    }
    this.fail('a number has more than ten bytes');
    return 0;
  }

  /** The end of the delimited field that begins here. */
  span(end: number): number {
    const length = this.varint();
    const until = this.at + length;
    if (until <= end) return until;
    this.fail(`a field of ${length} bytes goes past the end`);
    return this.at;
  }

  scalar(type: ScalarType, end: number): unknown {
    switch (type) {
      case 'bool':
        return this.varint() !== 0;
      case 'uint32':
        return this.varint();
      case 'int64':
        return this.#integer();
      case 'fixed32':
        return this.#fixed(4, at => this.#bytes.readUInt32LE(at), end);
      case 'fixed64':
        return this.#fixed(8, at => String(this.#bytes.readBigUInt64LE(at)), end);
      case 'double':
        return this.#fixed(8, at => jsonNumber(this.#bytes.readDoubleLE(at)), end);
      case 'string':
        return this.#delimited(end).toString('utf8');
      case 'bytes':
        return this.#delimited(end).toString('base64');
      case 'id':
        return this.#delimited(end).toString('hex');
    }
  }

  skip(wire: number, end: number): void {
    if (wire === VARINT) this.#integer();
    else if (wire === FIXED64) this.#fixed(8, () => undefined, end);
    else if (wire === FIXED32) this.#fixed(4, () => undefined, end);
    else if (wire === DELIMITED) this.at = this.span(end);
    else this.fail(`a field has the wire type ${wire}, which protobuf version 3 does not have`);
  }

  #integer(): string {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) break;
      this.at++;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return String(BigInt.asIntN(64, value));
    }
    this.fail('a number is truncated, or has more than ten bytes');
    return '0';
  }

  #fixed(size: number, read: (at: number) => unknown, end: number): unknown {
    const at = this.at;
    if (at + size > end) {
      this.fail(`a number of ${size} bytes goes past the end`);
      return undefined;
    }
    this.at += size;
    return read(at);
  }

  #delimited(end: number): Buffer {
    const until = this.span(end);
    const found = this.#bytes.subarray(this.at, until);
    this.at = until;
    return found;
  }
}

/** A number that JSON cannot represent becomes a text, as protocol buffers define it. */
function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function delimit(number: number, bytes: Buffer): readonly Buffer[] {
  return [printVarint(number * 8 + DELIMITED), printVarint(bytes.length), bytes];
}

/** The bytes of a value; undefined if it has another type. */
function writeScalar(type: ScalarType, value: unknown): Buffer | undefined {
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' ? Buffer.from([value ? 1 : 0]) : undefined;
    case 'string':
      return typeof value === 'string' ? Buffer.from(value) : undefined;
    case 'bytes':
      return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
    case 'id':
      return typeof value === 'string' ? Buffer.from(value, 'hex') : undefined;
    case 'double':
      return writeDouble(value);
    case 'uint32':
    case 'int64': {
      const integer = readInteger(value);
      return integer === undefined ? undefined : printLongVarint(BigInt.asUintN(64, integer));
    }
    case 'fixed32': {
      const integer = readInteger(value);
      const bytes = Buffer.alloc(4);
      if (integer !== undefined) bytes.writeUInt32LE(Number(BigInt.asUintN(32, integer)));
      return bytes;
    }
    case 'fixed64': {
      const integer = readInteger(value);
      const bytes = Buffer.alloc(8);
      if (integer !== undefined) bytes.writeBigUInt64LE(BigInt.asUintN(64, integer));
      return bytes;
    }
  }
}

function writeDouble(value: unknown): Buffer | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return bytes;
}

function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

function printVarint(value: number): Buffer {
  return printLongVarint(BigInt(value));
}

function printLongVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0n; rest >>= 7n)
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
  return Buffer.from(bytes);
}
